/** Places an order: whether its products are for sale, its total and its share of the stock are decided in one transaction. */
import { ToolError } from 'myrmex'
import { REFUND_WINDOW_DAYS, refundRate } from '../../market/after-sales/refund-rate.ts'
import { updateReserved, writeOrder } from '../../market/sales/place-orders.ts'
import { nextNumber } from '../../market/statements.ts'
import { checkShownTotal, productPaused, unknownSku } from '../../ports/shop-errors.ts'
import type { Address, NewOrder, Order } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import type { Store } from '../database/store.ts'
import { requireOrder } from './read-orders.ts'

const MAX_PIECES = 99
const MAX_LINES = 50
const MAX_TEXT_LENGTH = 200

export function placeOrder(store: Store, order: NewOrder): Order {
  const { email, channel, address } = order
  checkAddress(address)
  checkText('email', email)
  checkText('channel', channel)
  const quantities = quantitiesBySku(order)
  requireSalesOpen(store)
  const lines = quantities.map(([sku, quantity]) => priceLine(store, sku, quantity))
  const total = lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
  checkShownTotal(order, total)
  const order_id = nextNumber(store.db, 'orders')
  writeOrder(store.db, { order_id, today: store.today(), email, address, channel, total }, lines)
  for (const { sku } of lines) updateReserved(store.db, sku)
  return requireOrder(store, String(order_id))
}

/** Sales pause while too large a share of the recent sales was refunded. */
function requireSalesOpen(store: Store): void {
  const { rate, limit, paused } = refundRate(store.db, store.today())
  if (!paused) return
  throw new ToolError(
    'SalesPaused',
    `Sales are paused: ${(rate * 100).toFixed(1)} % of the sales of the last ${REFUND_WINDOW_DAYS} days were refunded, and the limit is ${limit * 100} %.`,
    { refund_rate: rate, limit },
  )
}

/** Several lines of one product become one. */
function quantitiesBySku({ lines }: NewOrder): [string, number][] {
  if (lines.length === 0 || lines.length > MAX_LINES) {
    throw new ToolError('ValidationError', `An order has 1 to ${MAX_LINES} lines, not ${lines.length}.`)
  }
  const quantities = new Map<string, number>()
  for (const { sku, quantity } of lines) {
    checkQuantity(sku, quantity)
    const sum = (quantities.get(sku) ?? 0) + quantity
    checkQuantity(sku, sum)
    quantities.set(sku, sum)
  }
  return [...quantities]
}

function checkQuantity(sku: string, quantity: number): void {
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_PIECES) return
  const message = `An order can have 1 to ${MAX_PIECES} units of ${sku}, not ${quantity}.`
  throw new ToolError('ValidationError', message, { sku, quantity })
}

function priceLine(store: Store, sku: string, quantity: number) {
  const product = findProduct(store, sku)
  if (product === undefined) throw unknownSku(sku)
  const { title, price, unit, shipping, status } = product
  if (status === 'paused') throw productPaused(title, sku)
  return { sku, title, quantity, price, cost: quantity * (unit + shipping) }
}

/** Checks that the address can be printed on a parcel. Whether the place exists is for the caller to check. */
export function checkAddress({ name, street, city, postal_code, country }: Address): void {
  for (const [field, text] of Object.entries({ name, street, city, postal_code })) checkText(field, text)
  if (/^[A-Z]{2}$/.test(country)) return
  throw new ToolError(
    'ValidationError',
    `The country must be two capital letters, such as DE, not ${JSON.stringify(country)}.`,
  )
}

function checkText(field: string, text: string): void {
  if (text.trim() !== '' && text.length <= MAX_TEXT_LENGTH) return
  throw new ToolError('ValidationError', `The ${field} must have 1 to ${MAX_TEXT_LENGTH} characters.`, { field })
}
