/** Fields shared by the research tools, with descriptions and semantic types. */
import * as z from 'zod'
import * as field from '../field-types.ts'

export const category = field.filledText(120, 'Category of the marketplace.', 'category')

export const niche = field.filledText(120, 'Niche of the marketplace.', 'niche')

export const criteria = field.text(
  300,
  'What matters most, in free words: "High Margin", "low risk", "trending", "low competition".',
  'criteria',
)

export const currency = z.string().describe('Currency of all amounts.')

export const money = (description: string) => field.number(`${description} In the currency of the shop.`)

export const suggested_price = z.number().positive().max(1_000_000).meta({
  type_id: 'price',
  description: 'Suggested price: the most profitable one within the range of other sellers, never below cost and fees.',
})

export const images = field.list(8, 'Pictures of the product.', field.filledText(2000), 'images')

export const keywords = field.list(20, 'Distinguishing search words, best first.', field.text(80), 'keywords')

export const range = (description: string) => field.range(description, ['10 % quantile.', 'Median.', '90 % quantile.'])

export const weights = field.object('Weights of the components; their sum is 1.', {
  demand: field.number('Weight of demand.'),
  trend: field.number('Weight of the trend.'),
  competition: field.number('Weight of competition.'),
  margin: field.number('Weight of the margin.'),
  risk: field.number('Weight of risk.'),
})

const component = (description: string, figures: Readonly<Record<string, string>>) =>
  field.object(description, {
    score: field.share('0 to 1; 1 is best.'),
    figures: field.object(
      'The underlying figures.',
      Object.fromEntries(Object.entries(figures).map(([name, words]) => [name, field.number(words)])),
    ),
    says: z.string().describe('The same in a sentence.'),
  })

export const evidence = field.object('The components with their figures.', {
  demand: component('Demand in the market.', {
    units_a_day_now: 'Units the market sells a day now.',
    units_a_day_ahead: 'Units a day, mean of the next 90 days.',
    error: 'Standard deviation of its logarithm.',
    weeks: 'Weeks of history used.',
  }),
  trend: component('Growth of demand.', {
    growth_a_year: 'Yearly growth at the recent rate; 0.2 is 20 %.',
    slope_a_week: 'Theil-Sen slope of the logarithm of deseasonalised weekly sales.',
    slope_low: 'Lower end of its 80 % interval.',
    slope_high: 'Upper end of its 80 % interval.',
    mann_kendall_p: 'Probability of such a slope without a trend.',
  }),
  competition: component('Room left by other sellers.', {
    sellers: 'Number of sellers.',
    hhi: 'Concentration of sales over sellers, 0 to 10,000.',
    price_move: 'Recent price change; -0.05 is 5 % down.',
  }),
  margin: component('Margin of a sale.', {
    margin: 'Margin of a sale at the suggested price.',
    margin_share: 'Margin as a share of the price.',
    landed_cost: 'Landed cost of a unit from the best offer.',
    price: 'The suggested price.',
    ad_cost_of_an_order: 'Ad cost per order on the cheapest platform.',
  }),
  risk: component('Safety; 1 is safe.', {
    volatility: 'Variation of weeks around trend and season.',
    rating: 'Average rating in stars.',
    reviews: 'Number of reviews.',
    season_amplitude: 'How far the best month is above the mean; 0.3 is 30 %.',
  }),
})
