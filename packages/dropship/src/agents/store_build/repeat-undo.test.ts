/** Calls that are made again under their key, since they were cut off, and calls that are taken back. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import type { Tool } from 'myrmex'
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import type { Product } from '../../ports.ts'
import { storeBuild } from './agent.ts'

async function builder(): Promise<{ shop: EmbeddedShop; create: Tool; optimise: Tool; chair: Product }> {
  const shop = await smallShop()
  onTestFinished(() => shop.close())
  const [create, optimise] = storeBuild(async () => shop).tools as [Tool, Tool]
  return { shop, create, optimise, chair: await product(shop, 'chair-red') }
}

// biome-ignore lint/suspicious/noExplicitAny: what the tools answer is checked by their schemas
const run = async (tool: Tool, input: object, key: string): Promise<any> =>
  tool.run(input, { idempotencyKey: key } as never)

const undo = async (tool: Tool, input: object, data: object, key: string): Promise<unknown> =>
  tool.undo?.(input, data as never, { idempotencyKey: key } as never)

async function product(shop: EmbeddedShop, sku: string): Promise<Product> {
  const [found] = await shop.storefront.products({ sku })
  if (found === undefined) throw new Error(`no ${sku}`)
  return found
}

/** Bought by a quote of another supplier: every term differs from those the chair is sold on. */
async function doom(shop: EmbeddedShop, { product_id, supplier_id }: Product, price = 432): Promise<object> {
  const offers = await shop.suppliers.offers({ product_id })
  const other = offers.find(({ supplier }) => supplier.supplier_id !== supplier_id)?.supplier.supplier_id
  if (other === undefined) throw new Error('one supplier only')
  shop.db
    .prepare("INSERT OR IGNORE INTO quotes VALUES ('q_900', ?, ?, 777, '2026-10-30', '2099-01-01', 0)")
    .run(other, product_id)
  return { title: 'Chair of Doom', price, images: [], product_id, quote_id: 'q_900' }
}

test('a product that was on sale before is after an undo what it was', async () => {
  const { shop, create, chair } = await builder()
  const input = await doom(shop, chair)
  const { data } = await run(create, input, 'page')
  const now = await product(shop, 'chair-red')
  expect(now).toMatchObject({ title: 'Chair of Doom', price: 43_200, unit: 777, on_hand: chair.on_hand })
  expect(now.supplier_id).not.toBe(chair.supplier_id)
  await undo(create, input, data, 'page/undo')
  expect(await product(shop, 'chair-red')).toEqual(chair)
  const dump = shop.dump()
  await undo(create, input, data, 'page/undo')
  expect(shop.dump()).toBe(dump)
})

test('a product that was paused before is paused again, with its terms', async () => {
  const { shop, create, chair } = await builder()
  const [page] = await shop.storefront.pages({ sku: 'chair-red' })
  await shop.storefront.withdraw(page?.page_id ?? '', {}, undefined)
  const input = await doom(shop, chair)
  const { data } = await run(create, input, 'page')
  expect(data.price_before).toBeNull()
  await undo(create, input, data, 'page/undo')
  expect(await product(shop, 'chair-red')).toEqual({ ...chair, status: 'paused' })
})

test('terms that a newer page agreed on outlive the undo of an older one', async () => {
  const { shop, create, chair } = await builder()
  const first = await doom(shop, chair)
  const { data } = await run(create, first, 'one')
  await run(create, await doom(shop, chair, 456), 'two')
  await undo(create, first, data, 'one/undo')
  expect(await product(shop, 'chair-red')).toMatchObject({ title: 'Chair of Doom', price: 45_600, unit: 777 })
})

test('a page made again under its key is answered as the first time, though its quote has run out since', async () => {
  const { shop, create, chair } = await builder()
  const input = await doom(shop, chair)
  const first = await run(create, input, 'page')
  expect(first.data).toMatchObject({ price_before: chair.price / 100, quote_id: 'q_900' })
  shop.db.exec("UPDATE quotes SET expires_on = '2026-10-31' WHERE quote_id = 'q_900'")
  expect(await run(create, input, 'page')).toEqual(first)
  await undo(create, input, (await run(create, input, 'page')).data, 'page/undo')
  expect(await product(shop, 'chair-red')).toEqual(chair)
})

test('a list price and a quote that nobody named are found again too', async () => {
  const { shop, create, chair } = await builder()
  const { quote_id: _quote, ...input } = (await doom(shop, chair)) as { quote_id: string }
  const quoted = await run(create, input, 'quoted')
  expect(quoted.data.quote_id).toBe('q_900')
  expect(await run(create, input, 'quoted')).toEqual(quoted)
  shop.db.exec("UPDATE quotes SET dropped = 1 WHERE quote_id = 'q_900'")
  const listed = await run(create, input, 'listed')
  expect(listed.data.quote_id).toBeNull()
  expect(await run(create, input, 'listed')).toEqual(listed)
})

test('a page optimised again under its key is answered as the first time, and can be undone from that answer', async () => {
  const { shop, optimise } = await builder()
  const [before] = await shop.storefront.pages({ page_id: 'p_1' })
  const input = { page_id: 'p_1', keywords: ['office', 'chair', 'waterproof throne'], version: before?.version }
  const first = await run(optimise, input, 'tune')
  expect(first.status).toBe('success')
  const dump = shop.dump()
  const again = await run(optimise, input, 'tune')
  expect(again).toEqual(first)
  expect(shop.dump()).toBe(dump)
  const other = run(optimise, { page_id: 'p_2', keywords: ['office', 'chair', 'lamp', 'desk'] }, 'tune')
  await expect(other).rejects.toMatchObject({ error_type: expect.stringMatching(/ValidationError|KeywordUnrelated/) })
  await undo(optimise, input, again.data, 'tune/undo')
  const [after] = await shop.storefront.pages({ page_id: 'p_1' })
  expect({ ...after, version: 0 }).toEqual({ ...before, version: 0 })
})
