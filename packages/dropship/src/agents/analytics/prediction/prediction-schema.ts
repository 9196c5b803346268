/** The output of predict_sales. */
import * as z from 'zod'

const MOST = 1_000_000_000
const figure = z.number().min(0).max(MOST)
const day = z.string().length(10)
const words = (most: number) => z.string().max(most)

const range = (what: string) =>
  z
    .object({
      low: figure.describe('The low end of the interval.'),
      expected: figure.describe('The expected value.'),
      high: figure.describe('The high end of the interval.'),
    })
    .describe(what)

const error = (what: string) =>
  z
    .object({
      mase: figure.describe(
        'Mean error of a day, relative to the forecast "as a week ago"; below 1 is better than that forecast.',
      ),
      mape: figure
        .nullable()
        .describe('Mean error of the total of such a month, as a share of the units sold; null if none were sold.'),
    })
    .describe(what)

export const predictionSchema = z.object({
  month: z.string().length(7).meta({ type_id: 'month' }).describe('The month, such as 2026-12.'),
  from: day.describe('First forecast day.'),
  to: day.describe('Last day of the month.'),
  sku: words(150).nullable().describe('The product, or null for the whole shop.'),
  product_name: words(300).nullable().describe('Title of the product, or null.'),
  currency: words(3).describe('Currency of all amounts.'),
  units: range('Units sold in the whole month, including those already sold.'),
  revenue: range('Revenue of the whole month, including sales so far. Refunds are not deducted.'),
  sold_so_far: z
    .object({ units: figure.describe('Units.'), revenue: figure.describe('Revenue.') })
    .describe('Sales of this month before today.'),
  days: z
    .array(z.object({ day: day.describe('The day.'), units: range('Units.'), revenue: range('Revenue.') }))
    .max(31)
    .describe('Every forecast day.'),
  level: z.number().min(0).max(1).describe('Share of values that an interval should contain.'),
  model: words(60).describe('The model used for units.'),
  model_title: words(400).describe('The same model in words.'),
  revenue_model: words(60).describe('The model used for revenue.'),
  chosen_because: words(1000).describe('Why this model was chosen, from the backtest.'),
  error: error('Its errors in the backtest, for units.'),
  revenue_error: error('Its errors in the backtest, for revenue.'),
  coverage_of_past_intervals: z
    .number()
    .min(0)
    .max(1)
    .describe('Share of past days that were inside the intervals forecast for them.'),
  backtest: z
    .array(
      z.object({
        model: words(60).describe('The model.'),
        mase: figure.describe('Its mean error of a day.'),
        sums: figure.describe('Its mean error of a monthly total, in the same unit times the square root of the days.'),
        coverage: z.number().min(0).max(1).describe('Share of days inside its intervals.'),
        origins: z.int().min(1).max(1000).describe('Number of past days from which it was tested.'),
      }),
    )
    .max(20)
    .describe('All models tested for units, the best first.'),
  seasonality: z
    .object({
      weekdays: z
        .array(
          z.object({
            weekday: words(9).describe('Monday to Sunday.'),
            factor: figure.describe('Sales relative to the mean day, over the whole history.'),
          }),
        )
        .max(7)
        .describe('The week.'),
      time_of_year: figure
        .nullable()
        .describe(
          'Effect of the time of the year relative to the last four weeks, as a factor; null if the history is shorter than a year.',
        ),
    })
    .describe('Effect of the weekday and the time of the year.'),
  history_days: z.int().min(0).max(100_000).describe('Days of history behind the forecast.'),
  closed_days: z
    .int()
    .min(0)
    .max(100_000)
    .describe(
      'Days of them on which sales were evidently paused: the shop sold nothing for longer than chance explains.',
    ),
  assumptions: z.array(words(300)).max(10).describe('Assumptions of the forecast.'),
  chart: z
    .object({
      name: words(60).describe('Name of the file.'),
      title: words(200).describe('Title.'),
      svg: words(300_000).describe('SVG.'),
    })
    .describe('History and forecast as a chart.'),
  text: words(2000).describe('The forecast in sentences.'),
})

export type Prediction = z.infer<typeof predictionSchema>
