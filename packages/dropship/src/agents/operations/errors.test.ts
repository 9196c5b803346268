/** Every error that the tools declare, brought about on a real shop that is the same afterwards. */

import { call, grant, serve } from '@myrmex/testing/gated-server'
import { detailFaults } from '@myrmex/testing/shop/described-details'
import { judgedFirst } from '@myrmex/testing/shop/judged-first'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { expect, onTestFinished, test } from 'vitest'
import { operations } from './agent.ts'

interface Case {
  readonly error: string
  readonly tool: 'check_inventory' | 'fulfill_order'
  readonly arguments: Record<string, unknown>
  readonly says: RegExp
  /** done to the shop before */
  readonly before?: string
}

const EMPTY = 'UPDATE products SET on_hand = 0, reserved = 0; '
const ORDER = { order_id: '777' }

const CASES: readonly Case[] = [
  {
    error: 'UnknownSku',
    tool: 'check_inventory',
    arguments: { sku: 'chair-rde' },
    says: /Did you mean chair-red \(Red Chair\)/,
  },
  {
    error: 'UnknownSku',
    tool: 'check_inventory',
    arguments: { sku: "' OR 1=1 --" },
    says: /Unknown SKU or product name/,
  },
  {
    error: 'AmbiguousProduct',
    tool: 'check_inventory',
    arguments: { sku: 'red chairs' },
    says: /Call again with one of these SKUs/,
    before: "UPDATE products SET title = 'Red Chair'",
  },
  { error: 'UnknownOrder', tool: 'fulfill_order', arguments: { order_id: '99999999' }, says: /no order "99999999"/ },
  { error: 'UnknownOrder', tool: 'fulfill_order', arguments: { order_id: "7' OR '1" }, says: /no order/ },
  {
    error: 'AlreadyFulfilled',
    tool: 'fulfill_order',
    arguments: ORDER,
    says: /is already shipped/,
    before: "UPDATE orders SET status = 'shipped' WHERE order_id = 777",
  },
  {
    error: 'OrderClosed',
    tool: 'fulfill_order',
    arguments: ORDER,
    says: /is cancelled, so there is nothing to send/,
    before: "UPDATE orders SET status = 'cancelled' WHERE order_id = 777",
  },
  {
    error: 'OrderClosed',
    tool: 'fulfill_order',
    arguments: ORDER,
    says: /is refunded/,
    before: "UPDATE orders SET status = 'refunded' WHERE order_id = 777",
  },
  {
    error: 'OutOfStock',
    tool: 'fulfill_order',
    arguments: ORDER,
    says: /lacks \d+ units? of .*cannot deliver/,
    before: `${EMPTY}UPDATE offers SET stock = 0`,
  },
  {
    error: 'PurchaseTooLarge',
    tool: 'fulfill_order',
    arguments: { ...ORDER, max_purchase: 1 },
    says: /cost \d+(\.\d+)? EUR, and max_purchase is 1\. If a human allows it/,
    before: `${EMPTY}UPDATE offers SET stock = 1000`,
  },
  {
    error: 'InvalidAddress',
    tool: 'fulfill_order',
    arguments: { ...ORDER, address: '123 Main St, Austria' },
    says: /the city is missing/,
  },
  {
    error: 'InvalidAddress',
    tool: 'fulfill_order',
    arguments: { ...ORDER, address: { street: '<script>1</script>', city: 'Berlin', postal_code: '1', country: 'DE' } },
    says: /characters that are not allowed on a label.*"1" is not a postal code of DE/,
  },
]

test.each(CASES)(
  '$tool answers $error to $arguments, and changes nothing',
  async ({ error, tool: name, arguments: args, says, before }) => {
    const shop = await smallShop()
    onTestFinished(() => shop.close())
    if (before !== undefined) shop.db.exec(before)
    const tools = operations(async () => shop).tools.map((tool) => ({ tool, ran: [] }))
    const { ledger, server } = await serve(tools)
    for (const counted of tools) if (counted.tool.destructive) await grant(ledger, counted)
    const dumped = shop.dump()
    const ended = await call(server, `operations.${name}`, args, { key: 'k1' })
    expect(ended.error).toMatchObject({ error_type: error, error_message: expect.stringMatching(says) })
    expect(detailFaults(operations(async () => shop).tools, ended.error)).toEqual([])
    expect(shop.dump()).toBe(dumped)
  },
)

test.each(CASES)('$tool answers $error to $arguments before a person is asked', async (one) => {
  const shop = await smallShop()
  onTestFinished(() => shop.close())
  if (one.before !== undefined) shop.db.exec(one.before)
  const { tools } = operations(async () => shop)
  expect(await judgedFirst(tools, `operations.${one.tool}`, one.arguments)).toMatchObject({ error_type: one.error })
})

test('every declared error has its case', () => {
  const declared = operations(async () => smallShop()).tools.flatMap(({ errorTypes }) => [...errorTypes])
  expect(new Set(CASES.map(({ error }) => error))).toEqual(new Set(declared))
})
