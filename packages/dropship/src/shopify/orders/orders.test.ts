import { openAdapter, shopifyWithAdapter } from '@myrmex/testing/shopify/open-shopify'
import type { ShopifyServer } from '@myrmex/testing/shopify/shopify-server'
import { onHand } from '@myrmex/testing/shopify/shopify-store'
import { expect, test } from 'vitest'
import type { Address, FulfilPlan, NewOrder } from '../../ports.ts'

const ADDRESS: Address = {
  name: 'Ada Byron',
  street: '123 Main St',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
}
const plan = (order_id: string, address = ADDRESS): FulfilPlan => ({
  order_id,
  address,
  most: 20_000,
  message: { subject: 'On its way', body: '{tracking}' },
})
const NEW: NewOrder = {
  email: 'bob@example.com',
  address: ADDRESS,
  lines: [{ sku: 'chair-red', quantity: 2 }],
  channel: 'tiktok',
}

const stocked = (server: ShopifyServer) => server.store.stocked('Red Chair', 'chair-red', 50)

test('orders come newest first, by number, by status and page by page', async () => {
  const { server, shop } = await shopifyWithAdapter({ restoreRate: 20_000 })
  const chair = stocked(server)
  for (let at = 0; at < 70; at++) server.store.ordered(chair, 1)
  server.store.ordered(chair, 1, { cancelledAt: new Date().toISOString() })
  const all = await shop.orders.orders()
  expect(all.map(({ order_id }) => Number(order_id))).toEqual(Array.from({ length: 71 }, (_, at) => 1071 - at))
  expect(await shop.orders.orders({ status: 'cancelled' })).toMatchObject([{ order_id: '1071', status: 'cancelled' }])
  const page = await shop.orders.orders({ after: '1010', limit: 2 })
  expect(page.map(({ order_id }) => order_id)).toEqual(['1009', '1008'])
  expect(await shop.orders.orders({ order_id: '1042' })).toMatchObject([
    { order_id: '1042', status: 'paid', total: 4990, email: 'ada@example.com', address: ADDRESS, channel: 'organic' },
  ])
  expect(await shop.orders.orders({ order_id: '9999' })).toEqual([])
})

test('an order is fulfilled: shipped once, taken from the shelf, the customer told by Shopify', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = stocked(server)
  const { number } = server.store.ordered(chair, 3)
  const done = await shop.orders.fulfil(plan(String(number)), 'k1')
  expect(done).toMatchObject({ order: { status: 'shipped' }, purchases: [], shipment: { tracking: `#${number}-F1` } })
  expect(onHand(chair)).toBe(47)
  expect(server.store.sent).toEqual([{ to: 'ada@example.com', about: `#${number}-F1` }])
  expect(await shop.orders.fulfil(plan(String(number)), 'k1')).toEqual(done)
  await expect(shop.orders.fulfil(plan(String(number)), 'k2')).rejects.toMatchObject({ error_type: 'AlreadyFulfilled' })
  expect(server.store.sent).toHaveLength(1)
})

test('twenty calls at once from four processes, each with its own key: one parcel, one message', async () => {
  const { server } = await shopifyWithAdapter({ maximum: 2000, restoreRate: 20_000 })
  const { number, fulfillments } = server.store.ordered(stocked(server), 1)
  const shops = await Promise.all([1, 2, 3, 4].map(() => openAdapter(server)))
  const calls = shops.flatMap((shop, at) =>
    [1, 2, 3, 4, 5].map((call) => shop.orders.fulfil(plan(String(number)), `key ${at} ${call}`)),
  )
  const ended = await Promise.allSettled(calls)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(fulfillments).toHaveLength(1)
  expect(server.store.sent).toHaveLength(1)
})

test('an answer that is lost after the parcel was made makes no second one', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { number, fulfillments } = server.store.ordered(stocked(server), 1)
  server.fail('lost', 1, 'Fulfill')
  expect(await shop.orders.fulfil(plan(String(number)), 'k1')).toMatchObject({ order: { status: 'shipped' } })
  expect([fulfillments.length, server.store.sent.length]).toEqual([1, 1])
  expect(server.executed.filter((name) => name === 'Fulfill')).toHaveLength(1)
})

test('a request that is lost before the parcel was made is not sent again by itself; the same key ships it later', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { number, fulfillments } = server.store.ordered(stocked(server), 1)
  server.fail('reset', 1, 'Fulfill')
  await expect(shop.orders.fulfil(plan(String(number)), 'k1')).rejects.toMatchObject({
    error_type: 'UnavailableError',
    error_details: { outcome: 'unknown' },
  })
  expect(fulfillments).toHaveLength(0)
  expect(await (await openAdapter(server)).orders.fulfil(plan(String(number)), 'k1')).toMatchObject({
    order: { status: 'shipped' },
  })
  expect(fulfillments).toHaveLength(1)
})

test('a throttled shipment was not made, so it is sent again', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { number, fulfillments } = server.store.ordered(stocked(server), 1)
  server.fail('throttled', 1, 'Fulfill')
  await shop.orders.fulfil(plan(String(number)), 'k1')
  expect(fulfillments).toHaveLength(1)
})

test('another address is written to the order before it is shipped', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const order = server.store.ordered(stocked(server), 1)
  await shop.orders.fulfil(plan(String(order.number), { ...ADDRESS, street: '9 Side Rd' }), 'k1')
  expect(order.shippingAddress).toMatchObject({ name: 'Ada Byron', address1: '9 Side Rd', zip: '10115' })
})

test.each([
  ['no such order', '9', 'UnknownOrder'],
  ['a cancelled one', '1001', 'OrderClosed'],
  ['one that the shelf lacks', '1002', 'OutOfStock'],
])('%s is not shipped: %s is %s, and nothing changes', async (_name, order_id, error_type) => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = stocked(server)
  server.store.ordered(chair, 1, { cancelledAt: new Date().toISOString() })
  server.store.ordered(chair, 60)
  const before = JSON.stringify(server.store.orders)
  await expect(shop.orders.fulfil(plan(order_id), 'k1')).rejects.toMatchObject({ error_type })
  expect(JSON.stringify(server.store.orders)).toBe(before)
})

test('an order whose money has not come in is not shipped, not listed and not in the books', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = stocked(server)
  const { number, fulfillments } = server.store.ordered(chair, 1, { paid: 0 })
  server.store.ordered(chair, 1, { test: true })
  await expect(shop.orders.fulfil(plan(String(number)), 'k1')).rejects.toMatchObject({
    error_type: 'OrderClosed',
    message: expect.stringContaining('not paid'),
  })
  expect(fulfillments).toEqual([])
  expect(await shop.orders.orders({ status: 'paid' })).toMatchObject([{ order_id: String(number + 1) }])
  // A test order is there to be tried out on, and sold nothing.
  expect(await shop.books.sales({ from: '2020-01-01', to: '2099-12-31' })).toEqual([])
})

test('from two locations go two parcels; one that was left behind follows under the same key', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const [chair, lamp] = [stocked(server), server.store.stocked('Lamp', 'lamp-1', 9)]
  for (const level of lamp.variant.levels) level.location = { id: 'gid://shopify/Location/2', name: 'Harbour' }
  const line = (variant: typeof chair, id: string) => ({
    ...{ id: `gid://shopify/LineItem/${id}`, variant, title: variant.title, quantity: 1, price: 49.9, remaining: 1 },
  })
  const both = () => ({ lines: [line(chair, '1'), line(lamp, '2')], paid: 99.8 })
  const first = server.store.ordered(chair, 0, both())
  expect(await shop.orders.fulfil(plan(String(first.number)), 'k1')).toMatchObject({ order: { status: 'shipped' } })
  expect(first.fulfillments).toHaveLength(2)
  const second = server.store.ordered(chair, 0, both())
  server.fail('lost', 1, 'Fulfill')
  await expect(shop.orders.fulfil(plan(String(second.number)), 'k2')).rejects.toMatchObject({
    error_details: { outcome: 'unknown' },
  })
  expect(second.fulfillments).toHaveLength(1)
  await expect(shop.orders.fulfil(plan(String(second.number)), 'k3')).rejects.toMatchObject({
    error_type: 'AlreadyFulfilled',
  })
  expect(await shop.orders.fulfil(plan(String(second.number)), 'k2')).toMatchObject({ order: { status: 'shipped' } })
  expect(second.fulfillments).toHaveLength(2)
})

test('what Shopify does not count, or was taken out of the order, is not lacking', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = stocked(server)
  const card = server.store.stocked('Gift card', 'card-1', 0)
  card.variant.tracked = false
  const uncounted = server.store.ordered(card, 3)
  expect(await shop.orders.purchasesNeeded(String(uncounted.number))).toEqual([])
  const { number, lines } = server.store.ordered(chair, 60)
  const [line] = lines
  if (line !== undefined) line.removed = 60
  expect(await shop.orders.purchasesNeeded(String(number))).toEqual([])
})

test('a parcel that was called off does not keep an order from being delivered', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const order = server.store.ordered(stocked(server), 1)
  await shop.orders.fulfil(plan(String(order.number)), 'k1')
  const [parcel] = order.fulfillments
  if (parcel === undefined) throw new Error('no parcel')
  order.fulfillments.unshift({ ...parcel, status: 'CANCELLED' })
  parcel.deliveredAt = '2026-11-05T10:00:00Z'
  expect(await shop.orders.orders({ order_id: String(order.number) })).toMatchObject([{ status: 'delivered' }])
})

test('what the shelf lacks for an order is what others do not wait for', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = stocked(server)
  server.store.ordered(chair, 45)
  const { number } = server.store.ordered(chair, 8)
  expect(await shop.orders.purchasesNeeded(String(number))).toMatchObject([
    { sku: 'chair-red', quantity: 3, total: 3600 },
  ])
})

test('a refund is paid once per key, even when its answer is lost, and never more than was paid', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const order = server.store.ordered(stocked(server), 2)
  const id = String(order.number)
  server.fail('lost', 2, 'Refund')
  expect(await shop.orders.refund(id, 1000, 'damaged', 'k1')).toMatchObject({ refunded: 1000, status: 'paid' })
  // Shopify forgets its keys after a day; the note does not.
  server.store.answered.clear()
  expect(await shop.orders.refund(id, 1000, 'damaged', 'k1')).toMatchObject({ refunded: 1000 })
  expect(order.refunds).toHaveLength(1)
  await expect(shop.orders.refund(id, 99_000, 'too much', 'k2')).rejects.toMatchObject({
    error_type: 'ValidationError',
    message: expect.stringContaining('transactions.0.amount'),
  })
  expect(await shop.orders.refund(id, 8980, 'all', 'k3')).toMatchObject({ status: 'refunded' })
})

test('an order is placed once per key, found by its tag when the answer is lost', async () => {
  const { server, shop } = await shopifyWithAdapter()
  stocked(server)
  server.fail('lost', 1, 'CreateOrder')
  const order = await shop.orders.place(NEW, 'k1')
  expect(order).toMatchObject({
    email: 'bob@example.com',
    total: 9980,
    channel: 'tiktok',
    address: ADDRESS,
    status: 'paid',
  })
  expect(await (await openAdapter(server)).orders.place(NEW, 'k1')).toEqual(order)
  expect(server.store.orders).toHaveLength(1)
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50, reserved: 2 })
  const unknown = shop.orders.place({ ...NEW, lines: [{ sku: 'nothing', quantity: 1 }] }, 'k2')
  await expect(unknown).rejects.toMatchObject({ error_type: 'UnknownSku' })
})

test('an order for another sum than was shown is not placed', async () => {
  const { server, shop } = await shopifyWithAdapter()
  stocked(server)
  await expect(shop.orders.place({ ...NEW, total: 9000 }, 'k1')).rejects.toMatchObject({ error_type: 'PriceChanged' })
  expect(server.store.orders).toEqual([])
  expect(await shop.orders.place({ ...NEW, total: 9980 }, 'k1')).toMatchObject({ total: 9980 })
})

test('what was sold at a discount is in the books for what was paid', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const { lines } = server.store.ordered(stocked(server), 2, { createdAt: '2026-10-30T12:00:00.000Z' })
  const [line] = lines
  if (line !== undefined) line.discount = 10
  const sales = await shop.books.sales({ from: '2026-10-30', to: '2026-10-30' })
  expect(sales).toMatchObject([{ units: 2, revenue: 7980 }])
})

test('the books are the orders, day by day', async () => {
  const { server, shop } = await shopifyWithAdapter()
  const chair = server.store.stocked('Stool', 'stool-1', 50)
  const day = (text: string) => ({ createdAt: `${text}T12:00:00.000Z` })
  server.store.ordered(chair, 2, day('2026-10-30'))
  server.store.ordered(chair, 1, day('2026-10-30'))
  server.store.ordered(chair, 1, { ...day('2026-10-31'), sourceName: 'facebook' })
  server.store.ordered(chair, 1, day('2026-11-02'))
  const sales = await shop.books.sales({ from: '2026-10-30', to: '2026-11-01' })
  expect(sales).toMatchObject([
    { day: '2026-10-30', sku: 'stool-1', channel: 'organic', orders: 2, units: 3, revenue: 14_970, cost: 3600 },
    { day: '2026-10-31', channel: 'facebook', units: 1 },
  ])
  expect(await shop.books.firstDay()).toBe('2026-10-30')
})
