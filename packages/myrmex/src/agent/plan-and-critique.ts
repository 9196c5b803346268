/**
 * Plans and verdicts of an agent, by its author's function or else by a brain. A plan that is invalid for the agent's tools and an
 * invalid verdict are rejected with an error that names the locations.
 */
import { ToolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { zodFaults } from '../protocol/zod-issue.ts'
import type { MethodContext } from '../tool/context.ts'
import type { Agent } from './agent.ts'
import type { Brain, Thought } from './brain/brain.ts'
import { type CritiqueRequest, type Verdict, VerdictSchema } from './critic/verdict.ts'
import { type ToolView, toolViewOf } from './fleet/tool-view.ts'
import type { PlanCheck } from './plan/check.ts'
import type { PlanContext } from './plan/plan.ts'

/** A valid plan, and the facts that the check computed. */
export type CheckedPlan = Pick<Extract<PlanCheck, { ok: true }>, 'plan' | 'cost' | 'levels'>

/** `brain` is used if the agent has none. */
export async function planByAgent(
  agent: Agent,
  { goal, context }: { readonly goal: string; readonly context: PlanContext },
  ctx: MethodContext,
  brain?: Brain,
): Promise<Thought<CheckedPlan>> {
  const tools = agent.plansWith?.() ?? agent.tools.map((tool) => toolViewOf(tool, agent.name))
  const request = { goal, context, tools }
  const { recordReads, withUnusedNames } = await import('./brain/known-values.ts')
  // The code of an author may look up names that are no inputs of tools.
  const { context: recorded, read } = agent.plan === undefined ? { context, read: undefined } : recordReads(context)
  const thought =
    agent.plan === undefined
      ? await (await brainOf(agent, brain)).plan(request, ctx.signal)
      : { value: await agent.plan({ ...request, context: recorded }, ctx), by: agent.name, notes: [] }
  const value = await checkedPlan(thought.value, tools, { goal, context }, agent.name)
  return { ...thought, value: { ...value, plan: withUnusedNames(value.plan, context.known, tools, read) } }
}

export async function verdictByAgent(
  agent: Agent,
  request: CritiqueRequest,
  ctx: MethodContext,
  brain?: Brain,
): Promise<Thought<Verdict>> {
  const thought =
    agent.critique === undefined
      ? await (await brainOf(agent, brain)).critique(request, ctx.signal)
      : { value: await agent.critique(request, ctx), by: agent.name, notes: [] }
  return { ...thought, value: checkedVerdict(thought.value, agent.name) }
}

/** The checker and the brains are loaded by the first request, because most servers get none. */
export async function checkedPlan(
  value: unknown,
  tools: readonly ToolView[],
  { goal, context: { budget } }: { readonly goal: string; readonly context: PlanContext },
  name: string,
): Promise<CheckedPlan> {
  const { checkPlan } = await import('./plan/check.ts')
  const checked = checkPlan(value, tools, { asking: true, ...(budget !== undefined && { budget }) })
  if (!checked.ok) throw unfit(`The plan of ${name} is invalid`, checked.problems)
  // The person who approves it must read the goal as it was given, not as the planner wrote it.
  return { plan: { ...checked.plan, goal }, cost: checked.cost, levels: checked.levels }
}

export function checkedVerdict(value: unknown, name: string): Verdict {
  const parsed = VerdictSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = zodFaults(VerdictSchema, value)
  throw unfit(`The verdict of ${name} is invalid`, problems)
}

async function brainOf(agent: Agent, given: Brain | undefined): Promise<Brain> {
  const brain = agent.brain ?? given
  if (brain !== undefined) return brain
  const { brainFrom } = await import('./brain/choose.ts')
  return brainFrom(process.env)
}

const MAX_SHOWN = 10

function unfit(what: string, problems: readonly { readonly path: string; readonly message: string }[]): ToolError {
  const words = problems.slice(0, MAX_SHOWN).map(({ path, message }) => `${path || 'the whole'}: ${message}`)
  if (problems.length > MAX_SHOWN) words.push(`and ${problems.length - MAX_SHOWN} more`)
  const shown: JsonObject[] = problems.slice(0, MAX_SHOWN).map((problem) => ({ ...problem }))
  return ToolError.of('ToolExecutionError', `${what}. ${words.join('; ')}`, { problems: shown })
}
