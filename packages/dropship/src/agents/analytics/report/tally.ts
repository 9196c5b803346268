/**
 * Sums of the books: every figure of a report is one of these or a ratio of two. Ad spend is put to the platform and the product
 * it was spent on, so that channels, products and days each add up to the whole. All in cents.
 */
import type { Day } from '../../../day.ts'
import type { Cents } from '../../../money.ts'
import type { CampaignDay, SalesDay } from '../../../ports.ts'

export interface Tally {
  visits: number
  orders: number
  units: number
  revenue: Cents
  /** goods, shipping and payment fees of what was sold */
  cost: Cents
  /** of the cost, what the payment provider took */
  fees: Cents
  refunds: Cents
  ad_spend: Cents
}

export const emptyTally = (): Tally => ({
  visits: 0,
  orders: 0,
  units: 0,
  revenue: 0,
  cost: 0,
  fees: 0,
  refunds: 0,
  ad_spend: 0,
})

export const profitOf = ({ revenue, cost, refunds, ad_spend }: Tally): Cents => revenue - cost - refunds - ad_spend

/** Nothing out of nothing is nothing: no report holds a figure that is none. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

export interface Tallies {
  readonly total: Tally
  /** false: some sale does not say what of its cost was fees */
  readonly feesKnown: boolean
  readonly byChannel: ReadonlyMap<string, Tally>
  readonly byProduct: ReadonlyMap<string, Tally>
  readonly byDay: ReadonlyMap<Day, Tally>
  /** revenue of a day in a channel */
  readonly byDayAndChannel: readonly { readonly day: Day; readonly channel: string; readonly revenue: Cents }[]
}

export function tally(sales: readonly SalesDay[], ads: readonly CampaignDay[]): Tallies {
  const total = emptyTally()
  const byChannel = new Map<string, Tally>()
  const byProduct = new Map<string, Tally>()
  const byDay = new Map<Day, Tally>()
  const dayChannel = new Map<string, { day: Day; channel: string; revenue: Cents }>()
  for (const row of sales) {
    for (const sum of [total, tallyFor(byChannel, row.channel), tallyFor(byProduct, row.sku), tallyFor(byDay, row.day)])
      add(sum, row)
    const key = `${row.day} ${row.channel}`
    const known = dayChannel.get(key) ?? { day: row.day, channel: row.channel, revenue: 0 }
    known.revenue += row.revenue
    dayChannel.set(key, known)
  }
  for (const { platform, sku, day, spend } of ads) {
    for (const sum of [total, tallyFor(byChannel, platform), tallyFor(byProduct, sku), tallyFor(byDay, day)])
      sum.ad_spend += spend
  }
  const knowsFees = sales.every(({ fees, cost }) => fees !== undefined || cost === 0)
  return { total, feesKnown: knowsFees, byChannel, byProduct, byDay, byDayAndChannel: [...dayChannel.values()] }
}

function tallyFor(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key) ?? emptyTally()
  tallies.set(key, known)
  return known
}

function add(sum: Tally, row: SalesDay): void {
  sum.visits += row.visits
  sum.orders += row.orders
  sum.units += row.units
  sum.revenue += row.revenue
  sum.cost += row.cost
  sum.fees += row.fees ?? 0
  sum.refunds += row.refunds
}
