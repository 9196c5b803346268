/** Fields shared by the research tools, with descriptions and semantic types. */
import * as z from 'zod'
import { COMPONENTS } from './scoring/criteria.ts'

export const category = z
  .string()
  .min(1)
  .max(120)
  .meta({ type_id: 'category', description: 'Category of the marketplace.' })

export const niche = z.string().min(1).max(120).meta({ type_id: 'niche', description: 'Niche of the marketplace.' })

export const criteria = z.string().max(300).meta({
  type_id: 'criteria',
  description: 'What matters most, in free words: "High Margin", "low risk", "trending", "low competition".',
})

export const currency = z.string().describe('Currency of all amounts.')

export const money = (description: string) => z.number().describe(`${description} In the currency of the shop.`)

export const suggested_price = z.number().positive().max(1_000_000).meta({
  type_id: 'price',
  description: 'Suggested price: the most profitable one within the range of other sellers, never below cost and fees.',
})

export const images = z
  .array(z.string().min(1).max(2000))
  .max(8)
  .meta({ type_id: 'images', description: 'Pictures of the product.' })

export const keywords = z
  .array(z.string().max(80))
  .max(20)
  .meta({ type_id: 'keywords', description: 'Distinguishing search words, best first.' })

export const range = (description: string) =>
  z
    .object({
      low: z.number().describe('10 % quantile.'),
      expected: z.number().describe('Median.'),
      high: z.number().describe('90 % quantile.'),
    })
    .describe(description)

export const weights = z
  .object({
    demand: z.number().describe('Weight of demand.'),
    trend: z.number().describe('Weight of the trend.'),
    competition: z.number().describe('Weight of competition.'),
    margin: z.number().describe('Weight of the margin.'),
    risk: z.number().describe('Weight of risk.'),
  })
  .describe('Weights of the components; their sum is 1.')

const component = (description: string, figures: Readonly<Record<string, string>>) =>
  z
    .object({
      score: z.number().min(0).max(1).describe('0 to 1; 1 is best.'),
      figures: z
        .object(Object.fromEntries(Object.entries(figures).map(([name, words]) => [name, z.number().describe(words)])))
        .describe('The underlying figures.'),
      says: z.string().describe('The same in a sentence.'),
    })
    .describe(description)

const FIGURES: Readonly<Record<(typeof COMPONENTS)[number], readonly [string, Readonly<Record<string, string>>]>> = {
  demand: [
    'Demand in the market.',
    {
      units_a_day_now: 'Units the market sells a day now.',
      units_a_day_ahead: 'Units a day, mean of the next 90 days.',
      error: 'Standard deviation of its logarithm.',
      weeks: 'Weeks of history used.',
    },
  ],
  trend: [
    'Growth of demand.',
    {
      growth_a_year: 'Yearly growth at the recent rate; 0.2 is 20 %.',
      slope_a_week: 'Theil-Sen slope of the logarithm of deseasonalised weekly sales.',
      slope_low: 'Lower end of its 80 % interval.',
      slope_high: 'Upper end of its 80 % interval.',
      mann_kendall_p: 'Probability of such a slope without a trend.',
    },
  ],
  competition: [
    'Room left by other sellers.',
    {
      sellers: 'Number of sellers.',
      hhi: 'Concentration of sales over sellers, 0 to 10,000.',
      price_move: 'Recent price change; -0.05 is 5 % down.',
    },
  ],
  margin: [
    'Margin of a sale.',
    {
      margin: 'Margin of a sale at the suggested price.',
      margin_share: 'Margin as a share of the price.',
      landed_cost: 'Landed cost of a unit from the best offer.',
      price: 'The suggested price.',
      ad_cost_of_an_order: 'Ad cost per order on the cheapest platform.',
    },
  ],
  risk: [
    'Safety; 1 is safe.',
    {
      volatility: 'Variation of weeks around trend and season.',
      rating: 'Average rating in stars.',
      reviews: 'Number of reviews.',
      season_amplitude: 'How far the best month is above the mean; 0.3 is 30 %.',
    },
  ],
}

export const evidence = z
  .object(
    Object.fromEntries(COMPONENTS.map((name) => [name, component(...FIGURES[name])])) as Record<
      (typeof COMPONENTS)[number],
      ReturnType<typeof component>
    >,
  )
  .describe('The components with their figures.')
