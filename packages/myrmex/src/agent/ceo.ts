/**
 * The CEO: an agent whose tools start, show and stop runs, for any MCP client. It plans with the tools of the whole fleet. People
 * approve state-changing steps elsewhere, never through this connection.
 */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import type { Decider } from '../ledger/journal/decision.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RunRow } from '../ledger/runs.ts'
import { BudgetSchema } from '../protocol/budget.ts'
import { ToolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Context, Principal } from '../tool/context.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { type Agent, agent } from './agent.ts'
import { withAssumptions } from './brain/known-values.ts'
import { fleetSecretNames } from './fleet/fleet-secrets.ts'
import { QuestionSchema } from './plan/plan.ts'
import { eventOf, type LiveEvent, openQuestions } from './run/journal/events.ts'
import { ReportSchema } from './run/journal/report.ts'
import { proposePlan } from './run/planning/plan-run.ts'
import { refusedByAgents } from './run/planning/refused-by-agents.ts'
import { isOver, type Runs } from './run/runs.ts'

const StatusSchema = z.object({
  run_id: z.string().meta({ type_id: 'run_id' }),
  goal: z.string(),
  status: z.enum(['running', 'waiting', 'succeeded', 'failed', 'cancelled', 'refused']),
  waiting_for: z.array(z.string()).describe('what people must do before it can continue'),
  questions: z.array(QuestionSchema).describe('unanswered questions; send the answers with run_goal as known'),
  spent: z.number(),
  report: ReportSchema.nullable().describe('the report, after the run ended'),
})

const UNKNOWN_RUN = { ValidationError: 'there is no such run, or it is not yours' }
const MAX_WAIT_MS = 600_000

/** `enqueue` hands a new run to the workers. By default the run is executed in this process. */
export interface CeoOptions {
  readonly enqueue?: (run: string) => Promise<void>
  readonly onFailure?: (thrown: unknown) => void
}

export function ceo(runs: Runs, options: CeoOptions = {}): Agent {
  return agent({
    name: 'ceo',
    version: '2.1.0',
    description: 'Leads a fleet of agents: give it a goal, and it plans, delegates, has the work judged, and reports.',
    tools: [runGoal(runs, options), runStatus(runs), cancelRun(runs)],
    plansWith: () => runs.environment.fleet.views(),
    plan: async ({ goal, context }, ctx) => {
      const { plan, knownProblems } = await proposePlan(runs.environment, goal, context, { signal: ctx.signal })
      if (knownProblems.length > 0)
        throw ToolError.of('ValidationError', knownProblems.map(({ message }) => message).join(' '))
      const refused = await refusedByAgents(runs.environment.fleet, plan, ctx.signal)
      return withAssumptions(
        plan,
        refused.map(({ step, message }) => `Step ${step} cannot run yet: ${message}`),
      )
    },
    secretNames: fleetSecretNames(runs.environment.fleet),
    brain: runs.environment.brain,
  })
}

/**
 * Trusts the CEO's tools that change state and gives them a standing grant. Starting the CEO is the decision to let clients give it goals and
 * cancel their runs; each plan is approved on its own. It happens once per version. Decisions of a person about these tools stay.
 * In a locked ledger both wait for the operator's signature, which `note` says.
 */
export async function trustCeo(
  { trust, grants, lock }: Ledger,
  { tools }: Pick<Agent, 'tools'>,
  by: Decider,
  note: (text: string) => void = () => {},
): Promise<void> {
  const decisions = await trust.decisions()
  let proposed = 0
  for (const one of tools) {
    const known = decisions.filter(({ tool: name }) => name === one.name)
    const isDecided = known.some(({ version, level }) => version === one.version || level === 'untrusted')
    if (!one.destructive || isDecided) continue
    const definition = { tool: one.name, version: one.version, hash: one.hash }
    await trust.recordDefinitions([one])
    await trust.propose(definition, 'trusted', by)
    await grants.propose(definition, by)
    proposed++
  }
  if (lock.isLocked && proposed > 0)
    note(`clients cannot give the CEO goals until you sign the trust in its tools: npx myrmex operator sign`)
}

function runGoal(runs: Runs, { enqueue, onFailure = () => {} }: CeoOptions): Tool {
  const made = tool({
    name: 'ceo.run_goal',
    version: '2.1.0',
    title: 'Run a goal',
    description:
      'Starts a run: plans the goal with the tools of the fleet, checks the plan, executes it, has results judged and ' +
      'reports. Returns when the run has ended or waits for people, at the latest after wait_ms. The run continues without ' +
      'its caller, and run_status returns its progress.',
    input: z.object({
      goal: z.string().min(1).max(4000).meta({ type_id: 'goal' }).describe('the goal, in a sentence'),
      budget: BudgetSchema.optional().describe('an amount of money, such as 5000, or limits of money, calls and time'),
      known: z.record(z.string(), z.unknown()).optional().describe('known values, by semantic type or by name'),
      run_id: z.string().optional().describe('a run that asked questions: continues with these known values'),
      wait_ms: z
        .int()
        .min(0)
        .max(MAX_WAIT_MS)
        .default(20_000)
        .describe('how long to wait for the end, in milliseconds'),
    }),
    output: StatusSchema,
    errors: UNKNOWN_RUN,
    idempotent: false,
    destructive: true,
    security:
      'Starts a run, which is recorded and continues without its caller, and may change what its steps change. Every step passes the ' +
      'pipeline as a call of the same principal. Steps that change state wait until a person approves the plan on the command ' +
      'line. Calls that the constitution reserves need their own approval. A budget limits money, calls and time.',
    examples: [],
    timeout: MAX_WAIT_MS + 30_000,
    task: true,
    run: async ({ goal, budget, known, run_id, wait_ms }, ctx) => {
      const { principal } = ctx
      if (run_id !== undefined) {
        await ownRun(runs, run_id, principal)
        await runs.answer(run_id, (known ?? {}) as JsonObject, 'name in known')
      }
      const given = { ...(budget !== undefined && { budget }), ...(known !== undefined && { context: { known } }) }
      const run = run_id === undefined ? await runs.start({ goal, principal, ...given }) : await runs.find(run_id)
      if (enqueue !== undefined) await enqueue(run.id)
      else void runs.execute(run.id, { onEvent: progressOf(ctx) }).catch(onFailure)
      await waitForRun(runs, run.id, wait_ms, ctx)
      return statusOf(runs, await runs.find(run.id))
    },
  })
  // Its own schema cannot say which of the known values are secret: the tools of the fleet do.
  return Object.freeze({ ...made, input: { ...made.input, secrets: fleetSecretNames(runs.environment.fleet) } })
}

function runStatus(runs: Runs): Tool {
  return tool({
    name: 'ceo.run_status',
    version: '1.0.0',
    title: 'Status of a run',
    description: 'The progress of a run, what it waits for, and its report after it has ended.',
    input: z.object({ run_id: z.string().meta({ type_id: 'run_id' }) }),
    output: StatusSchema,
    errors: UNKNOWN_RUN,
    idempotent: true,
    destructive: false,
    security: 'Shows only runs of the same principal. The local operator sees all.',
    examples: [],
    run: async ({ run_id }, { principal }) => statusOf(runs, await ownRun(runs, run_id, principal)),
  })
}

function cancelRun(runs: Runs): Tool {
  return tool({
    name: 'ceo.cancel_run',
    version: '2.0.0',
    title: 'Stop a run',
    description: 'The kill switch: no further step starts, and running steps are interrupted within a second.',
    input: z.object({
      run_id: z.string().meta({ type_id: 'run_id' }),
      reason: z.string().max(500).default('no reason was given'),
    }),
    output: z.object({ run_id: z.string(), status: StatusSchema.shape.status, stopping: z.boolean() }),
    errors: UNKNOWN_RUN,
    idempotent: true,
    destructive: true,
    security:
      'Ends a run for good: its steps are interrupted, and finished steps are not undone. Stops only runs of the same principal. `myrmex ' +
      'ceo` gives it a standing grant at its first start, so that it waits for no approval.',
    examples: [],
    run: async ({ run_id, reason }, { principal }) => {
      await ownRun(runs, run_id, principal)
      const stopping = await runs.cancel(run_id, principal.id, reason)
      return { run_id, status: (await runs.find(run_id)).status, stopping }
    },
  })
}

/** A remote caller sees only its own runs, and does not learn whether a run of somebody else exists. */
async function ownRun(runs: Runs, id: string, { kind, id: principal }: Principal): Promise<RunRow> {
  if (kind === 'local') return runs.find(id)
  const row = await runs.environment.ledger.runs.find(id)
  if (row?.principal === principal) return row
  throw ToolError.of('ValidationError', `There is no run ${id} of yours.`)
}

async function statusOf(runs: Runs, row: RunRow): Promise<z.infer<typeof StatusSchema>> {
  const { id, goal, status, spent, report } = row
  const events = status === 'waiting' ? (await runs.environment.ledger.runs.events(id)).map(eventOf) : []
  return {
    run_id: id,
    goal,
    status,
    waiting_for: events.findLast((event) => event.kind === 'waiting')?.body.for ?? [],
    questions: openQuestions(events),
    spent,
    report: report === null ? null : ReportSchema.parse(JSON.parse(report)),
  }
}

/** Waits until the run has ended or waits for people, the caller cancels, or the time is up. */
async function waitForRun(runs: Runs, id: string, waitMs: number, { signal }: Context): Promise<void> {
  const until = performance.now() + waitMs
  while (performance.now() < until && !signal.aborted) {
    const { status } = await runs.find(id)
    if (isOver(status) || status === 'waiting') return
    await pause(50)
  }
}

/** Reports completed and planned steps as progress of the call. */
function progressOf(ctx: Context): (event: LiveEvent) => void {
  let total = 0
  let done = 0
  return (event) => {
    if (event.kind === 'planned') total = event.body.plan.steps.length
    if (event.kind === 'finished' && event.result.status !== 'failure')
      ctx.progress(++done, total, `${event.step} ${event.tool}`)
  }
}
