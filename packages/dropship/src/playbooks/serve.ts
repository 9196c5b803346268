/** Serving the customers: every order that is paid and not yet sent, and every ticket that nobody has answered. */
import type { Step } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import type { Order, ShopSource, Ticket } from '../ports.ts'
import { requestFor } from './request.ts'
import { makePlan, step } from './write-plan.ts'

const wantsAll = requestFor('serve|look after|take care of|help', 'customers?')
const wantsOrders = requestFor('fulfil|fulfill|ship|send out|dispatch', 'orders')
const wantsAnswers = requestFor('answer|handle|reply to|work off', 'tickets|customers|messages')
/** More than anybody would read through; what is left is for the next run. */
const MAX_STEPS = 1000

export const serve = (source: ShopSource): Playbook =>
  playbook({
    name: 'serve',
    description: 'Goals such as "Serve the customers": sends what was ordered, answers what was asked.',
    async plan({ goal, context }) {
      const both = wantsAll(goal)
      const withOrders = both || wantsOrders(goal)
      const withTickets = both || wantsAnswers(goal)
      if (!withOrders && !withTickets) return undefined
      const shop = await source()
      const orders = withOrders ? await shop.orders.orders({ status: 'paid', limit: MAX_STEPS + 1 }) : []
      const tickets = withTickets ? await shop.helpdesk.tickets({ status: 'open', limit: MAX_STEPS + 1 }) : []
      // Whoever has waited longest comes first.
      const open = [...orders].reverse().slice(0, MAX_STEPS)
      const asked = tickets.slice(0, Math.max(0, MAX_STEPS - open.length))
      const steps = [...open.map(fulfilStep), ...asked.map(ticketStep)]
      const left = orders.length + tickets.length - steps.length
      const assumptions = [
        steps.length === 0
          ? 'No order waits and no ticket is open, so there is nothing to do but look.'
          : `${open.length} orders wait to be sent and ${asked.length} tickets to be answered.`,
        ...(left > 0 ? ['There are more than one run should take; run the goal again for the rest.'] : []),
      ]
      return makePlan(goal, steps.length === 0 ? [lookStep] : steps, context.budget ?? {}, assumptions)
    },
  })

const fulfilStep = ({ order_id, placed_on }: Order): Step =>
  step(
    `order-${order_id}`,
    'operations.fulfill_order',
    { order_id },
    `Order ${order_id} of ${placed_on} is paid and not sent.`,
  )

const ticketStep = ({ ticket_id, subject }: Ticket): Step =>
  step(
    `ticket-${ticket_id.replace(/[^A-Za-z0-9_-]/g, '-')}`,
    'customer_service.handle_ticket',
    { ticket_id },
    `Nobody has answered: ${subject.slice(0, 80)}`,
  )

const lookStep = step('look', 'analytics.generate_report', { date_range: 'last_7_days' }, 'Looks how the shop stands.')
