/**
 * What a person sees and approves with a plan, and which calls that covers. A call is covered if it has the arguments that were shown:
 * literals by value, references by the step and the path that they come from, costs up to the bound that was shown. Calls that the
 * tool of a step makes in turn were not shown and are never covered.
 */
import type { CoverableCall } from '../../pipeline/run-context.ts'
import { canonical } from '../../protocol/canonical.ts'
import { costOf } from '../../protocol/cost.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { smallerBudget, stepCost } from '../plan/check/budget.ts'
import type { Step } from '../plan/plan.ts'
import { findReferences, resolveReferences } from '../plan/reference.ts'
import type { ActiveRun } from './active-run.ts'
import { resultOf } from './journal/state.ts'
import { withSecretValues } from './planning/plan-secrets.ts'
import { planStepOf } from './steps/step-id.ts'

/** A step as it is shown. */
export interface ShownStep extends Pick<Step, 'id' | 'tool' | 'arguments' | 'why' | 'criteria'> {
  /** the most that its call may cost; undefined if it costs nothing */
  readonly cost_at_most?: number
  readonly can_be_undone?: boolean
}

export interface ShownPlan {
  readonly run: string
  readonly goal: string
  /** the steps that change something */
  readonly steps: readonly ShownStep[]
  /** the steps whose results those use, directly or through others */
  readonly sources: readonly ShownStep[]
}

export function shownPlan(run: ActiveRun): ShownPlan {
  const { plan, tools } = run.state
  const all = plan?.steps ?? []
  const changing = all.filter(({ tool }) => tools[tool]?.destructive === true)
  const used = sourcesOf(
    changing.map(({ id }) => id),
    all,
  )
  return {
    run: run.id,
    goal: plan?.goal ?? '',
    steps: changing.map((step) => shownStep(run, step)),
    sources: all
      .filter(({ id, tool }) => used.has(id) && tools[tool]?.destructive !== true)
      .map((step) => shownStep(run, step)),
  }
}

function shownStep(run: ActiveRun, step: Step): ShownStep {
  const { id, tool, arguments: args, why, criteria } = step
  const bound = costBound(run, step)
  const planned = run.state.tools[tool]
  return {
    id,
    tool,
    arguments: args,
    why,
    ...(criteria !== undefined && criteria.length > 0 && { criteria }),
    ...(bound > 0 && { cost_at_most: bound }),
    ...(planned?.destructive === true && { can_be_undone: planned.undo }),
  }
}

/** Where the amount comes from an earlier result, the run's budget of money is the bound. */
function costBound(run: ActiveRun, step: Step): number {
  const input = inputOf(run, step.tool)
  if (input === undefined) return 0
  const { known, isOpen } = stepCost(step.arguments, input)
  if (!isOpen) return known
  return smallerBudget(run.state.plan?.budget ?? {}, run.settings.budget).money ?? known
}

const inputOf = (run: ActiveRun, tool: string): JsonObject | undefined => {
  const version = run.state.tools[tool]?.version
  return version === undefined ? undefined : run.environment.fleet.server.registry.find(tool, version)?.input.json
}

/** The id of the plan's approval if it covers this call of the step. */
export function planCovers(
  run: ActiveRun,
  step: Step,
  { tool, args, depth, undone }: CoverableCall,
): string | undefined {
  const { tools, planApproval } = run.state
  if (planApproval === undefined || depth !== 0) return undefined
  if (tool.name !== step.tool || tool.hash !== tools[tool.name]?.hash) return undefined
  // The person saw that the step can be undone, and what is undone is what the step did.
  if (undone !== undefined)
    return undone.run === run.id && planStepOf(undone.step ?? '') === step.id ? planApproval : undefined
  return isAsShown(run, step, args) ? planApproval : undefined
}

function isAsShown(run: ActiveRun, step: Step, args: unknown): boolean {
  const { state } = run
  // A source that was revised ran with arguments that nobody saw, and so did every step that uses its result.
  if (state.revised.size > 0) {
    const used = sourcesOf([step.id], state.plan?.steps ?? [])
    if ([...used].some((id) => state.revised.has(id))) return false
  }
  const resolved = resolveReferences(step.arguments as JsonObject, (from) => resultOf(state, from)?.data)
  if (!resolved.ok) return false
  const shown = withSecretValues(resolved.value, run.secrets.get(step.id))
  if (canonical(args ?? {}) !== canonical(shown)) return false
  const input = inputOf(run, step.tool)
  return input !== undefined && costOf(input, args ?? {}) <= costBound(run, step) + TINY
}

/** Sums of decimal fractions are not exact. */
const TINY = 1e-9

/** The ids of the steps whose results these steps use, directly or through others. */
function sourcesOf(ids: readonly string[], steps: readonly Step[]): Set<string> {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const found = new Set<string>()
  const left = [...ids]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    for (const { value } of findReferences(byId.get(id)?.arguments ?? {})) {
      if (found.has(value.$from)) continue
      found.add(value.$from)
      left.push(value.$from)
    }
  }
  return found
}
