/** Whatever is ordered, shipped and paid back, in whatever order: pieces and money add up. */

import { DatabaseSync } from 'node:sqlite'
import { propertyRuns } from '@myrmex/testing/long'
import { youngShop } from '@myrmex/testing/shop/test-shops'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EmbeddedShop } from './open.ts'

const ADDRESS = { name: 'Ida Roth', street: 'Am Markt 1', city: 'Leipzig', postal_code: '04109', country: 'DE' }
const MESSAGE = { subject: 'On its way', body: 'It is on its way.' }

type Step =
  | { do: 'place'; first: number; second: number }
  | { do: 'fulfil'; which: number; most: number }
  | { do: 'refund'; which: number; share: number }
  | { do: 'again'; which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('place' as const),
    first: fc.integer({ min: 0, max: 9 }),
    second: fc.integer({ min: 0, max: 9 }),
  }),
  fc.record({ do: fc.constant('fulfil' as const), which: fc.nat(20), most: fc.integer({ min: 0, max: 40_000 }) }),
  fc.record({
    do: fc.constant('refund' as const),
    which: fc.nat(20),
    share: fc.double({ min: 0.05, max: 1.1, noNaN: true }),
  }),
  fc.record({ do: fc.constant('again' as const), which: fc.nat(20) }),
)

const SKUS = ['chair-red', 'rare'] as const
const SHELF = 12
const AT_SUPPLIER = 9

/** Two products with little of each; nothing else is open. */
async function scarceShop(): Promise<EmbeddedShop> {
  const shop = await youngShop()
  shop.db.exec(`
    PRAGMA synchronous = OFF;
    UPDATE meta SET value = '1000' WHERE name = 'pause_sales_above';
    UPDATE orders SET status = 'delivered' WHERE status = 'paid';
    DELETE FROM stock_moves;
    INSERT INTO products SELECT 'rare', p.product_id, 'Rare', 990, p.supplier_id, p.unit, p.shipping, 0, 0, 0, 'active', p.created_on
      FROM products p WHERE p.sku <> 'chair-red' ORDER BY p.sku LIMIT 1;
    UPDATE products SET on_hand = ${SHELF}, reserved = 0 WHERE sku IN ('chair-red', 'rare');
    UPDATE offers SET stock = ${AT_SUPPLIER} WHERE (product_id, supplier_id) IN
      (SELECT product_id, supplier_id FROM products WHERE sku IN ('chair-red', 'rare'));`)
  return shop
}

async function take(
  shop: EmbeddedShop,
  watcher: DatabaseSync,
  placed: string[],
  step: Step,
  at: number,
): Promise<void> {
  const order_id = step.do === 'place' ? '' : (placed[step.which % Math.max(1, placed.length)] ?? '1')
  const plan = { order_id, address: ADDRESS, message: MESSAGE }
  const work = {
    place: async () => {
      const { first, second } = step as Step & { do: 'place' }
      const lines = [first, second].map((quantity, line) => ({ sku: SKUS[line] as string, quantity }))
      const wanted = lines.filter(({ quantity }) => quantity > 0)
      const order = { email: 'a@example.com', address: ADDRESS, lines: wanted, channel: 'direct' }
      placed.push((await shop.orders.place(order, `place-${at}`)).order_id)
    },
    fulfil: () => shop.orders.fulfil({ ...plan, most: (step as Step & { do: 'fulfil' }).most }, `fulfil-${at}`),
    again: () => shop.orders.fulfil({ ...plan, most: 1e6 }, `again-${step.do === 'again' ? step.which : 0}`),
    refund: async () => {
      const [order] = await shop.orders.orders({ order_id })
      const amount = Math.round((order?.total ?? 0) * (step as Step & { do: 'refund' }).share)
      return shop.orders.refund(order_id, amount, 'because', `refund-${at}`)
    },
  }
  const before = commits(watcher)
  try {
    await work[step.do]()
  } catch (error) {
    // Refusals are part of the game; what they must not do is change anything.
    expect((error as { error_type?: string }).error_type).toMatch(
      /^(ValidationError|AlreadyFulfilled|OrderClosed|OutOfStock|PurchaseTooLarge|RefundTooLarge|UnknownOrder)$/,
    )
    expect(commits(watcher)).toBe(before)
  }
}

/** Another connection sees this change with every commit that changed anything. */
const commits = (watcher: DatabaseSync): unknown => watcher.prepare('PRAGMA data_version').get()?.data_version

function checkSums(shop: EmbeddedShop): void {
  const number = (text: string, ...values: string[]) =>
    Number((shop.db.prepare(text).get(...values) as { n: number }).n)
  const NEW = `order_id IN (SELECT order_id FROM orders WHERE email = 'a@example.com')`
  for (const sku of SKUS) {
    const on_hand = number('SELECT on_hand AS n FROM products WHERE sku = ?', sku)
    const reserved = number('SELECT reserved AS n FROM products WHERE sku = ?', sku)
    const fromShelf = -number('SELECT coalesce(sum(change), 0) AS n FROM stock_moves WHERE sku = ?', sku)
    const bought = number(`SELECT coalesce(sum(quantity), 0) AS n FROM purchases WHERE sku = ? AND ${NEW}`, sku)
    const sent = number(
      `SELECT coalesce(sum(l.quantity), 0) AS n FROM order_lines l JOIN shipments USING (order_id) WHERE l.sku = ? AND l.${NEW}`,
      sku,
    )
    const open = number(
      `SELECT coalesce(sum(l.quantity), 0) AS n FROM order_lines l JOIN orders o USING (order_id) WHERE o.status = 'paid' AND l.sku = ?`,
      sku,
    )
    expect(on_hand + fromShelf).toBe(SHELF)
    expect(fromShelf + bought).toBe(sent)
    expect(reserved).toBe(Math.min(on_hand, open))
    const left = number(
      'SELECT o.stock AS n FROM offers o JOIN products p USING (product_id, supplier_id) WHERE p.sku = ?',
      sku,
    )
    expect(left + bought).toBe(AT_SUPPLIER)
    expect(left).toBeGreaterThanOrEqual(0)
  }
  expect(number('SELECT count(*) AS n FROM orders WHERE refunded > total')).toBe(0)
  expect(number(`SELECT coalesce(sum(amount), 0) AS n FROM refunds WHERE ${NEW}`)).toBe(
    number(`SELECT coalesce(sum(refunded), 0) AS n FROM orders WHERE ${NEW}`),
  )
  expect(number(`SELECT coalesce(sum(quantity * price), 0) AS n FROM order_lines WHERE ${NEW}`)).toBe(
    number(`SELECT coalesce(sum(total), 0) AS n FROM orders WHERE ${NEW}`),
  )
  const effects = ['orders', 'shipments', 'refunds'].map((table) =>
    number(`SELECT count(*) AS n FROM ${table} WHERE ${NEW}`),
  )
  expect(number('SELECT count(*) AS n FROM keys')).toBe(effects.reduce((sum, count) => sum + count, 0))
}

test('pieces and money add up after any sequence of orders, shipments and refunds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const shop = await scarceShop()
      const watcher = new DatabaseSync(shop.db.location() as string)
      try {
        const placed: string[] = []
        for (const [at, each] of steps.entries()) {
          await take(shop, watcher, placed, each, at)
          checkSums(shop)
        }
      } finally {
        watcher.close()
        await shop.close()
      }
    }),
    { numRuns: propertyRuns(4, 30) },
  )
})
