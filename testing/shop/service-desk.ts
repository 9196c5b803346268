/** A shop with orders and tickets of one's choice on the desk, for tests of customer service. */
import { onTestFinished } from 'vitest'
import { addDays, type Day } from '../../packages/dropship/src/day.ts'
import type { EmbeddedShop } from '../../packages/dropship/src/embedded/open.ts'
import type { OrderStatus } from '../../packages/dropship/src/ports.ts'
import { smallShop } from './test-shops.ts'

export interface NewDeskOrder {
  readonly status: OrderStatus
  readonly email?: string
  readonly name?: string
  /** days before today */
  readonly placed?: number
  readonly shipped?: number
  readonly due?: number
  readonly delivered?: number
  readonly refunded?: number
  readonly lines?: readonly { readonly title: string; readonly price: number; readonly quantity?: number }[]
}

export interface ServiceDesk {
  readonly shop: EmbeddedShop
  readonly today: Day
  /** gives the order's id */
  order(order: NewDeskOrder): string
  /** gives the ticket's id */
  ticket(body: string, more?: { subject?: string; email?: string; order_id?: string }): string
}

export const CUSTOMER = 'desk@example.com'

export async function serviceDesk(): Promise<ServiceDesk> {
  const shop = await smallShop()
  onTestFinished(() => shop.close())
  // The file is removed with the test: no need to wait for the disk.
  shop.db.exec('PRAGMA synchronous = OFF')
  const today = await shop.clock.today()
  let orders = 900_000
  let tickets = 900_000
  const put = (table: string, ...row: (string | number | null)[]): void =>
    void shop.db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`).run(...row)
  return {
    shop,
    today,
    order(order) {
      const { status, email = CUSTOMER, name = 'Mira Holm', placed = 10, shipped, due, delivered, refunded = 0 } = order
      const { lines = [{ title: 'Walnut Tray', price: 3490 }] } = order
      const id = ++orders
      const ago = (days: number): Day => addDays(today, -days)
      const total = lines.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0)
      const address = [name, 'Lindenweg 3', 'Berlin', '10115', 'DE']
      put('orders', id, ago(placed), status, email, ...address, total, 'organic', 131, refunded)
      for (const [at, { title, price, quantity = 1 }] of lines.entries())
        put('order_lines', id, at + 1, `sku-${at + 1}`, title, quantity, price, 900)
      if (shipped !== undefined) {
        const there = delivered === undefined ? null : ago(delivered)
        put('shipments', id, 'EuroPost', `RX${id}`, ago(shipped), ago(due ?? delivered ?? 0), there)
      }
      return String(id)
    },
    ticket(body, { subject = 'Hello', email = CUSTOMER, order_id } = {}) {
      const id = `t_${++tickets}`
      put('tickets', id, today, email, order_id === undefined ? null : Number(order_id), subject, body, 'open')
      return id
    },
  }
}
