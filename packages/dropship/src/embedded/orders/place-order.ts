/** Takes an order: what can be bought, for how much, and how many of it are on the shelf is decided in one transaction. */
import { ToolError } from 'myrmex'
import { paymentFee } from '../../money.ts'
import type { Address, NewOrder, Order, Product } from '../../ports.ts'
import { checkShownTotal } from '../../shown-total.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { nextId } from '../database/next-id.ts'
import type { Store } from '../database/store.ts'
import { requireOrder } from './read-orders.ts'
import { updateReserved } from './reserve-stock.ts'
import { requireSalesOpen } from './sales-pause.ts'

const MOST_PIECES = 99
const MOST_LINES = 50
const LONGEST_TEXT = 200

export function placeOrder(store: Store, order: NewOrder): Order {
  const { kysely } = store
  checkAddress(order.address)
  checkText('email', order.email)
  checkText('channel', order.channel)
  const wanted = quantities(order)
  requireSalesOpen(store)
  const lines = wanted.map(([sku, quantity]) => lineOf(store, sku, quantity))
  const total = lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
  checkShownTotal(order, total)
  const order_id = Number(nextId(store, 'orders'))
  const { email, channel } = order
  const { name, street, city, postal_code, country } = order.address
  const row = { order_id, placed_on: store.today(), email, name, street, city, postal_code, country, total, channel }
  const state = { status: 'paid' as const, fee: paymentFee(total), refunded: 0 }
  store.run(kysely.insertInto('orders').values({ ...row, ...state }))
  for (const [at, line] of lines.entries()) {
    store.run(kysely.insertInto('order_lines').values({ ...line, order_id, line: at + 1 }))
    updateReserved(store, line.sku)
  }
  return requireOrder(store, String(order_id))
}

/** Two lines of one product are one. */
function quantities({ lines }: NewOrder): [string, number][] {
  if (lines.length === 0 || lines.length > MOST_LINES) {
    throw new ToolError('ValidationError', `An order has 1 to ${MOST_LINES} lines, not ${lines.length}.`)
  }
  const wanted = new Map<string, number>()
  for (const { sku, quantity } of lines) {
    checkQuantity(sku, quantity)
    const sum = (wanted.get(sku) ?? 0) + quantity
    checkQuantity(sku, sum)
    wanted.set(sku, sum)
  }
  return [...wanted]
}

function checkQuantity(sku: string, quantity: number): void {
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST_PIECES) return
  throw new ToolError(
    'ValidationError',
    `1 to ${MOST_PIECES} pieces of ${sku} can be ordered at once, not ${quantity}.`,
    {
      sku,
      quantity,
    },
  )
}

function lineOf(store: Store, sku: string, quantity: number) {
  const { title, price, unit, shipping } = requireSellable(store, sku)
  return { sku, title, quantity, price, cost: quantity * (unit + shipping) }
}

function requireSellable(store: Store, sku: string): Product {
  const product = findProduct(store, sku)
  if (product === undefined) {
    throw new ToolError('UnknownSku', `The shop sells nothing under the sku ${JSON.stringify(sku)}.`, { sku })
  }
  if (product.status === 'paused') {
    throw new ToolError('ProductPaused', `${product.title} (${sku}) is not for sale now.`, { sku })
  }
  return product
}

/** What can be written on a parcel. Whether there is such a place is for the caller to find out. */
export function checkAddress({ name, street, city, postal_code, country }: Address): void {
  for (const [field, text] of Object.entries({ name, street, city, postal_code })) checkText(field, text)
  if (/^[A-Z]{2}$/.test(country)) return
  throw new ToolError(
    'ValidationError',
    `The country is two capital letters, such as DE, not ${JSON.stringify(country)}.`,
  )
}

function checkText(field: string, text: string): void {
  if (text.trim() !== '' && text.length <= LONGEST_TEXT) return
  throw new ToolError('ValidationError', `The ${field} has 1 to ${LONGEST_TEXT} characters.`, { field })
}
