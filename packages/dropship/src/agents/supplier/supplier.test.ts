import { grant, serve } from '@myrmex/testing/gated-server'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { readHiddenOffer } from '../../market/world/hidden-parameters.ts'
import { toCents } from '../../money.ts'
import { supplier } from './agent.ts'
import { netOfSale } from './offers/sale.ts'

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
  return () => shop.close()
})

/** Through the whole pipeline, trusted and granted. */
async function client() {
  const counted = supplier(async () => shop).tools.map((tool) => ({ tool, ran: [] }))
  const { server, ledger } = await serve(counted)
  for (const each of counted) await grant(ledger, each)
  const connection = await connect(server)
  onTestFinished(() => connection.close())
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  return async (name: string, args: object, options: object = {}): Promise<any> =>
    await connection.call(`supplier.${name}`, args as Record<string, unknown>, options)
}

test('the offers it gives are those that no other beats, with costs that add up', async () => {
  const call = await client()
  const { data } = await call('find_suppliers', { product_id: '123', min_rating: 0 })
  const offers = await shop.suppliers.offers({ product_id: '123' })
  const named = [...data.suppliers, ...data.beaten, ...data.left_out].map(
    (one: { supplier_id: string }) => one.supplier_id,
  )
  expect(named.toSorted()).toEqual(offers.map(({ supplier: { supplier_id } }) => supplier_id).toSorted())
  const net = netOfSale(toCents(data.market_price)) / 100
  for (const one of data.suppliers) {
    const offer = offers.find(({ supplier: { supplier_id } }) => supplier_id === one.supplier_id)
    expect(toCents(one.unit_price)).toBe(offer?.unit)
    expect(one.landed_cost).toBeCloseTo(one.unit_price + one.shipping + one.risk_cost, 1)
    expect(one.margin).toBeCloseTo(net - one.landed_cost, 1)
    expect(one.target_price).toBeLessThan(one.unit_price)
    const better = data.suppliers.filter(
      (other: typeof one) =>
        other !== one &&
        other.landed_cost < one.landed_cost &&
        other.lead_days < one.lead_days &&
        other.reliability > one.reliability,
    )
    expect(better).toEqual([])
  }
})

test('a negotiation ends with a quote between the hidden reserve and the list price, in hand until it is undone', async () => {
  const call = await client()
  const args = { supplier_id: 'sup_99', target_price: 13, product_id: '123', quantity: 10 }
  const ids: string[] = []
  const onCallId = (id: string): void => void ids.push(id)
  const { data, status } = await call('negotiate_price', args, { idempotencyKey: 'one', onCallId })
  expect(status).toBe('success')
  expect(data).toMatchObject({ deal: true, product_name: 'Comfy Chair', opening: 13, list_price: 17.9 })
  const { reserve = 0, ask = 0 } = readHiddenOffer(shop.db, 'sup_99', '123') ?? {}
  expect(toCents(data.unit_price)).toBeGreaterThanOrEqual(reserve)
  expect((ask - toCents(data.unit_price)) / (ask - reserve)).toBeGreaterThan(0.5)
  expect(data.saved_in_all).toBeCloseTo(10 * (17.9 - data.unit_price), 2)
  expect(data.transcript[0]).toBe('We offer 13.00 EUR.')
  const open = await shop.suppliers.quotes({ product_id: '123' })
  expect(open.map(({ quote_id, unit }) => [quote_id, unit])).toEqual([[data.quote_id, toCents(data.unit_price)]])

  const { data: after } = await call('find_suppliers', { product_id: '123' })
  const own = after.suppliers.find((one: { supplier_id: string }) => one.supplier_id === 'sup_99')
  expect(own).toMatchObject({ unit_price: data.unit_price, list_price: 17.9, quote_id: data.quote_id })

  expect((await call('negotiate_price', {}, { idempotencyKey: 'back', undo: ids[0] })).error).toBeNull()
  expect(await shop.suppliers.quotes({})).toEqual([])
})

test('the same key twice is one negotiation', async () => {
  const call = await client()
  const args = { supplier_id: 'sup_99', target_price: 13, product_id: '123' }
  const first = await call('negotiate_price', args, { idempotencyKey: 'same' })
  const dump = shop.dump()
  const second = await call('negotiate_price', args, { idempotencyKey: 'same' })
  expect(second.data).toEqual(first.data)
  expect(shop.dump()).toBe(dump)
  // The shop itself keeps the key too: a run that lost its ledger does not haggle twice.
  const tool = supplier(async () => shop).tools.find(({ name }) => name === 'supplier.negotiate_price')
  const key = String(
    (shop.db.prepare('SELECT key FROM keys ORDER BY length(key) LIMIT 1').get() as { key: string }).key,
  )
  await tool?.run({ ...args, quantity: 1 }, { idempotencyKey: key } as never)
  expect(shop.dump()).toBe(dump)
})

test('no deal is an honest answer with the reasons', async () => {
  shop.db.exec("UPDATE listings SET price = 1300 WHERE product_id = '123'")
  const call = await client()
  const { data, status } = await call('negotiate_price', { supplier_id: 'sup_99', target_price: 4, product_id: '123' })
  expect(status).toBe('success')
  expect(data).toMatchObject({ deal: false, quote_id: null, unit_price: null, saved: 0, expires_on: null })
  expect(data.reasons.join(' ')).toMatch(/No deal: .*nothing is earned at the market price/)
  expect(data.limit).toBeLessThan(13)
  expect(await shop.suppliers.quotes({})).toEqual([])
})

test('a target that a quote in hand has reached needs no talk', async () => {
  const call = await client()
  const { data: first } = await call('negotiate_price', { supplier_id: 'sup_99', target_price: 13, product_id: '123' })
  const dump = shop.dump()
  const { data, status } = await call('negotiate_price', { supplier_id: 'sup_99', target_price: 17, product_id: '123' })
  expect(status).toBe('no_change_needed')
  expect(data).toMatchObject({ deal: true, quote_id: first.quote_id, talks: 0 })
  expect(shop.dump()).toBe(dump)
})

test('a dry run tells what would be asked and says nothing to anybody', async () => {
  const before = shop.dump()
  const tool = supplier(async () => shop).tools.find(({ name }) => name === 'supplier.negotiate_price')
  const input = { supplier_id: 'sup_99', target_price: 15, product_id: '123', quantity: 1 }
  const told = (await tool?.dryRun?.(input, {} as never)) as { data: object; explanation: string }
  expect(told.explanation).toMatch(/Would open at 15 and pay at most 1\d\.\d+, because /)
  expect(told.data).toMatchObject({ deal: false, opening: 15, transcript: [] })
  expect(shop.dump()).toBe(before)
})

test('suppliers and quotes can be listed and read, and the brief has every offer', async () => {
  const made = supplier(async () => shop)
  const server = createServer({
    name: 'test',
    version: '1.0.0',
    tools: [...made.tools],
    resources: [...made.resources],
    prompts: [...made.prompts],
  })
  const connection = await connect(server)
  onTestFinished(() => connection.close())
  const { resources } = (await connection.request('resources/list', {})) as { resources: { uri: string }[] }
  expect(resources.map(({ uri }) => uri)).toContain('shop://suppliers/sup_99')
  const read = (await connection.request('resources/read', { uri: 'shop://suppliers/sup_99' })) as {
    contents: { text: string }[]
  }
  const record = JSON.parse(read.contents[0]?.text ?? '')
  expect(record.offers).toContainEqual(expect.objectContaining({ product_id: '123', unit_price: 17.9 }))
  const { messages } = (await connection.request('prompts/get', {
    name: 'negotiation_brief',
    arguments: { product_id: '123' },
  })) as { messages: { content: { text: string } }[] }
  const offers = await shop.suppliers.offers({ product_id: '123' })
  for (const { supplier: one } of offers)
    expect(messages[0]?.content.text).toContain(`- ${one.supplier_id} "${one.name}"`)
})

test('undoing a call that found its target reached leaves the quote of the call before', async () => {
  const call = await client()
  const args = { supplier_id: 'sup_99', target_price: 13, product_id: '123' }
  const { data: made } = await call('negotiate_price', args, { idempotencyKey: 'first' })
  const reached = { ...args, target_price: made.unit_price }
  const ids: string[] = []
  const onCallId = (id: string): void => void ids.push(id)
  const { data: found } = await call('negotiate_price', reached, { idempotencyKey: 'second', onCallId })
  expect(found).toMatchObject({ quote_id: made.quote_id, talks: 0 })
  await call('negotiate_price', {}, { idempotencyKey: 'back', undo: ids[0] })
  expect(await shop.suppliers.quote(made.quote_id)).toMatchObject({ unit: toCents(made.unit_price) })
})
