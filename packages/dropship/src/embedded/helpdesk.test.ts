/** Tickets are answered once; drafts go to a human. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddedShop } from './open.ts'

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
})
afterEach(() => shop.close())

const reply = (ticket_id: string, sent = true) => ({
  ticket_id,
  intent: 'damaged_item',
  sentiment: 'unhappy',
  confidence: 0.9,
  body: 'We are sorry. You get your money back.',
  actions: [{ action: 'refund', detail: 'the whole price' }],
  sent,
})

async function refused(work: () => Promise<unknown>, error_type: string): Promise<void> {
  const dump = shop.dump()
  await expect(work()).rejects.toMatchObject({ error_type })
  expect(shop.dump()).toBe(dump)
}

test('an answer is sent to the customer and kept', async () => {
  const today = await shop.clock.today()
  const ticket = await shop.helpdesk.answer(reply('t_555'), 'a')
  expect(ticket).toMatchObject({ ticket_id: 't_555', status: 'answered' })
  expect(await shop.helpdesk.replies({ ticket_id: 't_555' })).toEqual([{ ...reply('t_555'), made_on: today }])
  const sent = shop.db.prepare(`SELECT day, email, subject, body FROM messages WHERE about = 't_555'`).all()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ day: today, email: ticket.email, subject: `Re: ${ticket.subject}` })
  expect(await shop.helpdesk.answer(reply('t_555'), 'a')).toEqual(ticket)
})

test('a draft waits with a human, and nothing is sent', async () => {
  expect(await shop.helpdesk.answer(reply('t_555', false), undefined)).toMatchObject({ status: 'with a human' })
  expect(shop.db.prepare(`SELECT * FROM messages WHERE about = 't_555'`).all()).toEqual([])
  expect((await shop.helpdesk.replies({ ticket_id: 't_555' }))[0]?.sent).toBe(false)
})

test('a ticket is answered once, and an unknown one never', async () => {
  await shop.helpdesk.answer(reply('t_555'), undefined)
  await refused(() => shop.helpdesk.answer(reply('t_555'), 'another'), 'TicketClosed')
  await refused(() => shop.helpdesk.answer(reply('t_99999'), undefined), 'UnknownTicket')
})

test('tickets come oldest first, page by page', async () => {
  const put = shop.db.prepare(`INSERT INTO tickets VALUES (?, ?, 'a@example.com', NULL, 'Hi', 'Hello?', 'open')`)
  for (let at = 8; at < 12; at++) put.run(`t_900${at}`, '2026-10-15')
  const all = await shop.helpdesk.tickets()
  const days = all.map(({ opened_on }) => opened_on)
  expect(days).toEqual([...days].sort())
  let after: string | undefined
  const seen: string[] = []
  for (;;) {
    const page = await shop.helpdesk.tickets({ after, limit: 3 })
    if (page.length === 0) break
    seen.push(...page.map(({ ticket_id }) => ticket_id))
    after = page.at(-1)?.ticket_id
  }
  expect(seen).toEqual(all.map(({ ticket_id }) => ticket_id))
  expect((await shop.helpdesk.tickets({ ticket_id: 't_9009' }))[0]?.order_id).toBeUndefined()
})

test('policies have words and figures', async () => {
  const [shipping] = await shop.helpdesk.policies('shipping')
  expect(shipping?.figures.delivery_days_stock).toBeGreaterThan(0)
  expect((await shop.helpdesk.policies()).length).toBeGreaterThan(2)
})
