import { call, grant, serve } from '@myrmex/testing/gated-server'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { createServer, listenHttp, ToolError } from 'myrmex'
import { connect } from 'myrmex/client'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addDays } from '../../day.ts'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { operations } from './agent.ts'
import { fulfillOrder } from './fulfill-order.ts'
import { orderRecords, productRecords, purchaseRecords } from './resources.ts'

let shop: EmbeddedShop
beforeEach(async () => {
  shop = await smallShop()
  onTestFinished(() => shop.close())
})

const rows = (sql: string, ...values: string[]) => shop.db.prepare(sql).all(...values) as Record<string, unknown>[]
const server = () => createServer({ name: 'operations', version: '1.0.0', tools: operations(async () => shop).tools })

describe('check_inventory', () => {
  const check = async (sku: string) => {
    const { data, error, explanation } = await call(server(), 'operations.check_inventory', { sku })
    return { data: data as Record<string, never>, error, explanation }
  }

  test('says how many red chairs there are, by sku and by name, in one or many', async () => {
    const { data, explanation } = await check('chair-red')
    expect(data).toMatchObject({ sku: 'chair-red', product_name: 'Red Chair', on_hand: 50, reserved: 0, available: 50 })
    expect(explanation).toMatch(/^We have 50 Red Chairs in stock\. /)
    for (const name of ['Red Chair', 'red chairs', ' RED  CHAIRS ', 'Chair-Red'])
      expect((await check(name)).data).toEqual(data)
  })

  test('its figures are those of the books and of the supplier', async () => {
    const [product] = rows(
      'SELECT l.sku, sum(l.quantity) AS sold FROM order_lines l JOIN orders USING (order_id) WHERE placed_on >= ? GROUP BY l.sku ORDER BY sold DESC',
      addDays('2026-11-01', -28),
    ) as { sku: string; sold: number }[]
    const { sku = '', sold = 0 } = product ?? {}
    const perDay = new Map(
      rows(
        'SELECT placed_on AS day, sum(quantity) AS units FROM order_lines JOIN orders USING (order_id) WHERE sku = ? GROUP BY placed_on',
        sku,
      ).map(({ day, units }) => [day as string, units as number]),
    )
    const daily = Array.from({ length: 28 }, (_, at) => perDay.get(addDays('2026-11-01', at - 28)) ?? 0)
    const mean = daily.reduce((sum, one) => sum + one, 0) / 28
    const sample = Math.sqrt(daily.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 27)
    const sigma = Math.max(sample, Math.sqrt(mean))
    const [offer] = rows(
      'SELECT o.lead_days FROM offers o JOIN products p ON p.product_id = o.product_id AND p.supplier_id = o.supplier_id WHERE p.sku = ?',
      sku,
    ) as { lead_days: number }[]
    const lead = offer?.lead_days ?? 0
    const { data } = await check(sku)
    expect(data).toMatchObject({
      sales: { days: 28, units: sold, per_day: Math.round(mean * 100) / 100 },
      lead_days: lead,
      reorder_point: Math.ceil(mean * lead + 1.645 * sigma * Math.sqrt(lead)),
    })
    expect(sold).toBeGreaterThan(0)
  })

  test('what was bought for the shelf is shown with its day', async () => {
    shop.db.exec(
      "INSERT INTO purchases VALUES ('po_9999', 'sup_99', 'chair-red', 20, 1000, 100, 22000, '2026-10-30', '2026-11-09', NULL, 'under way')",
    )
    const { data, explanation } = await check('chair-red')
    expect(data.incoming).toEqual([{ quantity: 20, arrives_on: '2026-11-09' }])
    expect(explanation).toContain('20 arrive on 2026-11-09.')
  })
})

describe('fulfill_order', () => {
  const effects = () => ({
    purchases: rows("SELECT purchase_id FROM purchases WHERE order_id = '777'").length,
    shipments: rows("SELECT tracking FROM shipments WHERE order_id = '777'").length,
    messages: rows("SELECT body FROM messages WHERE about = '777'").length,
  })

  /** Nothing on the shelf for it: it has to be bought. */
  const emptyShelf = () =>
    shop.db.exec(
      'UPDATE products SET on_hand = 0, reserved = 0 WHERE sku IN (SELECT sku FROM order_lines WHERE order_id = 777); UPDATE offers SET stock = 1000',
    )

  test('takes it from the shelf, ships it and tells the customer what, with whom and for when', async () => {
    shop.db.exec('UPDATE products SET on_hand = 99 WHERE sku IN (SELECT sku FROM order_lines WHERE order_id = 777)')
    const counted = { tool: fulfillOrder(async () => shop), ran: [] }
    const { ledger, server: gated } = await serve([counted])
    await grant(ledger, counted)
    const before = await shop.orders.orders({ order_id: '777' })
    const { data, error, explanation } = await call(
      gated,
      'operations.fulfill_order',
      { order_id: 'o_777' },
      { key: 'k1' },
    )
    expect(error).toBeNull()
    const [order] = await shop.orders.orders({ order_id: '777' })
    expect(order?.status).toBe('shipped')
    expect(data).toMatchObject({ done: true, spent: 0, purchases: [], address: before[0]?.address })
    const { tracking = '', arrives_on = '', carrier = '' } = order?.shipment ?? {}
    const [message] = rows("SELECT * FROM messages WHERE about = '777'") as { email: string; body: string }[]
    expect(message?.email).toBe(order?.email)
    for (const fact of [tracking, arrives_on, carrier, `${order?.lines[0]?.quantity} × ${order?.lines[0]?.title}`]) {
      expect(message?.body).toContain(fact)
      expect(explanation).toContain(fact)
    }
    expect(message?.body).not.toMatch(/[{}]/)
    expect(await call(gated, 'operations.fulfill_order', { order_id: 'o_777' }, { key: 'k1' })).toMatchObject({ data })
    expect(effects()).toEqual({ purchases: 0, shipments: 1, messages: 1 })
  })

  test('a dry run says what would be bought and shipped, and changes nothing', async () => {
    emptyShelf()
    const before = shop.dump()
    const tool = fulfillOrder(async () => shop)
    const needs = await shop.orders.purchasesNeeded('777')
    const shown = await tool.dryRun?.({ order_id: '777', max_purchase: 200 }, {} as never)
    const { data } = shown as { data: object }
    expect(data).toMatchObject({
      done: false,
      shipment: null,
      purchases: [{ purchase_id: null, quantity: needs[0]?.quantity, total: (needs[0]?.total ?? 0) / 100 }],
    })
    expect(JSON.stringify(data)).not.toMatch(/\{(carrier|tracking)/)
    expect(shop.dump()).toBe(before)
  })

  test('the same key is one purchase, one parcel and one message, and the same answer', async () => {
    emptyShelf()
    const tool = fulfillOrder(async () => shop)
    const run = () => tool.run({ order_id: '777', max_purchase: 200 }, { idempotencyKey: 'k1' } as never)
    const first = await run()
    expect(await run()).toEqual(first)
    expect(effects()).toEqual({ purchases: 1, shipments: 1, messages: 1 })
  })

  test('twenty calls at once, each with its own key or none: one of each, the others hear AlreadyFulfilled', async () => {
    emptyShelf()
    const tool = fulfillOrder(async () => shop)
    const ended = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, at) =>
        tool.run({ order_id: at % 2 === 0 ? '777' : 'o_777', max_purchase: 200 }, {
          idempotencyKey: at < 15 ? `k${at}` : undefined,
        } as never),
      ),
    )
    const refused = ended.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(refused).toHaveLength(19)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(ToolError)
      expect(reason).toMatchObject({ error_type: 'AlreadyFulfilled' })
    }
    expect(effects()).toEqual({ purchases: 1, shipments: 1, messages: 1 })
  })

  test('goes to the given address, as a line or as parts, and the order keeps that address', async () => {
    const tool = fulfillOrder(async () => shop)
    const address = 'Ada Byron, 12 Rue de Rivoli, 75001 Paris, France'
    await tool.run({ order_id: '777', address, max_purchase: 200 }, {} as never)
    expect(await shop.orders.orders({ order_id: '777' })).toMatchObject([
      {
        address: { name: 'Ada Byron', street: '12 Rue de Rivoli', city: 'Paris', postal_code: '75001', country: 'FR' },
      },
    ])
  })
})

describe('the records', () => {
  test('orders, products and purchases are resources, in amounts', async () => {
    const [order] = await shop.orders.orders({ limit: 1 })
    const read = async (made: typeof orderRecords, noun: string, id: string) =>
      JSON.parse((await made(async () => shop).read(`shop://${noun}/${id}`, { id }, {} as never)) as string)
    expect(await read(orderRecords, 'orders', order?.order_id ?? '')).toMatchObject({
      total: (order?.total ?? 0) / 100,
    })
    expect(await read(productRecords, 'products', 'chair-red')).toMatchObject({ title: 'Red Chair', on_hand: 50 })
    const [purchase] = await shop.orders.purchases({ limit: 1 })
    expect(await read(purchaseRecords, 'purchases', purchase?.purchase_id ?? '')).toMatchObject({ sku: purchase?.sku })
  })

  test('over the wire they are listed and read, and the prompt of the morning brings what waits', async () => {
    const agent = operations(async () => shop)
    const { tools, resources, prompts } = agent
    const listening = await listenHttp(
      createServer({ name: 'operations', version: '1.0.0', tools, resources, prompts }),
      { port: 0 },
    )
    const connection = await connect({ url: listening.url })
    onTestFinished(async () => {
      await connection.close()
      await listening.close()
    })
    const { contents } = await connection.client.readResource({ uri: 'shop://orders/777' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ order_id: '777', status: 'paid' })
    const { messages } = await connection.client.getPrompt({ name: 'morning_orders' })
    const text = JSON.stringify(messages)
    const open = await shop.orders.orders({ status: 'paid' })
    expect(text).toContain(`Orders to ship: ${open.length}`)
    for (const { order_id, placed_on } of open) expect(text).toContain(`- ${order_id} of ${placed_on}`)
  })
})
