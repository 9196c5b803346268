/** Talks with suppliers: how they go, what is kept of them, and what a buyer may not do. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays } from '../../day.ts'
import { readHiddenOffer } from '../../market/world/hidden-parameters.ts'
import type { Bid, BuyerStrategy } from '../../ports.ts'
import type { EmbeddedShop } from '../open.ts'
import { exchangeBids } from './negotiate.ts'

let shop: EmbeddedShop
let reserve: number
beforeEach(async () => {
  shop = await smallShop()
  reserve = readHiddenOffer(shop.db, 'sup_99', '123')?.reserve ?? 0
})
afterEach(() => shop.close())

/** Says the same until the supplier is down to it or leaves. */
const stubborn =
  (price: number): BuyerStrategy =>
  () => ({ by: 'buyer', price, says: 'offers' })
const leaving: BuyerStrategy = () => ({ by: 'buyer', price: 1, says: 'leaves' })
/** Takes whatever the supplier says first. */
const easy: BuyerStrategy = (said) => {
  const last = said.at(-1)
  return last === undefined
    ? { by: 'buyer', price: reserve, says: 'offers' }
    : { by: 'buyer', price: last.price, says: 'accepts' }
}
const negotiate = (buyer: BuyerStrategy, key?: string) => shop.suppliers.negotiate('sup_99', '123', buyer, key)

async function refused(work: () => Promise<unknown>, error_type: string): Promise<void> {
  const dump = shop.dump()
  await expect(work()).rejects.toMatchObject({ error_type })
  expect(shop.dump()).toBe(dump)
}

test('a deal is a quote that holds for some weeks, with all that was said', async () => {
  const today = await shop.clock.today()
  const { said, quote } = await negotiate(easy, 'talk')
  expect(said[0]).toEqual({ by: 'buyer', price: reserve, says: 'offers' })
  expect(said.at(-1)?.says).toBe('accepts')
  expect(quote).toMatchObject({ supplier_id: 'sup_99', product_id: '123', unit: said.at(-1)?.price, made_on: today })
  expect(quote && quote.expires_on > today).toBe(true)
  expect(await shop.suppliers.quote(quote?.quote_id ?? '')).toEqual(quote)
  expect((await shop.suppliers.quotes({ product_id: '123' }))[0]).toEqual(quote)
  const kept = shop.db.prepare('SELECT said FROM talks WHERE quote_id = ?').get(quote?.quote_id ?? '')
  expect(JSON.parse(String(kept?.said))).toEqual(said)
})

test('the same key does not talk twice', async () => {
  const first = await negotiate(easy, 'talk')
  const dump = shop.dump()
  const again = await negotiate(() => {
    throw new Error('nobody should ask')
  }, 'talk')
  expect(again).toEqual(first)
  expect(shop.dump()).toBe(dump)
})

test('a failed talk closes the door for seven days', async () => {
  const today = await shop.clock.today()
  const { quote, said } = await negotiate(stubborn(1), undefined)
  expect(quote).toBeUndefined()
  expect(said.at(-1)).toMatchObject({ by: 'supplier', says: 'leaves' })
  await refused(() => negotiate(easy), 'TalksClosed')
  shop.db.prepare(`UPDATE meta SET value = ? WHERE name = 'today'`).run(addDays(today, 6))
  await refused(() => negotiate(easy), 'TalksClosed')
  shop.db.prepare(`UPDATE meta SET value = ? WHERE name = 'today'`).run(addDays(today, 7))
  await expect(negotiate(easy)).resolves.toMatchObject({ quote: { supplier_id: 'sup_99' } })
})

test('a buyer who leaves has failed too', async () => {
  expect((await negotiate(leaving)).quote).toBeUndefined()
  await refused(() => negotiate(easy), 'TalksClosed')
})

test('a talk ends after twelve rounds at the latest', () => {
  let at = 0
  const haggles: BuyerStrategy = () => ({ by: 'buyer', price: ++at, says: 'offers' })
  const { said, price } = exchangeBids(haggles, () => ({ by: 'supplier', price: 900, says: 'offers' }))
  expect(price).toBeUndefined()
  expect(said.filter(({ by }) => by === 'buyer')).toHaveLength(12)
  expect(said.at(-1)).toEqual({ by: 'supplier', price: 900, says: 'leaves' })
})

test('a buyer cannot accept what was not offered, nor bid nonsense', async () => {
  const accepts =
    (price: number): BuyerStrategy =>
    (said): Bid =>
      said.length === 0 ? { by: 'buyer', price: reserve, says: 'offers' } : { by: 'buyer', price, says: 'accepts' }
  await refused(() => negotiate(accepts(1)), 'ValidationError')
  await refused(() => negotiate(() => ({ by: 'buyer', price: reserve, says: 'accepts' })), 'ValidationError')
  for (const price of [0, -1, 1.5, Number.NaN]) await refused(() => negotiate(stubborn(price)), 'ValidationError')
})

test('a buyer cannot speak for the supplier or change what was said', async () => {
  const forger: BuyerStrategy = (said) => {
    ;(said as Bid[]).length = 0
    return { by: 'supplier', price: reserve, says: 'offers' }
  }
  const { said } = await negotiate(forger)
  expect(said.map(({ by }) => by).slice(0, 2)).toEqual(['buyer', 'supplier'])
})

test('nobody talks about what a supplier does not offer', async () => {
  await refused(() => shop.suppliers.negotiate('sup_99', 'no-such', easy, undefined), 'UnknownOffer')
  await refused(() => shop.suppliers.negotiate('sup_none', '123', easy, undefined), 'UnknownOffer')
})

test('a quote is taken back, and lapses', async () => {
  const today = await shop.clock.today()
  const first = (await negotiate(easy)).quote
  const second = (await negotiate(easy)).quote
  const ids = async () => (await shop.suppliers.quotes({ supplier_id: 'sup_99' })).map(({ quote_id }) => quote_id)
  expect((await ids()).slice(0, 2)).toEqual([second?.quote_id, first?.quote_id])
  await shop.suppliers.withdrawQuote(second?.quote_id ?? '', 'undo')
  expect(await ids()).not.toContain(second?.quote_id)
  expect(await shop.suppliers.quote(second?.quote_id ?? '')).toBeUndefined()
  await refused(() => shop.suppliers.withdrawQuote('q_9999', undefined), 'UnknownQuote')
  shop.db.prepare(`UPDATE meta SET value = ? WHERE name = 'today'`).run(first?.expires_on ?? today)
  expect(await ids()).toContain(first?.quote_id)
  shop.db.prepare(`UPDATE meta SET value = ? WHERE name = 'today'`).run(addDays(first?.expires_on ?? today, 1))
  expect(await ids()).not.toContain(first?.quote_id)
})
