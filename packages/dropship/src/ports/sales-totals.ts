/** Adds orders, refunds and visits up to sales per day, product and channel, as the books of every shop report them. */
import { cached } from '../cached.ts'
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { SalesDay } from './books.ts'

type Entry = { -readonly [Name in keyof SalesDay]: SalesDay[Name] }

interface SoldLine {
  readonly sku: string
  readonly quantity: number
  readonly price: Cents
  /** of the whole line */
  readonly cost: Cents
  readonly fees?: Cents
  readonly refunds?: Cents
}

export class SalesTotals {
  readonly #entries = new Map<string, Entry>()
  readonly #knowsFees: boolean

  /** A shop that does not know its payment fees reports none instead of 0. */
  constructor({ knowsFees }: { readonly knowsFees: boolean }) {
    this.#knowsFees = knowsFees
  }

  entry(day: Day, sku: string, channel: string): Entry {
    return cached(this.#entries, `${day}\0${sku}\0${channel}`, () => {
      const counts = { visits: 0, orders: 0, units: 0, revenue: 0, cost: 0, refunds: 0 }
      return { day, sku, channel, ...counts, ...(this.#knowsFees && { fees: 0 }) }
    })
  }

  /** An order of several products counts as one order, with its first product. */
  addOrder(day: Day, channel: string, lines: readonly SoldLine[]): void {
    for (const [index, { sku, quantity, price, cost, fees = 0, refunds = 0 }] of lines.entries()) {
      const entry = this.entry(day, sku, channel)
      if (index === 0) entry.orders++
      entry.units += quantity
      entry.revenue += quantity * price
      entry.cost += cost
      entry.refunds += refunds
      if (entry.fees !== undefined) entry.fees += fees
    }
  }

  /** Oldest first; of one product only where a SKU is given. */
  days(sku?: string): SalesDay[] {
    return [...this.#entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => entry)
      .filter((entry) => sku === undefined || entry.sku === sku)
  }
}

/** Splits an amount over lines in proportion to what each sold for. The parts add up to the amount. */
export function splitByValue(
  amount: Cents,
  lines: readonly { readonly quantity: number; readonly price: Cents }[],
): Cents[] {
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  let value = 0
  let assigned = 0
  return lines.map(({ quantity, price }, index) => {
    value += quantity * price
    const until = index === lines.length - 1 ? amount : Math.round((amount * value) / (total || 1))
    const part = until - assigned
    assigned = until
    return part
  })
}
