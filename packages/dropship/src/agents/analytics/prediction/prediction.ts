/** Predicts a month: history, forecast of units and revenue, sentences and chart. Throws UnknownSku, TooFarAhead, NotEnoughHistory. */

import { ToolError } from 'myrmex'
import { plural } from 'myrmex/text'
import { forecastChart } from '../../../charts/index.ts'
import { addDays, type Day, daysBetween, monthOf, weekday } from '../../../day.ts'
import { mapRange, mean, type Range, rounded, sum } from '../../../figures.ts'
import { type Forecast, forecast, neededDays } from '../../../forecast/index.ts'
import type { Product, Shop } from '../../../ports.ts'
import { type Month, readMonth } from '../month.ts'
import type { Prediction } from './prediction-schema.ts'
import { predictionText, WEEKDAYS } from './prediction-text.ts'
import { type SalesHistory, salesHistory } from './sales-history.ts'

/** Days of history that the chart shows before the forecast. */
const CHART_DAYS = 90

export async function predictMonth(shop: Shop, monthText: string, sku: string | undefined): Promise<Prediction> {
  const today = await shop.clock.today()
  const month = readMonth(monthText, today)
  const product = sku === undefined ? undefined : await productOf(shop, sku)
  const history = await salesHistory(shop, today, product)
  const running = daysBetween(month.from, today)
  const from = running > 0 ? today : month.from
  const horizon = daysBetween(today, month.to) + 1
  const sumFrom = daysBetween(today, from)
  checkReach(history, month, today, horizon)

  const asked = { horizon, sumFrom, closed: history.closed }
  const units = forecast(history.units, asked)
  if (!units.enough) throw notEnough(history, String(units.why), units.needed)
  const revenue = forecast(history.revenue, asked)
  if (!revenue.enough) throw notEnough(history, String(revenue.why), revenue.needed)

  const elapsed = Math.min(history.units.length, Math.max(0, running))
  const firstElapsed = history.units.length - elapsed
  const sold = {
    units: sum(history.units.slice(firstElapsed)),
    revenue: rounded(sum(history.revenue.slice(firstElapsed))),
  }
  const days = Array.from({ length: horizon - sumFrom }, (_, i) => ({
    day: addDays(from, i),
    units: dayRange(units, sumFrom + i),
    revenue: dayRange(revenue, sumFrom + i),
  }))
  const { svg, name, title } = await chartOf(history, today, units, product)
  const made = {
    month: month.month,
    from,
    to: month.to,
    sku: product?.sku ?? null,
    product_name: product?.title ?? null,
    currency: shop.currency,
    units: mapRange(units.sum, (value) => rounded(value + sold.units)),
    revenue: mapRange(revenue.sum, (value) => rounded(value + sold.revenue)),
    sold_so_far: sold,
    days,
    level: units.level,
    model: units.model,
    model_title: units.title,
    revenue_model: revenue.model,
    error: errorOf(units),
    revenue_error: errorOf(revenue),
    coverage_of_past_intervals: fourDigits(units.coverage),
    backtest: units.backtest.map(({ model, mase, sums, coverage, origins }) => ({
      model,
      mase: fourDigits(mase),
      sums: fourDigits(sums),
      coverage: fourDigits(coverage),
      origins,
    })),
    seasonality: {
      weekdays: weekdays(history),
      time_of_year: units.yearly === undefined ? null : fourDigits(units.yearly),
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
      { sku },
    )
  return product
}

/** TooFarAhead where the history is long enough for some month ahead but not for this one, otherwise NotEnoughHistory. */
function checkReach(history: SalesHistory, { month }: Month, today: Day, horizon: number): void {
  const days = history.units.length
  const needed = neededDays(horizon)
  if (days >= needed) return
  let furthest: string | undefined
  for (let ahead = 1; neededDays(ahead) <= days; ahead++) {
    const last = addDays(today, ahead - 1)
    if (monthOf(addDays(last, 1)) !== monthOf(last)) furthest = monthOf(last)
  }
  if (furthest === undefined) throw notEnough(history, `a forecast of ${horizon} days needs a longer history`, needed)
  throw new ToolError(
    'TooFarAhead',
    `${month} ends ${horizon} days from today. That takes ${needed} days of history, and there are ${days}: enough for ${furthest} at most.`,
    { month, today, history_days: days, needed_days: needed, furthest_month: furthest },
  )
}

const notEnough = ({ since, units }: SalesHistory, why: string, needed: number): ToolError =>
  new ToolError(
    'NotEnoughHistory',
    `There is no forecast: ${why}. The history has ${plural(units.length, 'day')}, since ${since}, and ${needed} are needed.`,
    { history_days: units.length, needed_days: needed, since },
  )

const chartOf = (history: SalesHistory, today: Day, units: Forecast, product: Product | undefined) => {
  const drawn = history.units.slice(-CHART_DAYS)
  return forecastChart(
    drawn.map((value, i) => ({ day: addDays(today, i - drawn.length), value })),
    units.mean.map((_, h) => ({ day: addDays(today, h), ...dayRange(units, h) })),
    `Sales forecast${product ? ` of ${product.title}` : ''}`.slice(0, 120),
    units.level,
  )
}

/** Sales of every weekday relative to the mean day. */
function weekdays({ since, units }: SalesHistory): { weekday: string; factor: number }[] {
  return WEEKDAYS.map((name, day) => {
    const own = units.filter((_, i) => (weekday(since) + i) % 7 === day)
    return { weekday: name, factor: fourDigits(mean(own) / mean(units)) }
  })
}

const dayRange = (of: Forecast, h: number): Range =>
  mapRange({ low: of.low[h] as number, expected: of.mean[h] as number, high: of.high[h] as number }, (value) =>
    rounded(value),
  )
const errorOf = ({ mase, mape }: Forecast) => ({
  mase: fourDigits(mase),
  mape: mape === undefined ? null : fourDigits(mape),
})
const fourDigits = (value: number): number => rounded(value, 4)
