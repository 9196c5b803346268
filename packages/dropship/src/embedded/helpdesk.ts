/** Tickets, the shop's policies, and replies: one to a ticket. */
import { ToolError } from 'myrmex'
import type { Helpdesk, Reply, ShopPolicy, Ticket } from '../ports.ts'
import { idLength } from './database/id-order.ts'
import { runOnce } from './database/idempotency.ts'
import type { Store } from './database/store.ts'
import type { Tables } from './database/tables.ts'

export const helpdesk = (store: Store): Helpdesk => ({
  tickets: async (where) => tickets(store, where),
  async replies(where = {}) {
    let query = store.kysely.selectFrom('replies').selectAll()
    query = query.orderBy('made_on').orderBy(idLength('ticket_id')).orderBy('ticket_id')
    if (where.ticket_id !== undefined) query = query.where('ticket_id', '=', where.ticket_id)
    if (where.limit !== undefined) query = query.limit(where.limit)
    return store.all(query).map(replyOf)
  },
  async policies(topic) {
    let query = store.kysely.selectFrom('policies').selectAll().orderBy('policy_id')
    if (topic !== undefined) query = query.where('topic', '=', topic)
    return store.all(query).map(policyOf)
  },
  answer: (reply, key) => runOnce(store, 'helpdesk.answer', key, { reply }, () => answer(store, reply)),
})

function tickets(store: Store, where: Parameters<Helpdesk['tickets']>[0] = {}): Ticket[] {
  let query = store.kysely.selectFrom('tickets').selectAll()
  query = query.orderBy('opened_on').orderBy(idLength('ticket_id')).orderBy('ticket_id')
  if (where.ticket_id !== undefined) query = query.where('ticket_id', '=', where.ticket_id)
  if (where.status !== undefined) query = query.where('status', '=', where.status)
  const { after } = where
  if (after !== undefined) {
    const last = store.kysely.selectFrom('tickets').select('opened_on').where('ticket_id', '=', after)
    query = query.where((eb) =>
      eb(eb.refTuple('opened_on', idLength('ticket_id'), 'ticket_id'), '>', eb.tuple(last, after.length, after)),
    )
  }
  if (where.limit !== undefined) query = query.limit(where.limit)
  return store.all(query).map(ticketOf)
}

function answer(store: Store, reply: Omit<Reply, 'made_on'>): Ticket {
  const { kysely } = store
  const { ticket_id, intent, sentiment, confidence, body, actions, sent } = reply
  const ticket = tickets(store, { ticket_id })[0]
  if (ticket === undefined) {
    throw new ToolError('UnknownTicket', `There is no ticket ${JSON.stringify(ticket_id)}.`, { ticket_id })
  }
  if (ticket.status !== 'open') {
    throw new ToolError('TicketClosed', `The ticket ${ticket_id} is ${ticket.status}: it is answered once.`, {
      ticket_id,
      status: ticket.status,
    })
  }
  const made_on = store.today()
  const row = { ticket_id, made_on, intent, sentiment, confidence, body, sent: sent ? 1 : 0 }
  store.run(kysely.insertInto('replies').values({ ...row, actions: JSON.stringify(actions) }))
  const status = sent ? 'answered' : 'with a human'
  store.run(kysely.updateTable('tickets').set({ status }).where('ticket_id', '=', ticket_id))
  if (sent) {
    const message = { day: made_on, email: ticket.email, subject: `Re: ${ticket.subject}`, body, about: ticket_id }
    store.run(kysely.insertInto('messages').values(message))
  }
  return { ...ticket, status }
}

const ticketOf = (row: Tables['tickets']): Ticket => ({
  ...row,
  order_id: row.order_id === null ? undefined : String(row.order_id),
})

const replyOf = (row: Tables['replies']): Reply => ({
  ...row,
  actions: JSON.parse(row.actions) as Reply['actions'],
  sent: row.sent === 1,
})

const policyOf = (row: Tables['policies']): ShopPolicy => ({
  ...row,
  figures: JSON.parse(row.figures) as ShopPolicy['figures'],
})
