/**
 * How good forecasts of the shop are: over many seeds, forecast the next days of pieces and revenue from the history of a new
 * world, let the market live them, compare. MASE is against "as a week ago" within the history; below 1 is better. Coverage is
 * the share of days that fell into their 80 % interval. `node bench/shop/forecast.ts [seeds] [horizon]` prints the table.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, daysBetween } from '../../packages/dropship/src/day.ts'
import { createShop } from '../../packages/dropship/src/embedded/create.ts'
import { openShop } from '../../packages/dropship/src/embedded/open.ts'
import { maseScale } from '../../packages/dropship/src/forecast/backtest.ts'
import { closedDays } from '../../packages/dropship/src/forecast/closed-days.ts'
import { forecast } from '../../packages/dropship/src/forecast/index.ts'
import { simulateDays } from '../../packages/dropship/src/market/day.ts'
import type { SalesDay } from '../../packages/dropship/src/ports.ts'

export interface ForecastAccuracy {
  readonly seed: number
  /** mean of the shop's pieces and the shop's revenue */
  readonly mase: number
  /** the same of "as a week ago", on the same days */
  readonly naive: number
  readonly coverage: number
  /** of two sums, pieces and revenue, how many fell into their interval */
  readonly sums: number
  readonly products: { readonly mase: number; readonly coverage: number; readonly sums: number; readonly count: number }
}

export interface ForecastBench {
  readonly seeds: number
  readonly horizon: number
  /** the first of them; default: 1 */
  readonly first?: number
  /** of each shop, the products that sold most */
  readonly products?: number
}

interface Judged {
  mase: number
  naive: number
  coverage: number
  sums: number
}

export async function measureForecast({
  seeds,
  horizon,
  first = 1,
  products = 5,
}: ForecastBench): Promise<ForecastAccuracy[]> {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-forecast-'))
  try {
    const measured: ForecastAccuracy[] = []
    for (let seed = first; seed < first + seeds; seed++) {
      measured.push(await measureSeed(join(folder, `${seed}.db`), seed, horizon, products))
      await rm(join(folder, `${seed}.db`), { force: true })
    }
    return measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureSeed(file: string, seed: number, horizon: number, products: number): Promise<ForecastAccuracy> {
  await createShop({ file, seed })
  const shop = await openShop({ file })
  try {
    const [since, today] = [await shop.books.firstDay(), await shop.clock.today()]
    const known = daysBetween(since, today)
    simulateDays(shop.db, horizon, { operate: true })
    const rows = await shop.books.sales({ from: since, to: addDays(today, horizon - 1) })
    const series = (of: 'units' | 'revenue', sku?: string): number[] => daily(rows, of, since, known + horizon, sku)
    const units = series('units')
    const closed = closedDays(units.slice(0, known))
    const shopWide = [units, series('revenue')].map((values) => judge(values, known, closed))
    const best = bestSellers(rows, addDays(today, -1), products)
    const single = best.flatMap((sku) =>
      [series('units', sku), series('revenue', sku)].map((values) => judge(values, known, closed)),
    )
    return {
      seed,
      mase: mean(shopWide.map(({ mase }) => mase)),
      naive: mean(shopWide.map(({ naive }) => naive)),
      coverage: mean(shopWide.map(({ coverage }) => coverage)),
      sums: mean(shopWide.map(({ sums }) => sums)),
      products: {
        mase: mean(single.map(({ mase }) => mase)),
        coverage: mean(single.map(({ coverage }) => coverage)),
        sums: mean(single.map(({ sums }) => sums)),
        count: best.length,
      },
    }
  } finally {
    await shop.close()
  }
}

function daily(
  rows: readonly SalesDay[],
  of: 'units' | 'revenue',
  since: string,
  days: number,
  sku?: string,
): number[] {
  const values = new Array<number>(days).fill(0)
  for (const row of rows) {
    if (sku !== undefined && row.sku !== sku) continue
    const at = daysBetween(since, row.day)
    values[at] = (values[at] ?? 0) + row[of]
  }
  return values
}

/** By what they sold in the history: what they will sell is not known yet. */
function bestSellers(rows: readonly SalesDay[], until: string, count: number): string[] {
  const units = new Map<string, number>()
  for (const { sku, day, units: sold } of rows) if (day <= until) units.set(sku, (units.get(sku) ?? 0) + sold)
  return [...units]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([sku]) => sku)
}

function judge(values: readonly number[], known: number, closed: readonly boolean[]): Judged {
  const [history, came] = [values.slice(0, known), values.slice(known)]
  const said = forecast(history, { horizon: came.length, closed })
  if (!said.enough) throw new Error(`no forecast: ${said.why}`)
  const scale = maseScale(history, 7) * came.length
  const off = (say: (h: number) => number) => came.reduce((sum, value, h) => sum + Math.abs(value - say(h)), 0) / scale
  const held = came.filter((value, h) => value >= (said.low[h] as number) && value <= (said.high[h] as number))
  const total = came.reduce((sum, value) => sum + value, 0)
  return {
    mase: off((h) => said.mean[h] as number),
    naive: off((h) => history[known - 7 + (h % 7)] as number),
    coverage: held.length / came.length,
    sums: total >= said.sum.low && total <= said.sum.high ? 1 : 0,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}

function table(measured: readonly ForecastAccuracy[]): string {
  const line = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(12)).join('')
  const shown = (value: number) => value.toFixed(3)
  const worst = [...measured].sort((a, b) => b.mase - a.mase).slice(0, 3)
  return [
    line(['seed', 'mase', 'naive', 'days in', 'sums in', 'p. mase', 'p. days in', 'p. sums in']),
    ...measured.map(({ seed, mase, naive, coverage, sums, products }) =>
      line([seed, ...[mase, naive, coverage, sums, products.mase, products.coverage, products.sums].map(shown)]),
    ),
    `median MASE ${shown(median(measured.map(({ mase }) => mase)))} (as a week ago ${shown(median(measured.map(({ naive }) => naive)))})`,
    `80 % intervals held ${shown(mean(measured.map(({ coverage }) => coverage)))} of the shop's days and ${shown(mean(measured.map(({ sums }) => sums)))} of its sums`,
    `products: median MASE ${shown(median(measured.map(({ products }) => products.mase)))}, held ${shown(mean(measured.map(({ products }) => products.coverage)))} of the days and ${shown(mean(measured.map(({ products }) => products.sums)))} of the sums`,
    `worst seeds: ${worst.map(({ seed, mase }) => `${seed} (${shown(mase)})`).join(', ')}`,
  ].join('\n')
}

if (import.meta.main) {
  const [seeds = 30, horizon = 30] = process.argv.slice(2).map(Number)
  process.stdout.write(`${table(await measureForecast({ seeds, horizon }))}\n`)
}
