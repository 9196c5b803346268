/** Fields of the research tools, each with its words and semantic type. */
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
  description: 'Price to take: earns most within what others take, never below cost and fees.',
})

export const images = z
  .array(z.string().min(1).max(2000))
  .max(8)
  .meta({ type_id: 'images', description: 'Pictures of the product.' })

export const keywords = z
  .array(z.string().max(80))
  .max(20)
  .meta({ type_id: 'keywords', description: 'Words that find it and tell it from others, best first.' })

export const range = (description: string) =>
  z
    .object({
      low: z.number().describe('One time in ten it is less.'),
      expected: z.number().describe('The middle of what may come.'),
      high: z.number().describe('One time in ten it is more.'),
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
  .describe('How the components counted; together 1.')

const component = (description: string, figures: Readonly<Record<string, string>>) =>
  z
    .object({
      score: z.number().min(0).max(1).describe('0 to 1, 1 is best.'),
      figures: z
        .object(Object.fromEntries(Object.entries(figures).map(([name, words]) => [name, z.number().describe(words)])))
        .describe('The raw figures.'),
      says: z.string().describe('The same in a sentence.'),
    })
    .describe(description)

const FIGURES: Readonly<Record<(typeof COMPONENTS)[number], readonly [string, Readonly<Record<string, string>>]>> = {
  demand: [
    'How much the market wants it.',
    {
      units_a_day_now: 'Pieces the market sells a day now.',
      units_a_day_ahead: 'The same, mean of the next 90 days.',
      error: 'Standard deviation of its logarithm.',
      weeks: 'Weeks of history behind it.',
    },
  ],
  trend: [
    'Whether it is wanted more and more.',
    {
      growth_a_year: 'A year of growth at the pace of late, 0.2 is 20 %.',
      slope_a_week: 'Theil-Sen slope of the logarithm of deseasonalised weekly sales.',
      slope_low: 'Lower end of its 80 % interval.',
      slope_high: 'Upper end of its 80 % interval.',
      mann_kendall_p: 'How likely such a slope is where there is none.',
    },
  ],
  competition: [
    'How much room sellers leave.',
    {
      sellers: 'How many sell it.',
      hhi: 'Concentration of sales over sellers, 0 to 10,000.',
      price_move: 'What the price did of late: -0.05 is 5 % down.',
    },
  ],
  margin: [
    'What is left of a sale.',
    {
      margin: 'Left of a sale at the suggested price.',
      margin_share: 'The same as a share of the price.',
      landed_cost: 'What a piece costs all in, from the best offer.',
      price: 'The suggested price.',
      ad_cost_of_an_order: 'What an order would cost in ads where that is least.',
    },
  ],
  risk: [
    'How safe it is; 1 is safe.',
    {
      volatility: 'How much weeks vary around trend and season.',
      rating: 'Stars of the product.',
      reviews: 'Reviews behind them.',
      season_amplitude: 'How far the best month lies above the mean: 0.3 is 30 %.',
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
  .describe('The components with what they were computed from.')
