/**
 * Checks a plan before anything runs. It returns data for any input, never throws, and takes bounded time. In a plan that
 * passes, every tool, argument and path exists. Warnings say what may still go wrong.
 */
import { messageOf } from '../../protocol/errors.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import { type CheckContext, checkArguments, checkReferences } from './check/arguments.ts'
import { PlanCosts, smallerBudget } from './check/budget.ts'
import { MismatchFinder } from './check/find-mismatch.ts'
import { parsePlanShape } from './check/plan-shape.ts'
import { checkPlanSize } from './check/plan-size.ts'
import { type Problem, Problems } from './check/problem.ts'
import { type StepTools, unknownStep } from './check/reference-source.ts'
import { levelsOf, reportCycles } from './check/step-order.ts'
import { NameHints, toolsOfSteps } from './check/tool-index.ts'
import type { Budget, Plan, Step } from './plan.ts'

export type { Problem } from './check/problem.ts'
export { PROBLEM_CODES } from './check/problem-codes.ts'

export interface CheckOptions {
  /** the smaller of this and the budget of the plan applies */
  readonly budget?: Budget
  /** In a plan with questions, missing values are only warnings: the answers may bring them. Such a plan cannot run yet. */
  readonly asking?: boolean
}

export type PlanCheck =
  | {
      readonly ok: true
      /** the given plan, with needs added for references and with the smaller budget */
      readonly plan: Plan
      /** money that is known in advance */
      readonly cost: number
      /** ids of steps that may run at the same time, level by level */
      readonly levels: string[][]
      readonly warnings: Problem[]
    }
  | { readonly ok: false; readonly problems: Problem[] }

/** A hundred times the work for a plan written by people. The rest of the arguments is left to the pipeline. */
const MAX_WORK = 500_000

export function checkPlan(plan: unknown, tools: readonly ToolView[], options: CheckOptions = {}): PlanCheck {
  const problems = new Problems()
  try {
    checkPlanSize(plan, problems)
    const shaped = problems.any ? undefined : parsePlanShape(plan, problems)
    if (shaped !== undefined) return checkSteps(shaped, tools, options, problems)
  } catch (error) {
    // Getters and proxies may throw anything.
    const why = messageOf(error)
    problems.add('unreadable', undefined, [], `the plan cannot be read: ${why.slice(0, 200)}`)
  }
  return { ok: false, problems: problems.list() }
}

function checkSteps(plan: Plan, views: readonly ToolView[], options: CheckOptions, problems: Problems): PlanCheck {
  const warnings = new Problems()
  const budget = smallerBudget(plan.budget, options.budget)
  const hints = new NameHints()
  const found = toolsOfSteps(plan.steps, views, hints, problems)
  const sources: StepTools = { tools: byId(plan.steps, found, problems), hints }
  const open = options.asking === true && plan.questions.length > 0 ? warnings : problems
  const check: CheckContext = {
    sources,
    problems,
    open,
    warnings,
    mismatches: new MismatchFinder(),
    work: { left: MAX_WORK },
  }
  const costs = new PlanCosts(budget, { problems, warnings, open })
  const before = new Map<string, Set<string>>()
  for (const [index, step] of plan.steps.entries()) {
    const needs = namedNeeds(step, index, sources, problems)
    const tool = found[index]
    const count = problems.count
    const implied = new Set<string>()
    const references = checkReferences(step, index, check, implied)
    for (const need of implied.difference(needs)) {
      needs.add(need)
      const text = `${step.id} refers to ${need}, which is not in its needs. It was added`
      warnings.add('need-added', step.id, ['steps', index, 'needs'], text)
    }
    if (tool !== undefined) checkArguments({ step, index, tool }, references, check)
    // The cost of wrong arguments is wrong, too.
    if (tool !== undefined && problems.count === count) costs.add(step, index, tool, references)
    before.set(step.id, needs)
  }
  const levels = levelsOf(plan.steps, before)
  reportCycles(plan.steps, before, levels, problems)
  costs.finish(plan)
  if (problems.any) return { ok: false, problems: problems.list() }
  const steps = plan.steps.map((step) => ({ ...step, needs: [...(before.get(step.id) ?? [])] }))
  return { ok: true, plan: { ...plan, steps, budget }, cost: costs.total, levels, warnings: warnings.list() }
}

/** The first of several steps with the same id counts. */
function byId(
  steps: readonly Step[],
  found: readonly (ToolView | undefined)[],
  problems: Problems,
): StepTools['tools'] {
  const tools = new Map<string, ToolView | undefined>()
  for (const [index, { id }] of steps.entries()) {
    if (!tools.has(id)) tools.set(id, found[index])
    else problems.add('duplicate-id', id, ['steps', index, 'id'], `an earlier step has the id ${id}, too`)
  }
  return tools
}

function namedNeeds(step: Step, index: number, sources: StepTools, problems: Problems): Set<string> {
  const needs = new Set<string>()
  for (const [place, need] of step.needs.entries()) {
    if (sources.tools.has(need)) needs.add(need)
    else problems.add('unknown-step', step.id, ['steps', index, 'needs', place], () => unknownStep(need, sources))
  }
  return needs
}
