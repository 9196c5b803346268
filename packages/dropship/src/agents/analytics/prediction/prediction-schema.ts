/** What predict_sales answers. */
import * as z from 'zod'

const MOST = 1_000_000_000
const figure = z.number().min(0).max(MOST)
const day = z.string().length(10)
const words = (most: number) => z.string().max(most)

const range = (what: string) =>
  z
    .object({
      low: figure.describe('The low end of the interval.'),
      expected: figure.describe('What is expected.'),
      high: figure.describe('The high end of the interval.'),
    })
    .describe(what)

const error = (what: string) =>
  z
    .object({
      mase: figure.describe('Mean error of a day in units of "as a week ago"; below 1 is better than that.'),
      mape: figure
        .nullable()
        .describe('Mean error of the sum of such a month, as a share of what was sold; null where nothing was.'),
    })
    .describe(what)

export const predictionSchema = z.object({
  month: z.string().length(7).meta({ type_id: 'month' }).describe('The month, such as 2026-12.'),
  from: day.describe('First day that is forecast.'),
  to: day.describe('Last day of the month.'),
  sku: words(150).nullable().describe('The product, or null for the whole shop.'),
  product_name: words(300).nullable().describe('Its title.'),
  currency: words(3).describe('Of all amounts.'),
  units: range('Pieces sold in the whole month, with those that were sold in it already.'),
  revenue: range('Revenue of the whole month, with what was sold in it already. Refunds are not taken off.'),
  sold_so_far: z
    .object({ units: figure.describe('Pieces.'), revenue: figure.describe('Revenue.') })
    .describe('Sold in this month before today; it is certain.'),
  days: z
    .array(z.object({ day: day.describe('The day.'), units: range('Pieces.'), revenue: range('Revenue.') }))
    .max(31)
    .describe('Every day that is forecast.'),
  level: z.number().min(0).max(1).describe('How often an interval should hold.'),
  model: words(60).describe('The model that speaks for the pieces.'),
  model_title: words(400).describe('The same in words.'),
  revenue_model: words(60).describe('The model that speaks for the revenue.'),
  chosen_because: words(1000).describe('Why this model: what the backtest said.'),
  error: error('How wrong it was in the backtest, for pieces.'),
  revenue_error: error('The same for revenue.'),
  coverage_of_past_intervals: z
    .number()
    .min(0)
    .max(1)
    .describe('Share of past days that fell into intervals made before them.'),
  backtest: z
    .array(
      z.object({
        model: words(60).describe('The model.'),
        mase: figure.describe('Its mean error of a day.'),
        sums: figure.describe('Its mean error of a sum over the month, in the same unit times the root of its days.'),
        coverage: z.number().min(0).max(1).describe('How often its intervals held.'),
        origins: z.int().min(1).max(1000).describe('From how many points of the past it was tried.'),
      }),
    )
    .max(20)
    .describe('All models that were tried for the pieces, the best first.'),
  seasonality: z
    .object({
      weekdays: z
        .array(
          z.object({
            weekday: words(9).describe('Monday to Sunday.'),
            factor: figure.describe('Sales beside those of the mean day, over the whole history.'),
          }),
        )
        .max(7)
        .describe('The week.'),
      time_of_year: figure
        .nullable()
        .describe(
          'What the time of the year makes of the month beside the last four weeks, as a factor; null: less than a year is known.',
        ),
    })
    .describe('What week and year do to sales.'),
  history_days: z.int().min(0).max(100_000).describe('How many days of history it rests on.'),
  closed_days: z
    .int()
    .min(0)
    .max(100_000)
    .describe('On how many of them the shop sold nothing at all for so long that sales must have been paused.'),
  assumptions: z.array(words(300)).max(10).describe('What must stay as it is for the forecast to hold.'),
  chart: z
    .object({
      name: words(60).describe('Name of the file.'),
      title: words(200).describe('Title.'),
      svg: words(300_000).describe('SVG.'),
    })
    .describe('History and forecast as a picture.'),
  text: words(2000).describe('All of it in sentences.'),
})

export type Prediction = z.infer<typeof predictionSchema>
