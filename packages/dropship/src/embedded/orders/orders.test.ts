/** Orders: placing, fulfilling, refunding; what each refuses, and that it then changed nothing. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { simulateDays } from '../../market/day.ts'
import type { FulfilPlan, NewOrder } from '../../ports.ts'
import type { EmbeddedShop } from '../open.ts'
import { trackingNumber } from './fulfil-order.ts'

const ADDRESS = { name: 'Ida Roth', street: 'Am Markt 1', city: 'Leipzig', postal_code: '04109', country: 'DE' }
const order = (...lines: [string, number][]): NewOrder => ({
  email: 'ida@example.com',
  address: ADDRESS,
  lines: lines.map(([sku, quantity]) => ({ sku, quantity })),
  channel: 'direct',
})
const plan = (order_id: string, more: Partial<FulfilPlan> = {}): FulfilPlan => ({
  order_id,
  address: ADDRESS,
  most: 1_000_000,
  message: { subject: 'On its way', body: 'Your order is on its way.' },
  ...more,
})

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
})
afterEach(() => shop.close())

const product = async (sku: string) => {
  const found = (await shop.storefront.products({ sku }))[0]
  if (found === undefined) throw new Error(`no ${sku}`)
  return found
}
const place = (...lines: [string, number][]) => shop.orders.place(order(...lines), undefined)
const number = (text: string): number => Number((shop.db.prepare(text).get() as { n: number }).n)

/** Another product than the red chair, with nothing on the shelf and so much at its supplier. */
async function bought(stock: number): Promise<string> {
  const other = (await shop.storefront.products({ status: 'active' })).find(({ sku }) => sku !== 'chair-red')
  if (other === undefined) throw new Error('no other product')
  shop.db.prepare('DELETE FROM order_lines WHERE sku = ?').run(other.sku)
  shop.db.prepare('UPDATE products SET on_hand = 0, reserved = 0 WHERE sku = ?').run(other.sku)
  shop.db
    .prepare('UPDATE offers SET stock = ? WHERE product_id = ? AND supplier_id = ?')
    .run(stock, other.product_id, other.supplier_id)
  return other.sku
}

async function refused(work: () => Promise<unknown>, error_type: string): Promise<void> {
  const dump = shop.dump()
  await expect(work()).rejects.toMatchObject({ error_type })
  expect(shop.dump()).toBe(dump)
}

test('the red chair has 50 on hand', async () => {
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50, reserved: 0 })
  expect(await shop.orders.stock('no-such')).toBeUndefined()
})

test('an order is paid, has the prices of today, and reserves what is on hand', async () => {
  const { price, unit, shipping } = await product('chair-red')
  const placed = await place(['chair-red', 2], ['chair-red', 1])
  expect(placed).toMatchObject({ status: 'paid', total: 3 * price, refunded: 0, address: ADDRESS })
  expect(placed.lines).toEqual([{ sku: 'chair-red', title: 'Red Chair', quantity: 3, price }])
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50, reserved: 3 })
  const { fee } = shop.db.prepare('SELECT fee FROM orders WHERE order_id = ?').get(placed.order_id) as { fee: number }
  expect(fee).toBe(Math.round(3 * price * 0.029) + 30)
  const { cost } = shop.db.prepare('SELECT cost FROM order_lines WHERE order_id = ?').get(placed.order_id) as {
    cost: number
  }
  expect(cost).toBe(3 * (unit + shipping))
  expect((await shop.orders.orders({ limit: 1 }))[0]).toEqual(placed)
})

test('more than is on hand can be ordered, but no more than that is reserved', async () => {
  await place(['chair-red', 40])
  await place(['chair-red', 40])
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50, reserved: 50 })
})

test('what cannot be sold is refused', async () => {
  for (const quantity of [0, -1, 1.5, 100, Number.NaN])
    await refused(() => place(['chair-red', quantity]), 'ValidationError')
  await refused(() => place(['chair-red', 60], ['chair-red', 40]), 'ValidationError')
  await refused(() => place(), 'ValidationError')
  await refused(() => place(['chair-red', 1], ['no-such', 1]), 'UnknownSku')
  await refused(() => shop.orders.place({ ...order(['chair-red', 1]), email: ' ' }, undefined), 'ValidationError')
  const nowhere = { ...ADDRESS, country: 'Germany' }
  await refused(() => shop.orders.place({ ...order(['chair-red', 1]), address: nowhere }, undefined), 'ValidationError')
  shop.db.exec(`UPDATE products SET status = 'paused' WHERE sku = 'chair-red'`)
  await refused(() => place(['chair-red', 1]), 'ProductPaused')
})

test('sales pause while refunds of the last 30 days pass what the shop allows, and go on when they do not', async () => {
  const dear = await place(['chair-red', 99])
  await shop.orders.refund(dear.order_id, dear.total, 'all broken', undefined)
  // however dear, one parcel says nothing of the shop
  const placed = await Promise.all(Array.from({ length: 25 }, () => place(['chair-red', 1])))
  for (const { order_id, total } of placed) await shop.orders.refund(order_id, total, 'broken', undefined)
  await refused(() => place(['chair-red', 1]), 'SalesPaused')
  shop.db.exec(`UPDATE meta SET value = '1' WHERE name = 'pause_sales_above'`)
  await expect(place(['chair-red', 1])).resolves.toMatchObject({ status: 'paid' })
})

test('what is on hand is shipped and no longer reserved', async () => {
  const placed = await place(['chair-red', 3])
  expect(await shop.orders.purchasesNeeded(placed.order_id)).toEqual([])
  const moved = { ...ADDRESS, street: 'Lindenweg 9' }
  const done = await shop.orders.fulfil(plan(placed.order_id, { most: 0, address: moved }), 'ship')
  expect(done.order).toMatchObject({ status: 'shipped', address: moved })
  expect(done.purchases).toEqual([])
  expect(done.shipment).toMatchObject({
    tracking: trackingNumber(Number(placed.order_id)),
    shipped_on: placed.placed_on,
  })
  expect(done.shipment.arrives_on > placed.placed_on).toBe(true)
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 47, reserved: 0 })
  expect(number(`SELECT sum(change) AS n FROM stock_moves WHERE why = 'order ${placed.order_id}'`)).toBe(-3)
  expect(number(`SELECT count(*) AS n FROM messages WHERE about = '${placed.order_id}'`)).toBe(1)
})

test('an order is fulfilled once, whatever the key', async () => {
  const placed = await place(['chair-red', 1])
  const first = await shop.orders.fulfil(plan(placed.order_id), 'ship')
  const dump = shop.dump()
  expect(await shop.orders.fulfil(plan(placed.order_id), 'ship')).toEqual(first)
  expect(shop.dump()).toBe(dump)
  await refused(() => shop.orders.fulfil(plan(placed.order_id), 'another'), 'AlreadyFulfilled')
  await refused(() => shop.orders.fulfil(plan(placed.order_id), undefined), 'AlreadyFulfilled')
})

test('what the shelf lacks is bought from the supplier, out of its stock', async () => {
  const sku = await bought(7)
  const placed = await place([sku, 5])
  const [need] = await shop.orders.purchasesNeeded(placed.order_id)
  const { supplier_id, product_id } = await product(sku)
  const offer = (await shop.suppliers.offers({ product_id, supplier_id }))[0]
  const total = 5 * ((offer?.unit ?? 0) + (offer?.shipping ?? 0))
  expect(need).toEqual({ sku, quantity: 5, supplier_id, total, lead_days: offer?.lead_days, in_stock: true })
  await refused(() => shop.orders.fulfil(plan(placed.order_id, { most: total - 1 }), undefined), 'PurchaseTooLarge')
  const done = await shop.orders.fulfil(plan(placed.order_id, { most: total }), undefined)
  expect(done.order.status).toBe('ordered')
  expect(done.purchases).toEqual(await shop.orders.purchases({ order_id: placed.order_id }))
  expect(done.purchases[0]).toMatchObject({ sku, quantity: 5, total, order_id: placed.order_id, status: 'under way' })
  expect(done.shipment.arrives_on).toBe(done.purchases[0]?.arrives_on)
  expect((await shop.suppliers.offers({ product_id, supplier_id }))[0]?.stock).toBe(2)
  // It goes straight to the customer: nothing of it comes to the shelf.
  expect(await shop.orders.stock(sku)).toMatchObject({ on_hand: 0, reserved: 0, incoming: [] })
  expect(number(`SELECT cost AS n FROM order_lines WHERE order_id = ${placed.order_id}`)).toBe(total)
})

test('a product keeps the price it was agreed at, long after its quote has lapsed', async () => {
  const sku = await bought(50)
  const { supplier_id, product_id, unit } = await product(sku)
  shop.db.prepare('UPDATE products SET unit = ? WHERE sku = ?').run(unit - 10, sku)
  const quote = (id: string, price: number, until: string) =>
    shop.db
      .prepare('INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, 0)')
      .run(id, supplier_id, product_id, price, '2026-01-01', until)
  quote('q_9001', unit - 10, '2026-01-22')
  // one that holds, but that no page has taken up
  quote('q_9002', unit - 50, await shop.clock.today())
  const one = await place([sku, 2])
  const { shipping } = await product(sku)
  expect((await shop.orders.purchasesNeeded(one.order_id))[0]?.total).toBe(2 * (unit - 10 + shipping))
  expect((await shop.orders.fulfil(plan(one.order_id), undefined)).purchases[0]).toMatchObject({ unit: unit - 10 })
})

test("the shop's own people pay the same for it as a fulfilment does", async () => {
  const sku = await bought(50)
  const { unit } = await product(sku)
  shop.db.prepare('UPDATE products SET unit = ? WHERE sku = ?').run(unit - 10, sku)
  const placed = await place([sku, 1])
  simulateDays(shop.db, 1, { operate: true })
  expect(await shop.orders.purchases({ order_id: placed.order_id })).toMatchObject([{ unit: unit - 10 }])
})

test('what nobody has is out of stock', async () => {
  const sku = await bought(4)
  const placed = await place([sku, 5])
  expect((await shop.orders.purchasesNeeded(placed.order_id))[0]?.in_stock).toBe(false)
  await refused(() => shop.orders.fulfil(plan(placed.order_id), undefined), 'OutOfStock')
})

test('two products from one offer cannot take more of it than there is', async () => {
  const sku = await bought(6)
  const { product_id, supplier_id } = await product(sku)
  const columns = 'product_id, title, price, supplier_id, unit, shipping, 0, 0, 0, status, created_on'
  shop.db.exec(`INSERT INTO products SELECT 'twin', ${columns} FROM products WHERE sku = '${sku}'`)
  const placed = await place([sku, 4], ['twin', 4])
  await refused(() => shop.orders.fulfil(plan(placed.order_id), undefined), 'OutOfStock')
  expect((await shop.suppliers.offers({ product_id, supplier_id }))[0]?.stock).toBe(6)
})

test('the first order has the first claim on the stock, even if a later one is shipped first', async () => {
  const early = await place(['chair-red', 48])
  const late = await place(['chair-red', 4])
  expect((await shop.orders.purchasesNeeded(late.order_id))[0]?.quantity).toBe(2)
  const done = await shop.orders.fulfil(plan(late.order_id), undefined)
  expect(done.purchases[0]?.quantity).toBe(2)
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 48, reserved: 48 })
  expect(await shop.orders.purchasesNeeded(early.order_id)).toEqual([])
})

test('an order that is unknown or closed is not fulfilled', async () => {
  for (const id of ['999999', 'abc', '', '1e3', '-1']) {
    await refused(() => shop.orders.fulfil(plan(id), undefined), 'UnknownOrder')
    await refused(() => shop.orders.purchasesNeeded(id), 'UnknownOrder')
  }
  const placed = await place(['chair-red', 1])
  await shop.orders.refund(placed.order_id, placed.total, 'changed their mind', undefined)
  await refused(() => shop.orders.fulfil(plan(placed.order_id), undefined), 'OrderClosed')
})

test('a refund is paid once in full, and frees what was reserved', async () => {
  const placed = await place(['chair-red', 2])
  const part = await shop.orders.refund(placed.order_id, 100, 'scratched', 'r1')
  expect(part).toMatchObject({ status: 'paid', refunded: 100 })
  for (const amount of [0, -5, 0.5]) {
    await refused(() => shop.orders.refund(placed.order_id, amount, 'x', undefined), 'ValidationError')
  }
  await refused(() => shop.orders.refund(placed.order_id, placed.total, 'x', undefined), 'RefundTooLarge')
  await refused(() => shop.orders.refund('999999', 1, 'x', undefined), 'UnknownOrder')
  const rest = await shop.orders.refund(placed.order_id, placed.total - 100, 'all of it', 'r2')
  expect(rest).toMatchObject({ status: 'refunded', refunded: placed.total })
  expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50, reserved: 0 })
})

test('orders come newest first, page by page', async () => {
  for (let count = 0; count < 5; count++) await place(['chair-red', 1])
  const all = await shop.orders.orders()
  const ids = all.map(({ order_id }) => Number(order_id))
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
  const first = await shop.orders.orders({ limit: 3 })
  const second = await shop.orders.orders({ limit: 3, after: first.at(-1)?.order_id })
  expect([...first, ...second]).toEqual(all.slice(0, 6))
  expect(await shop.orders.orders({ email: 'ida@example.com', status: 'paid' })).toHaveLength(5)
  expect(await shop.orders.orders({ from: all[0]?.placed_on, email: 'ida@example.com' })).toHaveLength(5)
})

test('a tracking number has the check digit of the postal union', () => {
  // The example of the standard: 47312482, check digit 9.
  expect(trackingNumber(47312482)).toBe('RX473124829DE')
})
