/**
 * Sums of the books: every figure of a report is one of these or a ratio of two. Ad spend counts for the platform and the product
 * it was spent on, so that channels, products and days each add up to the whole. All amounts are in cents.
 */
import { cached } from '../../../cached.ts'
import type { Day } from '../../../day.ts'
import type { Cents } from '../../../money.ts'
import type { CampaignDay, SalesDay } from '../../../ports.ts'

const SUMMED = ['visits', 'orders', 'units', 'revenue', 'cost', 'refunds'] as const

/** The cost is that of goods, shipping and payment fees. The fees are the part of it that the payment provider kept. */
export type Tally = Record<(typeof SUMMED)[number] | 'fees' | 'ad_spend', number>

const ZERO: Tally = { visits: 0, orders: 0, units: 0, revenue: 0, cost: 0, fees: 0, refunds: 0, ad_spend: 0 }

export const emptyTally = (): Tally => ({ ...ZERO })

export const profitOf = ({ revenue, cost, refunds, ad_spend }: Tally): Cents => revenue - cost - refunds - ad_spend

export interface Tallies {
  readonly total: Tally
  /** false: some sale does not state which part of its cost was fees */
  readonly feesKnown: boolean
  readonly byChannel: ReadonlyMap<string, Tally>
  readonly byProduct: ReadonlyMap<string, Tally>
  readonly byDay: ReadonlyMap<Day, Tally>
  readonly revenueByDayAndChannel: readonly { readonly day: Day; readonly channel: string; readonly revenue: Cents }[]
}

export function tally(sales: readonly SalesDay[], ads: readonly CampaignDay[]): Tallies {
  const total = emptyTally()
  const byChannel = new Map<string, Tally>()
  const byProduct = new Map<string, Tally>()
  const byDay = new Map<Day, Tally>()
  const dayChannel = new Map<string, { day: Day; channel: string; revenue: Cents }>()
  for (const row of sales) {
    const { day, channel, sku } = row
    for (const one of [total, tallyFor(byChannel, channel), tallyFor(byProduct, sku), tallyFor(byDay, day)])
      add(one, row)
    const key = `${day} ${channel}`
    dayChannel.set(key, { day, channel, revenue: (dayChannel.get(key)?.revenue ?? 0) + row.revenue })
  }
  for (const { platform, sku, day, spend } of ads) {
    for (const one of [total, tallyFor(byChannel, platform), tallyFor(byProduct, sku), tallyFor(byDay, day)])
      one.ad_spend += spend
  }
  const feesKnown = sales.every(({ fees, cost }) => fees !== undefined || cost === 0)
  return { total, feesKnown, byChannel, byProduct, byDay, revenueByDayAndChannel: [...dayChannel.values()] }
}

const tallyFor = (tallies: Map<string, Tally>, key: string): Tally => cached(tallies, key, emptyTally)

function add(to: Tally, row: SalesDay): void {
  for (const name of SUMMED) to[name] += row[name]
  to.fees += row.fees ?? 0
}
