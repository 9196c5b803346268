/** `myrmex run GOAL`: starts a run and executes it in this process. */
import { type Budget, type Plan, PlanSchema } from '../../agent/plan/plan.ts'
import { type RunEnvironmentOptions, withRuns } from '../../agent/run/environment.ts'
import { eventOf } from '../../agent/run/journal/events.ts'
import type { ApprovalMode } from '../../agent/run/settings.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, pointer } from '../../protocol/json.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { loadOperatorFile } from '../../serve/operator-file.ts'
import { say } from '../../serve/terminal.ts'
import { LOCAL } from '../../tool/context.ts'
import { followRun } from './follow-run.ts'
import { parseKnownValues } from './known-values.ts'
import { chooseScreen } from './screen.ts'

export interface RunOptions extends RunEnvironmentOptions {
  budget?: number
  calls?: number
  time?: number
  with?: string[]
  plan?: string
  planOnly?: boolean
  approve: ApprovalMode
  json?: boolean
}

export async function startRun(goal: string, options: RunOptions): Promise<void> {
  const known = parseKnownValues(options.with)
  const budget = budgetOf(options)
  const plan = options.plan === undefined ? undefined : await readPlan(options.plan)
  if (options.planOnly) return (await import('./plan-only.ts')).showPlan(goal, { known, budget, plan }, options)
  const shown = chooseScreen(options)
  await withRuns(options, { note: say, quiet: shown.isLive }, async (runs) => {
    const { approve } = options
    if (approve === 'all') {
      const { ledger } = runs.environment
      runs.environment.signer = (await cliDecider(ledger, 'to approve everything in this run')).signer
    }
    const context = { known }
    const run = await runs.start({
      goal,
      principal: LOCAL,
      budget,
      context,
      strict_known: true,
      approve,
      ...(plan && { plan }),
    })
    const screen = await shown.open(run.id)
    for (const event of await runs.environment.ledger.runs.events(run.id)) screen.onEvent(eventOf(event))
    if (shown.isLive) screen.note(`run ${run.id}`)
    await followRun(runs, run.id, shown, screen)
  })
}

function budgetOf({ budget, calls, time }: RunOptions): Budget {
  return {
    ...(budget !== undefined && { money: budget }),
    ...(calls !== undefined && { calls }),
    ...(time !== undefined && { time_ms: time }),
  }
}

/** The plan itself, or the object that --plan-only --json prints. */
const readPlan = (file: string): Promise<Plan> =>
  loadOperatorFile(file, { name: 'plan', defaultName: file, empty: EMPTY, parse: parsePlan })

const EMPTY: Plan = { goal: '', steps: [], budget: {}, assumptions: [], questions: [] }

function parsePlan(value: unknown): Plan {
  const within = isObject(value) && isObject(value.plan) && value.steps === undefined
  const parsed = PlanSchema.safeParse(within ? value.plan : value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: pointer(within ? ['plan', ...path] : path),
    message: `is invalid: ${message}`,
  }))
  throw ToolError.of('ValidationError', 'The file is not a plan.', { issues })
}
