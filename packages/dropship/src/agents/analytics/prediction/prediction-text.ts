/** The sentences of a prediction: what to expect, why this model, how wrong it may be, what it takes for granted. */
import type { Forecast, Range } from '../../../forecast/index.ts'
import type { Prediction } from './prediction-schema.ts'

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

type Figures = Omit<Prediction, 'chosen_because' | 'assumptions' | 'text'>

export function predictionText(
  made: Figures,
  units: Forecast,
): Pick<Prediction, 'chosen_because' | 'assumptions' | 'text'> {
  const { month, product_name, currency, sold_so_far } = made
  const whom = product_name === null ? 'The shop' : `"${product_name.slice(0, 120)}"`
  const sold = sold_so_far.units > 0 ? ` ${whole(sold_so_far.units)} of them are sold already.` : ''
  return {
    chosen_because: reasonForModel(units),
    assumptions: assumptions(made),
    text:
      `${whom} is expected to sell ${whole(made.units.expected)} pieces in ${month} (${span(made.units)} with ${percent(made.level)} ` +
      `confidence), for ${whole(made.revenue.expected)} ${currency} (${span(made.revenue)}).${sold} ` +
      `${pastAccuracy(made)} ${seasonText(made)}`.trim(),
  }
}

function reasonForModel({ backtest, title, model }: Forecast): string {
  const [first] = backtest
  const plain = backtest.find((row) => row.model === 'seasonal_naive')
  const naive = plain && model !== 'seasonal_naive' ? `, where "as a week ago" erred by ${plain.mase.toFixed(2)}` : ''
  return (
    `Of ${backtest.length} models tried from ${first?.origins ?? 0} points of the past, ${title.slice(0, 400)} was the least wrong: ` +
    `days were off by ${(first?.mase ?? 0).toFixed(2)} of the usual difference to the week before${naive}.`
  )
}

function pastAccuracy({ error, coverage_of_past_intervals }: Figures): string {
  const off = error.mape === null ? '' : `In the past such sums were off by ${percent(error.mape)} in the mean; `
  return `${off}${off === '' ? 'S' : 's'}uch intervals held ${percent(coverage_of_past_intervals)} of the days.`
}

function seasonText({ seasonality: { weekdays, time_of_year } }: Figures): string {
  const sorted = [...weekdays].sort((a, b) => b.factor - a.factor)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  const week = best && worst ? `${best.weekday} sells best, ${worst.weekday} worst.` : ''
  if (time_of_year === null) return `${week} Less than a year is known, so nothing is said of the time of the year.`
  const change = time_of_year - 1
  if (Math.abs(change) < 0.02) return `${week} The time of the year changes little.`
  return `${week} The time of the year ${change > 0 ? 'adds' : 'takes'} ${percent(Math.abs(change))}.`
}

const assumptions = ({ seasonality, sku, closed_days }: Figures): string[] => [
  'Campaigns go on as they were: about as many, with about as much money.',
  'Prices, pages and suppliers stay as they are.',
  closed_days > 0
    ? `Sales are paused about as often as before: on ${closed_days} days of the history.`
    : 'Sales are not paused, and what is ordered can be delivered.',
  'Revenue is counted as sold; refunds are not taken off.',
  ...(seasonality.time_of_year === null
    ? ['This month is like those before it: no earlier one of the kind is known.']
    : []),
  ...(sku === null ? ['The shop sells the same products; new ones come on top.'] : []),
]

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const span = ({ low, high }: Range): string => `${whole(low)} to ${whole(high)}`
const percent = (share: number): string => `${Math.round(share * 100)} %`
