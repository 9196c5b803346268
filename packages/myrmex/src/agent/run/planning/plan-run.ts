/** The phases observe and think: lists the tools, makes a plan and checks it. */

import { untilAborted } from '../../../host/upstream/upstream-errors.ts'
import { trustRefusal } from '../../../pipeline/gates/trust.ts'
import { pointer } from '../../../protocol/json.ts'
import { SecretFilter, secretTexts } from '../../../protocol/secret.ts'
import type { Registry } from '../../../tool/registry.ts'
import { type SecretProblem, withSecrets } from '../../brain/known-secrets.ts'
import {
  knownFaults,
  knownProblems as knownProblemsOf,
  namesUsedIn,
  overriddenTexts,
  unusedText,
  withAssumptions,
} from '../../brain/known-values.ts'
import { fleetSecretNames } from '../../fleet/fleet-secrets.ts'
import type { ToolStatistics } from '../../fleet/tool-view.ts'
import { checkPlan, type PlanCheck, type Problem } from '../../plan/check.ts'
import { type Plan, type PlanContext, PlanSchema } from '../../plan/plan.ts'
import type { ActiveRun } from '../active-run.ts'
import type { RunEnvironment } from '../environment.ts'
import type { EventBodies, PlannedTool } from '../journal/events.ts'
import { encryptSecrets, hideSecrets, type PlanSecrets, textsOf } from './plan-secrets.ts'
import { playbookAdvice } from './playbook-advice.ts'
import { checkWithAgents } from './refused-by-agents.ts'

export interface PlanProposal {
  readonly plan: Plan
  readonly by: string
  /** without secrets, like the checked plan and its problems: all that is stored and shown */
  readonly notes: readonly string[]
  readonly checked: PlanCheck
  /** the plan, valid or not, without its secrets */
  readonly shown: Plan
  /** what was removed from the checked plan */
  readonly secrets: PlanSecrets
  /** problems of the known values, which no answer solves; they are those of `checked`, too */
  readonly knownProblems: readonly Problem[]
}

export interface ProposeOptions {
  readonly signal?: AbortSignal | undefined
  /** unknown names among the known values are a problem, because a person typed them; otherwise the assumptions of the plan say so */
  readonly isStrict?: boolean | undefined
}

interface CheckProposalOptions extends Pick<ProposeOptions, 'isStrict'> {
  /** names of known values that the author of the plan looked up */
  readonly read?: ReadonlySet<string> | undefined
  /** the plan was not made from the known values: only its secrets and its budget are taken from them */
  readonly isGiven?: boolean
}

/** Used by runs and by --plan-only. */
export async function proposePlan(
  environment: RunEnvironment,
  goal: string,
  context: PlanContext,
  { signal, isStrict }: ProposeOptions = {},
): Promise<PlanProposal> {
  const { fleet, brain } = environment
  const learned = await toolStatistics(environment)
  // A model is shown only what is reviewed now.
  await environment.ledger.trust.refresh()
  const asked = { goal, context, tools: fleet.views(), learned }
  const advice = await playbookAdvice(fleet.playbooks, asked, signal)
  const checkPlanOf = (plan: Plan, by: string, notes: readonly string[]): PlanProposal =>
    checkProposal(environment, plan, by, notes, context, { isStrict, read: advice?.read })
  if (advice?.plan !== undefined) return checkPlanOf(advice.plan, advice.by, advice.notes)
  const request = advice?.request ?? asked
  const { value, by, notes } = await brain.plan(request, signal)
  const proposal = checkPlanOf(value, by, [...(advice?.notes ?? []), ...notes])
  if (value.steps.length > 0) return proposal
  // If the brain found no plan, an agent with its own planner may have one.
  for (const agent of fleet.agents.filter(({ hasOwnPlan }) => hasOwnPlan)) {
    const plan = await agent.plan(goal, request.context, signal).catch(() => {
      signal?.throwIfAborted()
      // The next agent may have a plan.
      return undefined
    })
    if (plan === undefined || plan.steps.length === 0) continue
    const read = namesUsedIn(plan, context.known)
    const notes = [`The plan is that of ${agent.name}.`]
    const own = checkProposal(environment, plan, agent.name, notes, context, { isStrict, read })
    // A plan with questions is accepted: they are asked before it is checked.
    if (own.checked.ok || plan.questions.length > 0) return own
  }
  return proposal
}

/** Checks the plan with its secrets, and takes them out of everything that is stored or shown. */
export function checkProposal(
  { fleet }: RunEnvironment,
  proposed: Plan,
  by: string,
  notes: readonly string[],
  context: PlanContext,
  { isStrict = false, read, isGiven = false }: CheckProposalOptions = {},
): PlanProposal {
  const tools = fleet.views()
  const isPlan = PlanSchema.safeParse(proposed).success
  const faults = knownFaults(context.known, isPlan ? proposed : NO_PLAN, tools, { read, isFinal: isGiven })
  const knownProblems = knownProblemsOf(isStrict ? faults : { ...faults, unused: [] })
  const assumptions = [...(isStrict ? [] : faults.unused), ...faults.elsewhere].map(unusedText)
  if (isGiven) assumptions.push(...overriddenTexts(context.known, proposed, tools))
  const noted = isPlan ? withAssumptions(proposed, assumptions) : proposed
  const { plan, problems } = isPlan ? withSecrets(noted, context, tools) : { plan: noted, problems: [] }
  const missing = problems.filter(({ isMissing }) => isMissing)
  const checked =
    knownProblems.length > 0
      ? { ok: false as const, problems: knownProblems }
      : missing.length > 0
        ? unfilled(missing, plan)
        : checkPlan(plan, tools, context.budget === undefined ? {} : { budget: context.budget })
  const hidden = hideSecrets(
    checked.ok ? checked.plan : isPlan ? plan : NO_PLAN,
    (name) => fleet.server.registry.find(name)?.input.secrets,
  )
  const known = secretTexts(context.known, fleetSecretNames(fleet))
  const filter = new SecretFilter(new Set(), [...textsOf(hidden.secrets), ...known])
  const shown = withoutTexts(hidden.plan, filter)
  const clean = (found: readonly Problem[]): Problem[] =>
    found.map((one) => ({ ...one, message: filter.text(one.message) }))
  return {
    plan,
    by,
    notes: notes.map((note) => filter.text(note)),
    shown,
    secrets: hidden.secrets,
    knownProblems: clean(knownProblems),
    checked: checked.ok
      ? { ...checked, plan: shown, warnings: clean(checked.warnings.filter(({ code }) => code !== 'secret-in-plan')) }
      : { ok: false, problems: clean(checked.problems) },
  }
}

const NO_PLAN: Plan = { goal: '', steps: [], budget: {}, assumptions: [], questions: [] }

/** Planners write sentences about the values that they chose. Ids, names and arguments stay as they are. */
const withoutTexts = (plan: Plan, filter: SecretFilter): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, why: filter.text(step.why) })),
  assumptions: plan.assumptions.map((one) => filter.text(one)),
  questions: plan.questions.map((one) => ({ ...one, question: filter.text(one.question) })),
})

function unfilled(problems: readonly SecretProblem[], plan: Plan): Extract<PlanCheck, { ok: false }> {
  const at = (id: string): number => plan.steps.findIndex((step) => step.id === id)
  return {
    ok: false,
    problems: problems.map(({ step, path, message }) => ({
      code: 'bad-argument',
      step,
      path: `${pointer(['steps', at(step), 'arguments'])}${path}`,
      message: `${message}. Give its value, as with --with NAME=VALUE.`,
    })),
  }
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
    await journal.write('answered', { names: Object.keys(settings.context.known ?? {}), by: settings.principal.id })
  await journal.write('phase', { phase: 'observe' })
  const problems = await environment.fleet.refresh()
  await journal.write('observed', {
    agents: environment.fleet.agents.map(({ name }) => name),
    tools: environment.fleet.views().length,
    problems: problems.map(({ agent, message }) => `${agent}: ${message}`),
  })
  await journal.write('phase', { phase: 'think' })
  const given = settings.plan
  const context = { ...settings.context, budget: settings.budget }
  // The names were checked before the questions were asked, and the answers when they were given. The answers decide which are used.
  const isStrict = settings.strict_known === true && !run.state.hasAnswers
  // Cancelling works even if the brain ignores the signal.
  const proposal =
    given === undefined
      ? await untilAborted(proposePlan(environment, row.goal, context, { signal: run.signal, isStrict }), run.signal)
      : checkProposal(environment, given, 'the caller who started the run', [], context, { isStrict, isGiven: true })
  const { shown, by, notes } = proposal
  const here = proposal.checked.ok ? await trusted(proposal.checked, run) : proposal.checked
  const checked = await untilAborted(checkWithAgents(environment.fleet, here, run.signal), run.signal)
  if (shown.questions.length > 0 && proposal.knownProblems.length === 0) {
    await journal.write('questions', { questions: shown.questions })
    return 'waiting'
  }
  if (!checked.ok) {
    await journal.write('unfit', { problems: checked.problems.slice(0, 50), by })
    return 'unfit'
  }
  const encrypted = encryptSecrets(proposal.secrets, run.id, run.ledger.key)
  const planned: EventBodies['planned'] = {
    plan: checked.plan,
    by,
    notes: [...notes],
    warnings: checked.warnings.map(({ message }) => message),
    cost: checked.cost,
    levels: checked.levels,
    tools: definitionsOf(checked.plan, environment.fleet.server.registry),
    ...(encrypted !== undefined && { encrypted }),
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
