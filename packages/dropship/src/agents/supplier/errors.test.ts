import { grant, serve } from '@myrmex/testing/gated-server'
import { detailFaults } from '@myrmex/testing/shop/described-details'
import { judgedFirst } from '@myrmex/testing/shop/judged-first'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { supplier } from './agent.ts'
import { negotiatePrice } from './negotiate-price.ts'

interface Case {
  readonly error: string
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly says: RegExp
  /** done to the shop before */
  readonly before?: string
}

const TALKED =
  "INSERT INTO talks (supplier_id, product_id, day, said, quote_id) SELECT 'sup_99', '123', value, '[]', NULL FROM meta WHERE name = 'today'"

const CASES: readonly Case[] = [
  { error: 'UnknownProduct', tool: 'find_suppliers', arguments: { product_id: '0' }, says: /no product "0"/ },
  {
    error: 'UnknownProduct',
    tool: 'find_suppliers',
    arguments: { product_id: "' OR 1=1 --" },
    says: /find_winning_products returns known ids/,
  },
  {
    error: 'NoSupplier',
    tool: 'find_suppliers',
    arguments: { product_id: '123', min_rating: 5 },
    says: /at least 5 stars.*Lower min_rating/,
    before: 'UPDATE suppliers SET rating = 4.9',
  },
  {
    error: 'NoSupplier',
    tool: 'find_suppliers',
    arguments: { product_id: '123' },
    says: /nothing in stock/,
    before: 'UPDATE suppliers SET rating = 4.9; UPDATE offers SET stock = 0',
  },
  {
    error: 'UnknownSupplier',
    tool: 'negotiate_price',
    arguments: { supplier_id: 'nobody', target_price: 1 },
    says: /no supplier "nobody"/,
  },
  {
    error: 'NoOffer',
    tool: 'negotiate_price',
    arguments: { supplier_id: 'sup_99', target_price: 1, product_id: 'x' },
    says: /does not offer the product "x"\. It offers .*123.* and others/,
  },
  {
    error: 'NoOffer',
    tool: 'negotiate_price',
    arguments: { supplier_id: 'sup_99', target_price: 1 },
    says: /does not offer any product/,
    before: "DELETE FROM offers WHERE supplier_id = 'sup_99'",
  },
  {
    error: 'AmbiguousProduct',
    tool: 'negotiate_price',
    arguments: { supplier_id: 'sup_99', target_price: 15 },
    says: /sells none of them.*Set product_id to one of them, such as .*123 \(Comfy Chair, 17\.9\)/,
    before: "UPDATE products SET status = 'paused'",
  },
  {
    error: 'TargetTooHigh',
    tool: 'negotiate_price',
    arguments: { supplier_id: 'sup_99', target_price: 17.91, product_id: '123' },
    says: /17.91 is above the published price 17.9 /,
  },
  {
    error: 'TalksClosed',
    tool: 'negotiate_price',
    arguments: { supplier_id: 'sup_99', target_price: 15, product_id: '123' },
    says: /negotiates again from/,
    before: TALKED,
  },
]

async function opened(): Promise<EmbeddedShop> {
  const shop = await smallShop()
  onTestFinished(() => shop.close())
  return shop
}

test.each(CASES)('$tool says $error ($says) and changes nothing', async (one) => {
  const shop = await opened()
  if (one.before !== undefined) shop.db.exec(one.before)
  const before = shop.dump()
  const counted = supplier(async () => shop).tools.map((tool) => ({ tool, ran: [] }))
  const { server, ledger } = await serve(counted)
  for (const each of counted) await grant(ledger, each)
  const connection = await connect(server)
  const { error } = await connection.call(`supplier.${one.tool}`, one.arguments, { idempotencyKey: 'k' })
  await connection.close()
  expect(error).toMatchObject({ error_type: one.error, error_message: expect.stringMatching(one.says) })
  expect(detailFaults(supplier(async () => ({}) as never).tools, error)).toEqual([])
  expect(shop.dump()).toBe(before)
})

test.each(CASES)('$tool says $error ($says) before a person is asked', async (one) => {
  const shop = await opened()
  if (one.before !== undefined) shop.db.exec(one.before)
  const { tools } = supplier(async () => shop)
  expect(await judgedFirst(tools, `supplier.${one.tool}`, one.arguments)).toMatchObject({ error_type: one.error })
})

test('every declared error is provoked above', () => {
  const declared = supplier(async () => ({}) as never).tools.flatMap(({ name, errors }) =>
    Object.keys(errors).map((error) => `${name} ${error}`),
  )
  expect(new Set(CASES.map(({ tool, error }) => `supplier.${tool} ${error}`))).toEqual(new Set(declared))
})

test.each([
  [{ supplier_id: 'sup_99', target_price: 0, product_id: '123' }],
  [{ supplier_id: 'sup_99', target_price: -5, product_id: '123' }],
  [{ supplier_id: 'sup_99', target_price: 'cheap', product_id: '123' }],
  [{ supplier_id: 'x'.repeat(65), target_price: 5 }],
  [{ supplier_id: 'sup_99', target_price: 5, quantity: 0 }],
])('%j does not get past the schema', async (args) => {
  const shop = await opened()
  const before = shop.dump()
  const server = createServer({ name: 'test', version: '1.0.0', tools: [negotiatePrice(async () => shop)] })
  const connection = await connect(server)
  const { error } = await connection.call('supplier.negotiate_price', args)
  await connection.close()
  expect(error?.error_type).toBe('SchemaError')
  expect(shop.dump()).toBe(before)
})
