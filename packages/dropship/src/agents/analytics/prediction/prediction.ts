/** Makes the prediction of a month: history, forecast of pieces and of revenue, words and picture. UnknownSku and the limits of history. */
import { ToolError } from 'myrmex'
import { forecastChart } from '../../../charts/index.ts'
import { addDays, type Day, daysBetween, monthOf, weekday } from '../../../day.ts'
import { type Forecast, forecast, neededDays, type Range } from '../../../forecast/index.ts'
import type { Product, Shop } from '../../../ports.ts'
import { type Month, readMonth } from '../month.ts'
import type { Prediction } from './prediction-schema.ts'
import { predictionText, WEEKDAYS } from './prediction-text.ts'
import { type SalesHistory, salesHistory } from './sales-history.ts'

/** So much of the past is drawn before the forecast. */
const DRAWN_DAYS = 90

export async function predictMonth(shop: Shop, monthText: string, sku: string | undefined): Promise<Prediction> {
  const today = await shop.clock.today()
  const month = readMonth(monthText, today)
  const product = sku === undefined ? undefined : await productOf(shop, sku)
  const history = await salesHistory(shop, today, product)
  const running = daysBetween(month.first, today)
  const from = running > 0 ? today : month.first
  const horizon = daysBetween(today, month.last) + 1
  const sumFrom = daysBetween(today, from)
  checkReach(history, month, today, horizon)

  const asked = { horizon, sumFrom, closed: history.closed }
  const units = forecast(history.units, asked)
  if (!units.enough) throw notEnough(history, `${units.why}`, units.needed)
  const revenue = forecast(history.revenue, asked)
  if (!revenue.enough) throw notEnough(history, `${revenue.why}`, revenue.needed)

  const elapsed = Math.min(history.units.length, Math.max(0, running))
  const sold = { units: sumOfLast(history.units, elapsed), revenue: cents(sumOfLast(history.revenue, elapsed)) }
  const days = Array.from({ length: horizon - sumFrom }, (_, i) => ({
    day: addDays(from, i),
    units: dayRange(units, sumFrom + i),
    revenue: dayRange(revenue, sumFrom + i),
  }))
  const { svg, name, title } = await chartOf(history, today, units, product)
  const made = {
    month: month.month,
    from,
    to: month.last,
    sku: product?.sku ?? null,
    product_name: product?.title ?? null,
    currency: shop.currency,
    units: rounded(addSold(units.sum, sold.units)),
    revenue: rounded(addSold(revenue.sum, sold.revenue)),
    sold_so_far: sold,
    days,
    level: units.level,
    model: units.model,
    model_title: units.title,
    revenue_model: revenue.model,
    error: { mase: fourDecimals(units.mase), mape: units.mape === undefined ? null : fourDecimals(units.mape) },
    revenue_error: {
      mase: fourDecimals(revenue.mase),
      mape: revenue.mape === undefined ? null : fourDecimals(revenue.mape),
    },
    coverage_of_past_intervals: fourDecimals(units.coverage),
    backtest: units.backtest.map(({ model, mase, sums, coverage, origins }) => ({
      model,
      mase: fourDecimals(mase),
      sums: fourDecimals(sums),
      coverage: fourDecimals(coverage),
      origins,
    })),
    seasonality: {
      weekdays: weekdays(history),
      time_of_year: units.yearly === undefined ? null : fourDecimals(units.yearly),
    },
    history_days: history.units.length,
    closed_days: units.closed,
    chart: { name, title, svg },
  }
  return { ...made, ...predictionText(made, units) }
}

async function productOf(shop: Shop, sku: string): Promise<Product> {
  const [product] = await shop.storefront.products({ sku, limit: 1 })
  if (product === undefined)
    throw new ToolError(
      'UnknownSku',
      `The shop sells nothing under the sku ${JSON.stringify(sku)}. shop://products lists what it sells.`,
      {
        sku,
      },
    )
  return product
}

/** Where the history bears some of the months ahead, but not this one, the month is too far; else the history is too short. */
function checkReach(history: SalesHistory, { month }: Month, today: Day, horizon: number): void {
  const days = history.units.length
  const needed = neededDays(horizon)
  if (days >= needed) return
  let furthest: string | undefined
  for (let ahead = 1; neededDays(ahead) <= days; ahead++) {
    const last = addDays(today, ahead - 1)
    if (monthOf(addDays(last, 1)) !== monthOf(last)) furthest = monthOf(last)
  }
  if (furthest === undefined) throw notEnough(history, `${horizon} days ahead take a longer history`, needed)
  throw new ToolError(
    'TooFarAhead',
    `${month} ends ${horizon} days from today. To say that much takes ${needed} days of history, and there are ${days}: they bear ${furthest} at most.`,
    { month, today, history_days: days, needed_days: needed, furthest_month: furthest },
  )
}

const notEnough = ({ since, units }: SalesHistory, why: string, needed: number): ToolError =>
  new ToolError(
    'NotEnoughHistory',
    `It cannot be known: ${why}. There are ${units.length} days of history, since ${since}, and ${needed} are needed.`,
    { history_days: units.length, needed_days: needed, since },
  )

const chartOf = (history: SalesHistory, today: Day, units: Forecast, product: Product | undefined) => {
  const drawn = history.units.slice(-DRAWN_DAYS)
  return forecastChart(
    drawn.map((value, i) => ({ day: addDays(today, i - drawn.length), value })),
    units.mean.map((_, h) => ({ day: addDays(today, h), ...dayRange(units, h) })),
    {
      title: `Sales forecast${product ? ` of ${product.title}` : ''}`.slice(0, 120),
      unit: 'units',
      level: units.level,
    },
  )
}

/** Sales of every weekday beside the mean day. */
function weekdays({ since, units }: SalesHistory): { weekday: string; factor: number }[] {
  const total = units.reduce((sum, value) => sum + value, 0)
  return WEEKDAYS.map((name, day) => {
    const these = units.filter((_, i) => (weekday(since) + i) % 7 === day)
    const sum = these.reduce((all, value) => all + value, 0)
    return { weekday: name, factor: fourDecimals((sum / these.length) * (units.length / total)) }
  })
}

const dayRange = (of: Forecast, h: number): Range =>
  rounded({ low: of.low[h] as number, expected: of.mean[h] as number, high: of.high[h] as number })
const addSold = ({ low, expected, high }: Range, sold: number): Range => ({
  low: low + sold,
  expected: expected + sold,
  high: high + sold,
})
const rounded = ({ low, expected, high }: Range): Range => ({
  low: cents(low),
  expected: cents(expected),
  high: cents(high),
})
const sumOfLast = (values: readonly number[], count: number): number =>
  values.slice(values.length - count).reduce((sum, value) => sum + value, 0)
const cents = (value: number): number => Math.round(value * 100) / 100
const fourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000
