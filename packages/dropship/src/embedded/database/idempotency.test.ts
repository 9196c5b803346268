/** Effects under keys, through the ports, on a real file. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewOrder } from '../../ports.ts'
import type { EmbeddedShop } from '../open.ts'
import { canonicalText } from './idempotency.ts'

const ADDRESS = { name: 'Ida Roth', street: 'Am Markt 1', city: 'Leipzig', postal_code: '04109', country: 'DE' }
const ORDER: NewOrder = {
  email: 'ida@example.com',
  address: ADDRESS,
  lines: [{ sku: 'chair-red', quantity: 2 }],
  channel: 'direct',
}

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
})
afterEach(() => shop.close())

test('the same key again answers the same and changes nothing', async () => {
  const first = await shop.orders.place(ORDER, 'step-1')
  const dump = shop.dump()
  const revision = shop.revision()
  expect(await shop.orders.place(ORDER, 'step-1')).toStrictEqual(first)
  expect(shop.dump()).toBe(dump)
  expect(shop.revision()).toBe(revision)
})

test('the order of the fields of a request does not matter', async () => {
  const first = await shop.orders.place(ORDER, 'step-1')
  const { email, address, lines, channel } = ORDER
  expect(await shop.orders.place({ channel, lines, address, email }, 'step-1')).toStrictEqual(first)
  expect(canonicalText({ b: [{ d: 1, c: undefined }], a: 'x' })).toBe('{"a":"x","b":[{"d":1}]}')
})

test('the answer under a key stays as it was, whatever became of it since', async () => {
  const placed = await shop.orders.place(ORDER, 'step-1')
  await shop.orders.refund(placed.order_id, placed.total, 'changed their mind', undefined)
  expect(await shop.orders.place(ORDER, 'step-1')).toStrictEqual(placed)
})

test('another request under a used key is refused and changes nothing', async () => {
  await shop.orders.place(ORDER, 'step-1')
  const dump = shop.dump()
  const other = shop.orders.place({ ...ORDER, email: 'eve@example.com' }, 'step-1')
  await expect(other).rejects.toMatchObject({
    error_type: 'ValidationError',
    message: /used for orders.place with another/,
  })
  const method = shop.orders.refund('1', 100, 'no', 'step-1')
  await expect(method).rejects.toMatchObject({ error_type: 'ValidationError', message: /was used for orders.place\./ })
  expect(shop.dump()).toBe(dump)
})

test('a refused effect leaves its key free', async () => {
  const wrong = { ...ORDER, lines: [{ sku: 'no-such', quantity: 1 }] }
  const dump = shop.dump()
  await expect(shop.orders.place(wrong, 'step-1')).rejects.toMatchObject({ error_type: 'UnknownSku' })
  expect(shop.dump()).toBe(dump)
  await expect(shop.orders.place(ORDER, 'step-1')).resolves.toMatchObject({ status: 'paid' })
})

test('without a key the same request is another order', async () => {
  const one = await shop.orders.place(ORDER, undefined)
  const two = await shop.orders.place(ORDER, undefined)
  expect(Number(two.order_id)).toBe(Number(one.order_id) + 1)
})

test('twenty at once under one key are one order, and twenty keys are twenty', async () => {
  const same = await Promise.all(Array.from({ length: 20 }, () => shop.orders.place(ORDER, 'step-1')))
  expect(new Set(same.map(({ order_id }) => order_id)).size).toBe(1)
  const many = await Promise.all(Array.from({ length: 20 }, (_, at) => shop.orders.place(ORDER, `step-2-${at}`)))
  expect(new Set(many.map(({ order_id }) => order_id)).size).toBe(20)
})

test('an empty key and one without end are refused', async () => {
  await expect(shop.orders.place(ORDER, '')).rejects.toMatchObject({ error_type: 'ValidationError' })
  await expect(shop.orders.place(ORDER, 'k'.repeat(513))).rejects.toMatchObject({ error_type: 'ValidationError' })
})

test('an effect that answers nothing can be repeated too', async () => {
  const page = (await shop.storefront.pages({ sku: 'chair-red' }))[0]
  const id = page?.page_id ?? ''
  await shop.storefront.withdraw(id, {}, 'undo-1')
  const dump = shop.dump()
  await shop.storefront.withdraw(id, {}, 'undo-1')
  expect(shop.dump()).toBe(dump)
})
