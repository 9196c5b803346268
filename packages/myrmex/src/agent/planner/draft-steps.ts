/**
 * From the chosen tools to the steps of a plan: in an order in which every input exists before it is needed. Each argument is a
 * known value or the best field of an earlier step.
 */
import { costOf } from '../../protocol/cost.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import { valueFor } from './matching/available-values.ts'
import { valueFits } from './matching/fits.ts'
import { compareMatches } from './matching/offer-index.ts'
import { actionLevels } from './search/graph.ts'
import type { PlanningTask, SearchSpace } from './search/search-space.ts'
import type { Candidate, ChosenValue, Match, Need } from './types.ts'

/** One argument that comes from an earlier step. */
export interface Link {
  readonly need: Need
  readonly match: Match
}

/** A required input without a value. */
interface MissingInput {
  readonly need: Need
  /** tools that could give it, at a price that was not worth it */
  readonly sources: readonly ToolView[]
}

export interface DraftStep {
  readonly id: string
  readonly tool: ToolView
  readonly arguments: JsonObject
  readonly links: readonly Link[]
  /** assumptions about known values */
  readonly notes: readonly string[]
  readonly missing: readonly MissingInput[]
  readonly budgetShares: readonly Need[]
}

/** `chosen` are the actions found: candidates, and after them questions. */
export function draftSteps(task: PlanningTask, space: SearchSpace, chosen: ReadonlySet<number>): readonly DraftStep[] {
  const steps: DraftStep[] = []
  for (const level of actionLevels(space.graph, (action) => chosen.has(action))) {
    const earlier = new Map(steps.map(({ tool, id }) => [tool, id]))
    for (const candidate of level.flatMap((action) => task.candidates[action] ?? []))
      steps.push(stepOf(candidate, `s${steps.length + 1}`, earlier, task, space))
  }
  return withBudgetShares(steps, task.available.money)
}

function setArgument(args: JsonObject, path: readonly string[], value: unknown): void {
  let here: Record<string, unknown> = args
  for (const [depth, key] of path.entries()) {
    const next = depth === path.length - 1 ? value : (here[key] ?? {})
    // As JSON would: a property of any name, and no setter of a prototype.
    Object.defineProperty(here, key, { value: next, enumerable: true, configurable: true, writable: true })
    here = next as Record<string, unknown>
  }
}

function stepOf(
  { tool, needs }: Candidate,
  id: string,
  earlier: ReadonlyMap<ToolView, string>,
  { offers, available }: PlanningTask,
  space: SearchSpace,
): DraftStep {
  const args: JsonObject = {}
  const links: Link[] = []
  const notes: string[] = []
  const missing: MissingInput[] = []
  const budgetShares: Need[] = []
  const fill = (need: Need, { value, note, isBudgetShare }: ChosenValue): void => {
    if (isBudgetShare === true) budgetShares.push(need)
    // Copied, because an object made here grows by its parts.
    else setArgument(args, need.path, structuredClone(value))
    if (note !== undefined) notes.push(note)
  }
  const link = (need: Need, match: Match): void => {
    const reference = { $from: earlier.get(match.offer.tool) ?? '', path: match.offer.pointer }
    setArgument(args, need.path, match.wrapped ? [reference] : reference)
    links.push({ need, match })
  }
  /** Only certain values: a known one, or a field of the same type. */
  const fillOptional = (need: Need): void => {
    const value = valueFor(need, available)
    if (value !== undefined) {
      fill(need, value)
      return
    }
    const sameType = offers.matchesFor(need).filter((one) => one.sameType && one.offer.tool !== tool && one.alwaysFits)
    const match = bestMatch(sameType, earlier)
    if (match !== undefined) {
      link(need, match)
      return
    }
    const parts = need.parts.map((part) => [part, valueFor(part, available)] as const)
    const isWhole = parts.every(([part, known]) => known !== undefined || !part.required)
    const isAny = parts.some(([, known]) => known !== undefined && known.isBudgetShare !== true)
    if (!isWhole || !isAny) return
    fill(need, { value: {} })
    for (const [part, known] of parts) if (known !== undefined) fill(part, known)
  }
  for (const { need, value, matches } of space.slots.get(tool) ?? []) {
    if (value !== undefined) {
      fill(need, value)
      continue
    }
    const counted = new Set(space.matches[space.factOf(need) ?? -1]?.map(({ offer }) => offer))
    const match = bestMatch(
      matches.filter(({ offer }) => counted.has(offer)),
      earlier,
    )
    if (match === undefined) missing.push({ need, sources: [...new Set(matches.map(({ offer }) => offer.tool))] })
    else link(need, match)
  }
  for (const need of needs) if (!need.required) fillOptional(need)
  return { id, tool, arguments: args, links, notes, missing, budgetShares }
}

/** The surest field; of equals, that of the earliest step. */
function bestMatch(matches: readonly Match[], earlier: ReadonlyMap<ToolView, string>): Match | undefined {
  const order = [...earlier.keys()]
  const [best] = matches
    .filter(({ offer }) => earlier.has(offer.tool))
    .sort((one, other) => compareMatches(one, other) || order.indexOf(one.offer.tool) - order.indexOf(other.offer.tool))
  return best
}

/** Shares the budget, less the cost of other arguments, evenly among the inputs that take a share of it. */
function withBudgetShares(steps: readonly DraftStep[], money: number | undefined): readonly DraftStep[] {
  const count = steps.reduce((sum, { budgetShares }) => sum + budgetShares.length, 0)
  if (count === 0 || money === undefined) return steps
  const known = steps.reduce((sum, step) => sum + costOf(step.tool.input, literalArguments(step)), 0)
  const share = Math.floor((Math.max(0, money - known) / count) * 100) / 100
  const source = count === 1 ? 'the budget' : `an even share of the budget among ${count}`
  return steps.map((step) => {
    const args = { ...step.arguments }
    const notes = [...step.notes]
    const missing = [...step.missing]
    for (const need of step.budgetShares) {
      const value = [share, Math.floor(share), need.schema.maximum].find(
        (one) => typeof one === 'number' && one <= share && valueFits(need, one),
      )
      if (value === undefined) {
        missing.push({ need, sources: [] })
        continue
      }
      setArgument(args, need.path, value)
      notes.push(`Took ${need.property} = ${value} for ${step.tool.name} from ${source}.`)
    }
    return { ...step, arguments: args, notes, missing }
  })
}

/** The arguments that are known beforehand. */
export function literalArguments(step: DraftStep): JsonObject {
  const known = { ...step.arguments }
  for (const { need } of step.links) delete known[need.path[0] ?? '']
  return known
}
