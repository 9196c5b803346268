/** Questions about stock: looks up the products that the goal names. */
import { type Playbook, playbook } from 'myrmex/runs'
import type { ShopSource } from '../ports.ts'
import { productsIn } from './products-in.ts'
import { reportStep } from './report.ts'
import { makePlan, step } from './write-plan.ts'

const STOCK =
  /\b(in stock|out of stock|inventory|stock levels?|on hand|left|enough|do we have|how many .*\b(have|are there)|running (low|out))\b/i
/** Questions about no particular product: the report lists those to reorder. */
const ANY_STOCK = /\b(out of stock|stock levels?|inventory|running (low|out)|what (must|should) (we|i) (re)?order)\b/i

export const stock = (source: ShopSource): Playbook =>
  playbook({
    name: 'stock',
    description: 'Questions such as "How many red chairs do we have in stock?"',
    async plan({ goal, context }) {
      if (!STOCK.test(goal) && !ANY_STOCK.test(goal)) return undefined
      const named = productsIn(goal, await (await source()).storefront.products())
      if (named.length === 0)
        return ANY_STOCK.test(goal)
          ? makePlan(goal, [reportStep('last_30_days')], context.budget ?? {}, [
              'The report lists the products to reorder.',
            ])
          : undefined
      const steps = named.map(({ sku, title }) =>
        step(`stock-${sku}`.slice(0, 40), 'operations.check_inventory', { sku }, `Checks the stock of ${title}.`),
      )
      return makePlan(goal, steps, context.budget ?? {}, [])
    },
  })
