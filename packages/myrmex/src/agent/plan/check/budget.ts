/** Money, calls and time: the known cost of a plan, compared with the smaller of two budgets. */
import { costOf, costReferences, hasCost } from '../../../protocol/cost.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { type JsonObject, pointerSteps } from '../../../protocol/json.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import type { Budget, Plan, Step } from '../plan.ts'
import { type FoundReference, findReferences, withoutReferences } from '../reference.ts'
import type { Report } from './problem.ts'

/** The smaller of each limit. A limit that only one budget has applies. */
export function smallerBudget(one: Budget, other: Budget | undefined): Budget {
  const limits: Budget = { ...one }
  for (const key of ['money', 'calls', 'time_ms'] as const) {
    const limit = other?.[key]
    if (limit !== undefined) limits[key] = Math.min(limit, limits[key] ?? limit)
  }
  return limits
}

/** Adds up the cost of the steps as they are checked. */
export class PlanCosts {
  readonly #budget: Budget
  readonly #report: Report
  /** money known beforehand */
  total = 0

  constructor(budget: Budget, report: Report) {
    this.#budget = budget
    this.#report = report
  }

  add(step: Step, index: number, { name, input }: ToolView, references: readonly FoundReference[]): void {
    if (!hasCost(input)) return
    const cost = knownCost(step.arguments, input)
    const unknown = unknownPlace(references, input)
    if (unknown !== undefined) {
      const path = ['steps', index, 'arguments', ...unknown]
      const why = 'what it spends comes from an earlier result, so it is known only then; the budget holds all the same'
      this.#report.warnings.add('cost-unknown', step.id, path, `${name}: ${why}`)
    }
    this.total += cost
    if ((cost === 0 && unknown === undefined) || this.#budget.money !== undefined) return
    const spends = cost === 0 ? 'spends money' : `spends ${inMoney(cost)}`
    const advice = 'there is no budget of money: give the plan or the run one'
    this.#report.open.add('no-budget', step.id, ['steps', index], `${step.id} (${name}) ${spends}, and ${advice}`)
  }

  finish({ steps }: Plan): void {
    const { money, calls } = this.#budget
    if (money !== undefined && this.total > money + TINY) {
      const text = `the steps are known to cost ${inMoney(this.total)}, and the budget is ${inMoney(money)}`
      this.#report.problems.add('over-budget', undefined, ['budget', 'money'], text)
    }
    if (calls !== undefined && steps.length > calls) {
      const text = `the plan has ${steps.length} steps, and the budget is ${calls} calls`
      this.#report.problems.add('too-many-calls', undefined, ['budget', 'calls'], text)
    }
  }
}

/** Sums of decimal fractions are not exact. */
const TINY = 1e-9
const inMoney = (amount: number): string => String(Number(amount.toFixed(4)))

/** Where the amounts are in the arguments, as steps. Computed once. */
const moneyPlaces = (input: JsonObject): readonly (readonly string[])[] => getOrMake(cache, input, readPlaces)
const cache = new WeakMap<JsonObject, readonly (readonly string[])[]>()
const readPlaces = (input: JsonObject): readonly (readonly string[])[] => costReferences(input).map(pointerSteps)

const knownCost = (args: Step['arguments'], input: JsonObject): number => costOf(input, withoutReferences(args))

/** What a call of the step may cost. `isOpen`: a part of it comes from an earlier result and is not counted. */
export const stepCost = (args: Step['arguments'], input: JsonObject): { known: number; isOpen: boolean } =>
  hasCost(input)
    ? { known: knownCost(args, input), isOpen: unknownPlace([...findReferences(args)], input) !== undefined }
    : { known: 0, isOpen: false }

/** The path of the first reference whose value is or contains money. */
function unknownPlace(references: readonly FoundReference[], input: JsonObject): readonly string[] | undefined {
  const places = moneyPlaces(input)
  const isMoney = (path: readonly string[]): boolean =>
    places.some((place) => path.every((step, depth) => place[depth] === step || place[depth] === '*'))
  return references.find(({ path }) => isMoney(path))?.path
}
