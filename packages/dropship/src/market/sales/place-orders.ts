/** Orders of simulated shoppers, written as any order is: lines with their cost, the payment fee, the customer's address. */
import { paymentFee } from '../../money.ts'
import { dayNumber } from '../calendar.ts'
import type { Market } from '../market.ts'
import { diceFor, hashText } from '../random.ts'
import { nextNumber, run } from '../statements.ts'
import { drawCustomer } from './customers.ts'
import type { ProductOnSale } from './shelf.ts'

export interface PlacedOrders {
  readonly units: number
  readonly revenue: number
  readonly cost: number
}

const quantityOf = (die: number): number => (die < 0.92 ? 1 : die < 0.99 ? 2 : 3)

/** `source` tells apart those who come by the same channel on the same day to the same product: a campaign, or nothing. */
export const placeOrders = (
  market: Market,
  today: string,
  product: Pick<ProductOnSale, 'sku' | 'title' | 'price' | 'unit' | 'shipping'>,
  channel: string,
  count: number,
  source: string,
): PlacedOrders => {
  const sum = { units: 0, revenue: 0, cost: 0 }
  const day = dayNumber(today)
  for (let at = 0; at < count; at++) {
    const dice = diceFor(market.seed, day, hashText(`${product.sku} ${channel} ${source} ${at}`), 'customer')
    const { email, address } = drawCustomer(dice)
    const quantity = quantityOf(dice())
    const total = quantity * product.price
    const cost = quantity * (product.unit + product.shipping)
    const order_id = nextNumber(market.db, 'orders')
    writeOrder(market, { order_id, today, email, address, channel, total }, { ...product, quantity, cost })
    sum.units += quantity
    sum.revenue += total
    sum.cost += cost + paymentFee(total)
  }
  return sum
}

interface OrderHead {
  readonly order_id: number
  readonly today: string
  readonly email: string
  readonly address: ReturnType<typeof drawCustomer>['address']
  readonly channel: string
  readonly total: number
}

interface OrderedLine {
  readonly sku: string
  readonly title: string
  readonly price: number
  readonly quantity: number
  readonly cost: number
}

export const writeOrder = (market: Market, head: OrderHead, line: OrderedLine): void => {
  const { order_id, today, email, address, channel, total } = head
  const { name, street, city, postal_code, country } = address
  run(
    market.db,
    "INSERT INTO orders VALUES (?, ?, 'paid', ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
    order_id,
    today,
    email,
    name,
    street,
    city,
    postal_code,
    country,
    total,
    channel,
    paymentFee(total),
  )
  run(
    market.db,
    'INSERT INTO order_lines VALUES (?, 1, ?, ?, ?, ?, ?)',
    order_id,
    line.sku,
    line.title,
    line.quantity,
    line.price,
    line.cost,
  )
}
