/** Serving the customers: every paid order that is not sent yet, and every unanswered ticket. */

import type { Step } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import { plural } from 'myrmex/text'
import type { Order, ShopSource, Ticket } from '../ports.ts'
import { requestFor } from './request.ts'
import { makePlan, step } from './write-plan.ts'

const wantsAll = requestFor('serve|look after|take care of|help', 'customers?')
const wantsOrders = requestFor('fulfil|fulfill|ship|send out|dispatch', 'orders')
const wantsAnswers = requestFor('answer|handle|reply to|work off', 'tickets|customers|messages')
/** A plan with more steps could not be reviewed. The next run serves the rest. */
const MAX_STEPS = 1000

export const serve = (source: ShopSource): Playbook =>
  playbook({
    name: 'serve',
    description: 'Goals such as "Serve the customers": sends orders and answers tickets.',
    async plan({ goal, context }) {
      const both = wantsAll(goal)
      const withOrders = both || wantsOrders(goal)
      const withTickets = both || wantsAnswers(goal)
      if (!withOrders && !withTickets) return undefined
      const shop = await source()
      const orders = withOrders ? await shop.orders.orders({ status: 'paid', limit: MAX_STEPS + 1 }) : []
      const tickets = withTickets ? await shop.helpdesk.tickets({ status: 'open', limit: MAX_STEPS + 1 }) : []
      // The oldest orders first.
      const open = [...orders].reverse().slice(0, MAX_STEPS)
      const asked = tickets.slice(0, Math.max(0, MAX_STEPS - open.length))
      const steps = [...open.map(fulfilStep), ...asked.map(ticketStep)]
      const left = orders.length + tickets.length - steps.length
      const assumptions = [
        steps.length === 0
          ? 'No order is waiting and no ticket is open, so this only reports on the shop.'
          : `Waiting: ${plural(open.length, 'order')} to send and ${plural(asked.length, 'ticket')} to answer.`,
        ...(left > 0 ? ['There are more than one run should serve. Run the goal again for the rest.'] : []),
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
    `Unanswered: ${subject.slice(0, 80)}`,
  )

const lookStep = step(
  'look',
  'analytics.generate_report',
  { date_range: 'last_7_days' },
  'Reports on the state of the shop.',
)
