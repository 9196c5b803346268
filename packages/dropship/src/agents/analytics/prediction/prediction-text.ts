/** The sentences of a prediction: what to expect, why this model, how wrong it may be, what it assumes. */
import { plural } from 'myrmex/text'
import { percent, type Range, wholeNumber } from '../../../figures.ts'
import type { Forecast } from '../../../forecast/index.ts'
import type { Prediction } from './prediction-schema.ts'

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

type Figures = Omit<Prediction, 'chosen_because' | 'assumptions' | 'text'>

export function predictionText(
  made: Figures,
  units: Forecast,
): Pick<Prediction, 'chosen_because' | 'assumptions' | 'text'> {
  const { month, product_name, currency, sold_so_far } = made
  const whom = product_name === null ? 'The shop' : `"${product_name.slice(0, 120)}"`
  const sold =
    sold_so_far.units > 0
      ? ` ${wholeNumber(sold_so_far.units)} of them ${sold_so_far.units === 1 ? 'is' : 'are'} already sold.`
      : ''
  return {
    chosen_because: reasonForModel(units),
    assumptions: assumptions(made),
    text:
      `${whom} is expected to sell ${wholeNumber(made.units.expected)} pieces in ${month} (${span(made.units)} with ${percent(made.level)} ` +
      `confidence), for ${wholeNumber(made.revenue.expected)} ${currency} (${span(made.revenue)}).${sold} ` +
      `${pastAccuracy(made)} ${seasonText(made)}`.trim(),
  }
}

function reasonForModel({ backtest, title, model }: Forecast): string {
  const [first] = backtest
  const plain = backtest.find((row) => row.model === 'seasonal_naive')
  const naive = plain && model !== 'seasonal_naive' ? `, where "as a week ago" was off by ${plain.mase.toFixed(2)}` : ''
  return (
    `Of ${backtest.length} models tried from ${first?.origins ?? 0} points of the past, ${title.slice(0, 400)} had the smallest error: ` +
    `its days were off by ${(first?.mase ?? 0).toFixed(2)} times the usual difference to the week before${naive}.`
  )
}

function pastAccuracy({ error, coverage_of_past_intervals }: Figures): string {
  const off = error.mape === null ? '' : `Past totals of this kind were off by ${percent(error.mape)} on average; `
  return `${off}${off === '' ? 'S' : 's'}uch intervals contained ${percent(coverage_of_past_intervals)} of the days.`
}

function seasonText({ seasonality: { weekdays, time_of_year } }: Figures): string {
  const sorted = [...weekdays].sort((a, b) => b.factor - a.factor)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  const week = best && worst ? `${best.weekday} sells best, ${worst.weekday} worst.` : ''
  if (time_of_year === null)
    return `${week} The history is shorter than a year, so the time of the year is not considered.`
  const change = time_of_year - 1
  if (Math.abs(change) < 0.02) return `${week} The time of the year makes little difference.`
  return `${week} The time of the year ${change > 0 ? 'adds' : 'takes'} ${percent(Math.abs(change))}.`
}

const assumptions = ({ seasonality, sku, closed_days }: Figures): string[] => [
  'Campaigns continue as before: about as many, with about the same budget.',
  'Prices, pages and suppliers stay as they are.',
  closed_days > 0
    ? `Sales are paused about as often as before: on ${plural(closed_days, 'day')} of the history.`
    : 'Sales are not paused, and every order can be delivered.',
  'Revenue is counted as sold; refunds are not deducted.',
  ...(seasonality.time_of_year === null
    ? ['This month is like the months before it: the history has no earlier one of its kind.']
    : []),
  ...(sku === null ? ['The shop sells the same products; new ones would add to the forecast.'] : []),
]

const span = ({ low, high }: Range): string => `${wholeNumber(low)} to ${wholeNumber(high)}`
