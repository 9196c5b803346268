/**
 * The CEO: an agent whose tools are runs. Any MCP client can give it a goal, look how far it is, and stop it. It plans with the
 * tools of the whole fleet; what a plan changes is approved by people elsewhere, never through this connection.
 */
import * as z from 'zod'
import type { RunRow } from '../ledger/runs.ts'
import { ToolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Context, Principal } from '../tool/context.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { type Agent, agent } from './agent.ts'
import { BudgetSchema, QuestionSchema } from './plan/plan.ts'
import type { LiveEvent } from './run/journal/events.ts'
import { ReportSchema } from './run/journal/report.ts'
import { proposePlan } from './run/planning/plan-run.ts'
import { isOver, openQuestions, type Runs } from './run/runs.ts'

const StatusSchema = z.object({
  run_id: z.string().meta({ type_id: 'run_id' }),
  goal: z.string(),
  status: z.enum(['running', 'waiting', 'succeeded', 'failed', 'cancelled', 'refused']),
  waiting_for: z.array(z.string()).describe('what people must do before it can go on'),
  questions: z.array(QuestionSchema).describe('what must be known; send the answers with run_goal as known'),
  spent: z.number(),
  report: ReportSchema.nullable().describe('what came of it, once it is over'),
})

const UNKNOWN_RUN = { ValidationError: 'there is no such run, or it is not one of yours' }
const LONGEST_WAIT_MS = 600_000

/** `enqueue` hands a new run to the workers; without it the run is led in this process. */
export interface CeoOptions {
  readonly enqueue?: (run: string) => Promise<void>
  readonly onFailure?: (thrown: unknown) => void
}

export function ceo(runs: Runs, options: CeoOptions = {}): Agent {
  return agent({
    name: 'ceo',
    version: '1.0.0',
    description: 'Leads a fleet of agents: give it a goal, it plans, delegates, has the work judged, and reports.',
    tools: [runGoal(runs, options), runStatus(runs), cancelRun(runs)],
    plansWith: () => runs.environment.fleet.views(),
    plan: async ({ goal, context }, ctx) =>
      (await proposePlan(runs.environment, goal, context, context.budget ?? {}, ctx.signal)).plan,
    brain: runs.environment.brain,
  })
}

function runGoal(runs: Runs, { enqueue, onFailure = () => {} }: CeoOptions): Tool {
  return tool({
    name: 'ceo.run_goal',
    version: '1.0.0',
    title: 'Run a goal',
    description:
      'Starts a run: plans the goal with the tools of the fleet, checks the plan, carries it out, has results judged and ' +
      'reports. Answers when the run is over or waits for people, at the latest after wait_ms; the run goes on without a ' +
      'caller, and run_status tells how far it is.',
    input: z.object({
      goal: z.string().min(1).max(4000).meta({ type_id: 'goal' }).describe('what is wanted, in a sentence'),
      budget: BudgetSchema.optional(),
      known: z.record(z.string(), z.unknown()).optional().describe('values at hand, by semantic type or by name'),
      run_id: z.string().optional().describe('a run that asked questions: goes on with what is known now'),
      wait_ms: z.int().min(0).max(LONGEST_WAIT_MS).default(20_000).describe('how long to wait for the end'),
    }),
    output: StatusSchema,
    errors: UNKNOWN_RUN,
    idempotent: false,
    destructive: false,
    security:
      'It changes nothing by itself. Every step passes the pipeline as a call of the same principal; steps that change state ' +
      'wait until a person has approved the plan in the command line or the console, and what the constitution reserves is ' +
      'asked for by itself. A budget bounds money, calls and time.',
    examples: [],
    timeout: LONGEST_WAIT_MS + 30_000,
    task: true,
    run: async ({ goal, budget, known, run_id, wait_ms }, ctx) => {
      const run =
        run_id === undefined ? await start(runs, goal, budget, known, ctx) : await goOn(runs, run_id, known, ctx)
      if (enqueue !== undefined) await enqueue(run.id)
      else void runs.execute(run.id, { onEvent: progressOf(ctx) }).catch(onFailure)
      await settled(runs, run.id, wait_ms, ctx)
      return statusOf(runs, await runs.find(run.id))
    },
  })
}

async function start(
  runs: Runs,
  goal: string,
  budget: z.infer<typeof BudgetSchema> | undefined,
  known: Record<string, unknown> | undefined,
  { principal }: Context,
): Promise<RunRow> {
  return runs.start({
    goal,
    principal,
    ...(budget !== undefined && { budget }),
    ...(known !== undefined && { context: { known } }),
  })
}

async function goOn(
  runs: Runs,
  id: string,
  known: Record<string, unknown> | undefined,
  { principal }: Context,
): Promise<RunRow> {
  await ownRun(runs, id, principal)
  await runs.answer(id, (known ?? {}) as JsonObject)
  return runs.find(id)
}

function runStatus(runs: Runs): Tool {
  return tool({
    name: 'ceo.run_status',
    version: '1.0.0',
    title: 'Status of a run',
    description: 'How far a run is, what it waits for, and, once it is over, its report.',
    input: z.object({ run_id: z.string().meta({ type_id: 'run_id' }) }),
    output: StatusSchema,
    errors: UNKNOWN_RUN,
    idempotent: true,
    destructive: false,
    security: 'Shows runs of the same principal only; the local operator sees all.',
    examples: [],
    run: async ({ run_id }, { principal }) => statusOf(runs, await ownRun(runs, run_id, principal)),
  })
}

function cancelRun(runs: Runs): Tool {
  return tool({
    name: 'ceo.cancel_run',
    version: '1.0.0',
    title: 'Stop a run',
    description: 'The kill switch: no further step is begun, and steps at work are told to stop within a second.',
    input: z.object({
      run_id: z.string().meta({ type_id: 'run_id' }),
      reason: z.string().max(500).default('no reason was given'),
    }),
    output: z.object({ run_id: z.string(), status: StatusSchema.shape.status, stopping: z.boolean() }),
    errors: UNKNOWN_RUN,
    idempotent: true,
    destructive: false,
    security: 'Stopping must never have to wait for an approval. Stops runs of the same principal only.',
    examples: [],
    run: async ({ run_id, reason }, { principal }) => {
      await ownRun(runs, run_id, principal)
      const stopping = await runs.cancel(run_id, principal.id, reason)
      return { run_id, status: (await runs.find(run_id)).status, stopping }
    },
  })
}

/** Whoever comes over the wire sees his own runs. That one of somebody else exists is nothing he should learn. */
async function ownRun(runs: Runs, id: string, { kind, id: principal }: Principal): Promise<RunRow> {
  if (kind === 'local') return runs.find(id)
  const row = await runs.environment.ledger.runs.find(id)
  if (row?.principal === principal) return row
  throw ToolError.of('ValidationError', `There is no run ${id} of yours.`)
}

async function statusOf(runs: Runs, row: RunRow): Promise<z.infer<typeof StatusSchema>> {
  const { id, goal, status, spent, report } = row
  const events = await runs.environment.ledger.runs.events(id)
  const last = events.findLast(({ kind }) => kind === 'waiting')
  return {
    run_id: id,
    goal,
    status,
    waiting_for: status === 'waiting' && last !== undefined ? (JSON.parse(last.body) as { for: string[] }).for : [],
    questions: status === 'waiting' ? await openQuestions(runs.environment, id) : [],
    spent,
    report: report === null ? null : ReportSchema.parse(JSON.parse(report)),
  }
}

/** Until the run is over or waits, the caller has had enough, or the time is up. */
async function settled(runs: Runs, id: string, waitMs: number, { signal }: Context): Promise<void> {
  const until = performance.now() + waitMs
  while (performance.now() < until && !signal.aborted) {
    const { status } = await runs.find(id)
    if (isOver(status) || status === 'waiting') return
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Steps done of steps planned, as progress of the call. */
function progressOf(ctx: Context): (happening: LiveEvent) => void {
  let total = 0
  let done = 0
  return (happening) => {
    if (happening.kind === 'planned') total = happening.body.plan.steps.length
    if (happening.kind === 'finished' && happening.result.status !== 'failure')
      ctx.progress(++done, total, `${happening.step} ${happening.tool}`)
  }
}
