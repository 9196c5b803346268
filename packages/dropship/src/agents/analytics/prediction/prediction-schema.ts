/** The output of predict_sales. */
import * as z from 'zod'
import * as field from '../../field-types.ts'

const MAX = 1_000_000_000
const figure = z.number().min(0).max(MAX)
const day = z.string().length(10)
const words = (most: number) => field.text(most)

const range = (what: string) =>
  field.range(what, ['The low end of the interval.', 'The expected value.', 'The high end of the interval.'], figure)

const error = (what: string) =>
  field.object(what, {
    mase: figure.describe(
      'Mean error of a day, relative to the forecast "as a week ago"; below 1 is better than that forecast.',
    ),
    mape: field.nullable(
      'Mean error of the total of such a month, as a share of the units sold; null if none were sold.',
      figure,
    ),
  })

export const predictionSchema = z.object({
  month: z.string().length(7).meta({ type_id: 'month' }).describe('The month, such as 2026-12.'),
  from: day.describe('First forecast day.'),
  to: day.describe('Last day of the month.'),
  sku: field.nullable('The product, or null for the whole shop.', words(150)),
  product_name: field.nullable('Title of the product, or null.', words(300)),
  currency: words(3).describe('Currency of all amounts.'),
  units: range('Units sold in the whole month, including those already sold.'),
  revenue: range('Revenue of the whole month, including sales so far. Refunds are not deducted.'),
  sold_so_far: field.object('Sales of this month before today.', {
    units: figure.describe('Units.'),
    revenue: figure.describe('Revenue.'),
  }),
  days: field.list(
    31,
    'Every forecast day.',
    z.object({ day: day.describe('The day.'), units: range('Units.'), revenue: range('Revenue.') }),
  ),
  level: field.share('Share of values that an interval should contain.'),
  model: words(60).describe('The model used for units.'),
  model_title: words(400).describe('The same model in words.'),
  revenue_model: words(60).describe('The model used for revenue.'),
  chosen_because: words(1000).describe('Why this model was chosen, from the backtest.'),
  error: error('Its errors in the backtest, for units.'),
  revenue_error: error('Its errors in the backtest, for revenue.'),
  coverage_of_past_intervals: field.share('Share of past days that were inside the intervals forecast for them.'),
  backtest: field.list(
    20,
    'All models tested for units, the best first.',
    z.object({
      model: words(60).describe('The model.'),
      mase: figure.describe('Its mean error of a day.'),
      sums: figure.describe('Its mean error of a monthly total, in the same unit times the square root of the days.'),
      coverage: field.share('Share of days inside its intervals.'),
      origins: field.integerFrom(1, 1000, 'Number of past days from which it was tested.'),
    }),
  ),
  seasonality: field.object('Effect of the weekday and the time of the year.', {
    weekdays: field.list(
      7,
      'The week.',
      z.object({
        weekday: words(9).describe('Monday to Sunday.'),
        factor: figure.describe('Sales relative to the mean day, over the whole history.'),
      }),
    ),
    time_of_year: field.nullable(
      'Effect of the time of the year relative to the last four weeks, as a factor; null if the history is shorter than a year.',
      figure,
    ),
  }),
  history_days: field.integerFrom(0, 100_000, 'Days of history behind the forecast.'),
  closed_days: field.integerFrom(
    0,
    100_000,
    'Days of them on which sales were evidently paused: the shop sold nothing for longer than chance explains.',
  ),
  assumptions: field.list(10, 'Assumptions of the forecast.', words(300)),
  chart: field.object('History and forecast as a chart.', {
    name: words(60).describe('Name of the file.'),
    title: words(200).describe('Title.'),
    svg: words(300_000).describe('SVG.'),
  }),
  text: words(2000).describe('The forecast in sentences.'),
})

export type Prediction = z.infer<typeof predictionSchema>
