/**
 * A planner that asks for a budget is answered like any other question: with a known value called budget. Such a value is the budget of
 * the whole plan, unless the context has a budget of money already. Then it stays a value like any other.
 */
import { type Budget, BudgetSchema } from '../../protocol/budget.ts'

interface BudgetedContext {
  readonly known?: Readonly<Record<string, unknown>> | undefined
  readonly budget?: Budget | undefined
}

/** A value that is no budget, such as "low", is for a tool that has an input of this name. */
export function withKnownBudget<T extends BudgetedContext>(context: T): T {
  if (context.budget?.money !== undefined) return context
  const given = Object.entries(context.known ?? {}).find(([name]) => isBudgetName(name))?.[1]
  const budget = given === undefined ? undefined : budgetFrom(given)
  return budget === undefined ? context : { ...context, budget: { ...budget, ...context.budget } }
}

export const isBudgetName = (name: string): boolean => name.trim().toLowerCase() === 'budget'

/** People also answer with a text: `5000`, `5,000 EUR`, `$5000`. */
export function budgetFrom(given: unknown): Budget | undefined {
  const amount = typeof given === 'string' ? amountIn(given) : given
  return BudgetSchema.safeParse(amount).data
}

const AMOUNT =
  /^(?:[€$£]|eur|usd|gbp)?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(?:[€$£]|eur|euros?|usd|dollars?|gbp|pounds?)?$/i

function amountIn(text: string): number | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  return whole === undefined ? undefined : Number(whole.replaceAll(',', '') + fraction)
}
