/** The phases observe and think: lists the tools, makes a plan and checks it. */

import { untilAborted } from '../../../host/upstream/upstream-errors.ts'
import { trustRefusal } from '../../../pipeline/gates/trust.ts'
import { canonical } from '../../../protocol/canonical.ts'
import { type JsonObject, pointer } from '../../../protocol/json.ts'
import { redact } from '../../../protocol/secret.ts'
import type { Registry } from '../../../tool/registry.ts'
import type { ToolStatistics } from '../../fleet/tool-view.ts'
import { checkPlan, type PlanCheck, type Problem } from '../../plan/check.ts'
import type { Budget, Plan, PlanContext } from '../../plan/plan.ts'
import type { ActiveRun } from '../active-run.ts'
import type { RunEnvironment } from '../environment.ts'
import type { EventBodies, PlannedTool } from '../journal/events.ts'
import { playbookAdvice } from './playbook-advice.ts'

export interface PlanProposal {
  readonly plan: Plan
  readonly by: string
  readonly notes: readonly string[]
  readonly checked: PlanCheck
}

/** Used by runs and by --plan-only. */
export async function proposePlan(
  environment: RunEnvironment,
  goal: string,
  context: PlanContext,
  budget: Budget,
  signal?: AbortSignal,
): Promise<PlanProposal> {
  const { fleet, brain } = environment
  const learned = await toolStatistics(environment)
  const asked = { goal, context: { ...context, budget }, tools: fleet.views(), learned }
  const advice = await playbookAdvice(fleet.playbooks, asked, signal)
  if (advice?.plan !== undefined) return checkProposal(environment, advice.plan, advice.by, advice.notes, budget)
  const request = advice?.request ?? asked
  const { value, by, notes } = await brain.plan(request, signal)
  const proposal = checkProposal(environment, value, by, [...(advice?.notes ?? []), ...notes], budget)
  if (value.steps.length > 0) return proposal
  // If the brain found no plan, an agent with its own planner may have one.
  for (const agent of fleet.agents.filter(({ hasOwnPlan }) => hasOwnPlan)) {
    const plan = await agent.plan(goal, request.context, signal).catch(() => {
      signal?.throwIfAborted()
      // The next agent may have a plan.
      return undefined
    })
    if (plan === undefined || plan.steps.length === 0) continue
    const own = checkProposal(environment, plan, agent.name, [`The plan is that of ${agent.name}.`], budget)
    // A plan with questions is accepted: they are asked before it is checked.
    if (own.checked.ok || plan.questions.length > 0) return own
  }
  return proposal
}

export function checkProposal(
  { fleet }: RunEnvironment,
  plan: Plan,
  by: string,
  notes: readonly string[],
  budget: Budget,
): PlanProposal {
  const checked = checkPlan(plan, fleet.views(), { budget })
  const secrets = checked.ok ? secretsIn(checked.plan, fleet.server.registry) : []
  return { plan, by, notes, checked: secrets.length > 0 ? { ok: false, problems: secrets } : checked }
}

/** Plans are stored unchanged, and secrets must not be stored. */
function secretsIn(plan: Plan, registry: Registry): Problem[] {
  return plan.steps.flatMap((step, index) => {
    const secrets = registry.find(step.tool)?.input.secrets
    if (secrets === undefined || secrets.size === 0) return []
    if (canonical(redact(step.arguments, secrets)) === canonical(step.arguments)) return []
    return [
      {
        code: 'secret-in-plan',
        step: step.id,
        path: pointer(['steps', index, 'arguments']),
        message: `${step.id} has a secret among its arguments, and plans are stored. Let the tool read it from its environment.`,
      },
    ]
  })
}

async function toolStatistics({ ledger }: RunEnvironment): Promise<Map<string, ToolStatistics>> {
  const lessons = await ledger.runs.lessons()
  return new Map(
    lessons.map(({ tool, calls, failures, total_ms }) => [
      tool,
      { calls, failures, mean_ms: calls === 0 ? 0 : total_ms / calls },
    ]),
  )
}

/** planned: continue. waiting: the planner has questions. unfit: the plan failed the check and the run is over. */
export async function planRun(run: ActiveRun): Promise<'planned' | 'waiting' | 'unfit'> {
  const { journal, environment, settings, row } = run
  if (run.state.hasQuestions)
    await journal.write('answered', { known: (settings.context.known ?? {}) as JsonObject, by: settings.principal.id })
  await journal.write('phase', { phase: 'observe' })
  const problems = await environment.fleet.refresh()
  await journal.write('observed', {
    agents: environment.fleet.agents.map(({ name }) => name),
    tools: environment.fleet.views().length,
    problems: problems.map(({ agent, message }) => `${agent}: ${message}`),
  })
  await journal.write('phase', { phase: 'think' })
  const given = settings.plan
  // Cancelling works even if the brain ignores the signal.
  const proposal =
    given === undefined
      ? await untilAborted(
          proposePlan(environment, row.goal, settings.context, settings.budget, run.signal),
          run.signal,
        )
      : checkProposal(environment, given, 'the caller who started the run', [], settings.budget)
  const { plan, by, notes } = proposal
  const checked = proposal.checked.ok ? await trusted(proposal.checked, run) : proposal.checked
  if (plan.questions.length > 0) {
    await journal.write('questions', { questions: plan.questions })
    return 'waiting'
  }
  if (!checked.ok) {
    await journal.write('unfit', { problems: checked.problems.slice(0, 50), by })
    return 'unfit'
  }
  const planned: EventBodies['planned'] = {
    plan: checked.plan,
    by,
    notes: [...notes],
    warnings: checked.warnings.map(({ message }) => message),
    cost: checked.cost,
    levels: checked.levels,
    tools: definitionsOf(checked.plan, environment.fleet.server.registry),
  }
  await journal.write('planned', planned)
  return 'planned'
}

/** Reports tools that the trust gate would refuse before anything runs. */
async function trusted(checked: Extract<PlanCheck, { ok: true }>, { environment }: ActiveRun): Promise<PlanCheck> {
  const problems: Problem[] = []
  const { registry } = environment.fleet.server
  for (const name of new Set(checked.plan.steps.map((step) => step.tool))) {
    const tool = registry.find(name)
    const message = tool && (await trustRefusal(tool, environment.ledger.trust))
    if (message === undefined) continue
    const index = checked.plan.steps.findIndex((step) => step.tool === name)
    const step = checked.plan.steps[index]?.id as string
    problems.push({ code: 'not-trusted', step, path: pointer(['steps', index, 'tool']), message })
  }
  return problems.length === 0 ? checked : { ok: false, problems }
}

function definitionsOf(plan: Plan, registry: Registry): Record<string, PlannedTool> {
  const found: Record<string, PlannedTool> = {}
  for (const { tool: name } of plan.steps) {
    const tool = registry.find(name)
    if (tool === undefined) continue
    const { version, hash, destructive, idempotent, keyed, undo } = tool
    found[name] = { version, hash, destructive, undo: undo !== undefined, repeatable: idempotent || keyed }
  }
  return found
}
