/** Questions about what to sell: researches the category that the goal names. Changes nothing. */
import { type Playbook, playbook } from 'myrmex/runs'
import type { ShopSource } from '../ports.ts'
import { categoryIn, categoryQuestion } from './category-in.ts'
import { askFor, makePlan, step } from './write-plan.ts'

const RESEARCH =
  /\b((what|which)( new)? products?\b.*\b(sell|launch|add|offer)|what (should|could|can) (we|i) (sell|launch|add|offer)|what sells|should (we|i) (sell|launch|add|offer))\b/i

export const research = (source: ShopSource): Playbook =>
  playbook({
    name: 'research',
    description: 'Questions such as "Which products should we sell in Pets?"',
    async plan({ goal, context }) {
      if (!RESEARCH.test(goal)) return undefined
      const shop = await source()
      const budget = context.budget ?? {}
      const category = await categoryIn(goal, context.known?.category, shop)
      if (category === undefined) return askFor(goal, budget, await categoryQuestion(shop))
      const why = 'Finds products that sell, grow and leave a margin.'
      return makePlan(goal, [step('find', 'product_research.find_winning_products', { category }, why)], budget, [])
    },
  })
