/** The helpdesk port of the embedded shop: tickets, policies, and one reply per ticket. */
import { ticketClosed, unknownTicket } from '../ports/shop-errors.ts'
import type { Helpdesk, Reply, ShopPolicy, Ticket } from '../ports.ts'
import { runOnce } from './database/idempotency.ts'
import { idLength, type Store } from './database/store.ts'
import { fromOrderRow, fromRow } from './database/tables.ts'

export const helpdesk = (store: Store): Helpdesk => ({
  tickets: async (where) => findTickets(store, where),
  async replies({ ticket_id, limit } = {}) {
    let query = store.kysely.selectFrom('replies').selectAll()
    query = query.where((eb) => eb.and({ ticket_id }))
    query = query.orderBy('made_on').orderBy(idLength('ticket_id')).orderBy('ticket_id')
    if (limit !== undefined) query = query.limit(limit)
    return store.all(query).map((row) => ({ ...fromRow<Reply>(row, ['actions']), sent: row.sent === 1 }))
  },
  async policies(topic) {
    const query = store.kysely.selectFrom('policies').selectAll().orderBy('policy_id')
    const rows = store.all(query.where((eb) => eb.and({ topic })))
    return rows.map((row) => fromRow<ShopPolicy>(row, ['figures']))
  },
  answer: (reply, key) => runOnce(store, 'helpdesk.answer', key, { reply }, () => answer(store, reply)),
})

function findTickets(store: Store, where: Parameters<Helpdesk['tickets']>[0] = {}): Ticket[] {
  const { after, limit, ...filter } = where
  let query = store.kysely.selectFrom('tickets').selectAll()
  query = query.where((eb) => eb.and(filter))
  query = query.orderBy('opened_on').orderBy(idLength('ticket_id')).orderBy('ticket_id')
  if (after !== undefined) {
    const last = store.kysely.selectFrom('tickets').select('opened_on').where('ticket_id', '=', after)
    query = query.where((eb) =>
      eb(eb.refTuple('opened_on', idLength('ticket_id'), 'ticket_id'), '>', eb.tuple(last, after.length, after)),
    )
  }
  if (limit !== undefined) query = query.limit(limit)
  return store.all(query).map((row) => fromOrderRow<Ticket>(row))
}

function answer(store: Store, reply: Omit<Reply, 'made_on'>): Ticket {
  const { ticket_id, intent, sentiment, confidence, body, actions, sent } = reply
  const ticket = findTickets(store, { ticket_id })[0]
  if (ticket === undefined) throw unknownTicket(ticket_id)
  if (ticket.status !== 'open') throw ticketClosed(ticket)
  const made_on = store.today()
  const reading = { intent, sentiment, confidence }
  const columns = { actions: JSON.stringify(actions), sent: sent ? 1 : 0 }
  store.insert('replies', { ticket_id, made_on, ...reading, body, ...columns })
  const status = sent ? 'answered' : 'with a human'
  store.update('tickets', { ticket_id }, { status })
  if (sent)
    store.insert('messages', {
      day: made_on,
      email: ticket.email,
      subject: `Re: ${ticket.subject}`,
      body,
      about: ticket_id,
    })
  return { ...ticket, status }
}
