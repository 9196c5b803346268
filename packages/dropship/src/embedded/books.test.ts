/** The books against sums made in another way: by SQL over the raw tables. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays } from '../day.ts'
import { splitByValue } from '../ports/sales-totals.ts'
import type { SalesDay } from '../ports.ts'
import type { EmbeddedShop } from './open.ts'

const ADDRESS = { name: 'Ida Roth', street: 'Am Markt 1', city: 'Leipzig', postal_code: '04109', country: 'DE' }

let shop: EmbeddedShop
let today: string
beforeEach(async () => {
  shop = await smallShop()
  today = await shop.clock.today()
})
afterEach(() => shop.close())

const place = (...lines: [string, number][]) =>
  shop.orders.place(
    {
      email: 'a@example.com',
      address: ADDRESS,
      lines: lines.map(([sku, quantity]) => ({ sku, quantity })),
      channel: 'direct',
    },
    undefined,
  )
const total = (days: readonly SalesDay[], name: 'visits' | 'units' | 'revenue' | 'cost' | 'refunds' | 'orders') =>
  days.reduce((sum, day) => sum + day[name], 0)
const number = (text: string): number => Number((shop.db.prepare(text).get() as { n: number }).n)

test('all days together are what the tables hold', async () => {
  await place(['chair-red', 1])
  const days = await shop.books.sales({ from: await shop.books.firstDay(), to: today })
  expect(total(days, 'visits')).toBe(number('SELECT sum(visits) AS n FROM visits'))
  expect(total(days, 'orders')).toBe(number('SELECT count(*) AS n FROM orders'))
  expect(total(days, 'units')).toBe(number('SELECT sum(quantity) AS n FROM order_lines'))
  expect(total(days, 'revenue')).toBe(number('SELECT sum(total) AS n FROM orders'))
  expect(total(days, 'refunds')).toBe(number('SELECT coalesce(sum(amount), 0) AS n FROM refunds'))
  const goods = number(`SELECT sum(cost) AS n FROM order_lines WHERE order_id NOT IN (
    SELECT o.order_id FROM orders o LEFT JOIN shipments s USING (order_id)
    WHERE s.order_id IS NULL AND o.status IN ('cancelled', 'refunded'))`)
  expect(total(days, 'cost')).toBe(goods + number('SELECT sum(fee) AS n FROM orders'))
  expect(days).toEqual(
    [...days].sort((a, b) => (`${a.day} ${a.sku} ${a.channel}` < `${b.day} ${b.sku} ${b.channel}` ? -1 : 1)),
  )
})

test('an order of two products counts once; fee and refund are shared by what each sold for', async () => {
  const products = await shop.storefront.products({ status: 'active' })
  const other = products.find(({ sku }) => sku !== 'chair-red')
  const red = products.find(({ sku }) => sku === 'chair-red')
  if (other === undefined || red === undefined) throw new Error('no products')
  const order = await place(['chair-red', 2], [other.sku, 1])
  await shop.orders.refund(order.order_id, 1001, 'scratched', undefined)
  const days = (await shop.books.sales({ from: today, to: today })).filter(({ channel }) => channel === 'direct')
  expect(total(days, 'orders')).toBe(1)
  expect(total(days, 'revenue')).toBe(order.total)
  expect(total(days, 'refunds')).toBe(1001)
  const part = days.find(({ sku }) => sku === 'chair-red')
  const share = (2 * red.price) / order.total
  expect(part?.refunds).toBe(Math.round(1001 * share))
  const fee = Math.round(order.total * 0.029) + 30
  expect(part?.cost).toBe(2 * (red.unit + red.shipping) + Math.round(fee * share))
  const alone = await shop.books.sales({ from: today, to: today, sku: 'chair-red' })
  expect(alone.filter(({ channel }) => channel === 'direct')).toEqual([part])
})

test('an order called off before it was sent cost its fee and nothing else', async () => {
  const order = await place(['chair-red', 1])
  await shop.orders.refund(order.order_id, order.total, 'changed their mind', undefined)
  const [day] = (await shop.books.sales({ from: today, to: today })).filter(({ channel }) => channel === 'direct')
  expect(day).toMatchObject({ revenue: order.total, refunds: order.total, cost: Math.round(order.total * 0.029) + 30 })
})

test('days outside the range are left out, and the books begin with the first visit', async () => {
  const since = await shop.books.firstDay()
  expect(since < today).toBe(true)
  expect(await shop.books.sales({ from: '2000-01-01', to: addDays(since, -1) })).toEqual([])
  const one = await shop.books.sales({ from: since, to: since })
  expect(new Set(one.map(({ day }) => day))).toEqual(new Set([since]))
})

test('the parts of a split amount add up to it, even where nothing was paid', () => {
  expect(
    splitByValue(10, [
      { quantity: 1, price: 1 },
      { quantity: 1, price: 1 },
      { quantity: 1, price: 1 },
    ]),
  ).toEqual([3, 4, 3])
  expect(
    splitByValue(10, [
      { quantity: 1, price: 0 },
      { quantity: 1, price: 0 },
    ]),
  ).toEqual([0, 10])
  expect(splitByValue(0, [{ quantity: 1, price: 5 }])).toEqual([0])
})
