// What a run costs: steps of a trivial tool led as a run, against the same calls made by hand on the same ledger, in turns, in
// one process, in an order that rotates. The calls have idempotency keys, because each step of a run is a keyed call; calls without
// keys are shown beside them. All in processor time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ledger, openLedger, tool } from 'myrmex'
import * as z from 'zod'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import { toolViewOf } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import { checkPlan } from '../../packages/myrmex/src/agent/plan/check.ts'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'
import { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import { createHost } from '../../packages/myrmex/src/host/host.ts'
import { Outcome } from '../../packages/myrmex/src/pipeline/outcome.ts'
import { plainCaller } from '../../packages/myrmex/src/server/exchange.ts'
import { type AtMost, runAim } from '../aims.ts'
import { ownCpu, quiet } from './cpu.ts'
import { interleave, type Pace } from './rounds.ts'
import { median, ratioSpread, type Spread, spreadOf } from './spread.ts'

export interface RunCost {
  readonly id: string
  readonly shape: string
  /** microseconds a step: the steps alone, the whole run with plan, check and report, the same calls with and without keys */
  readonly steps: Spread
  readonly whole: Spread
  readonly keyed: Spread
  readonly plain: Spread
  /** over the same calls with keys, round by round */
  readonly stepsOverKeyed: Spread
  readonly wholeOverKeyed: Spread
}

/** The first rounds are cold. */
const COLD_ROUNDS = 6
const ME = { id: 'bench', kind: 'local' } as const

const add = tool({
  name: 'bench.add',
  version: '1.0.0',
  description: 'Adds one.',
  input: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
  errors: {},
  idempotent: false,
  destructive: false,
  security: 'Pure arithmetic.',
  examples: [],
  run: ({ n }) => ({ n: n + 1 }),
})

const SHAPES = [
  { id: 'run_100_at_a_time', shape: '1,000 steps, 100 at a time', levels: 10, width: 100 },
  { id: 'run_10_at_a_time', shape: '1,000 steps, 10 at a time', levels: 100, width: 10 },
  { id: 'run_one_after_the_other', shape: '300 steps, one after the other', levels: 300, width: 1 },
]

function planOf(levels: number, width: number): Plan {
  const steps = Array.from({ length: levels * width }, (_, index) => {
    const level = Math.floor(index / width)
    const before = `s${index - width}`
    return {
      id: `s${index}`,
      agent: 'bench',
      tool: 'bench.add',
      arguments: { n: level === 0 ? index : { $from: before, path: '/n' } },
      needs: level === 0 ? [] : [before],
      why: 'One step of many.',
    }
  })
  return { goal: 'bench', steps, budget: {}, assumptions: [], questions: [] }
}

export async function measureRuns(pace: Pace): Promise<{ costs: RunCost[]; check_ms: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-runs-'))
  const ledger = await openLedger(join(folder, 'ledger.db'))
  try {
    const runs = runsOn(ledger)
    const costs: RunCost[] = []
    for (const shape of SHAPES) costs.push(await measureShape(runs, shape, pace))
    return { costs, check_ms: checkTime() }
  } finally {
    await ledger.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function runsOn(ledger: Ledger): Runs {
  const host = createHost({ name: 'bench', version: '1.0.0', tools: [add], ledger })
  const { server } = host
  const views = () => [toolViewOf(add, 'bench')]
  const fleet = {
    server,
    host,
    agents: [],
    playbooks: [],
    problems: [],
    views,
    refresh: async () => [],
    replaceServers: async () => {},
    close: async () => server.close(),
  }
  return new Runs({ fleet, ledger, brain: rulesBrain })
}

export function runAimResults(costs: readonly RunCost[]): AtMost[] {
  return costs.map(({ id, stepsOverKeyed }) => ({ id, measured: stepsOverKeyed, atMost: runAim }))
}

async function measureShape(
  runs: Runs,
  { id, shape, levels, width }: (typeof SHAPES)[number],
  pace: Pace,
): Promise<RunCost> {
  const plan = planOf(levels, width)
  let round = 0
  const lanes = new Map<string, () => Promise<{ steps: number; whole: number }>>([
    ['run', () => timeRun(runs, plan)],
    ['keyed', () => timeCalls(runs, levels, width, `${shape} ${round++}`)],
    ['plain', () => timeCalls(runs, levels, width)],
  ])
  const measured = async (lane: () => Promise<{ steps: number; whole: number }>) => {
    // Later work of threads and timers of the lane before is not charged to this one.
    await quiet()
    const { steps, whole } = await lane()
    return { steps: steps / (levels * width), whole: whole / (levels * width) }
  }
  await interleave(lanes, COLD_ROUNDS, measured)
  const rounds = await interleave(lanes, pace.rounds, measured)
  const of = (name: string, part: 'steps' | 'whole' = 'whole') => (rounds.get(name) ?? []).map((one) => one[part])
  return {
    id,
    shape,
    steps: spreadOf(of('run', 'steps')),
    whole: spreadOf(of('run')),
    keyed: spreadOf(of('keyed')),
    plain: spreadOf(of('plain')),
    stepsOverKeyed: ratioSpread(of('run', 'steps'), of('keyed')),
    wholeOverKeyed: ratioSpread(of('run'), of('keyed')),
  }
}

async function timeRun(runs: Runs, plan: Plan): Promise<{ steps: number; whole: number }> {
  const start = ownCpu()
  let begun = 0
  let done = 0
  const { id } = await runs.start({ goal: 'bench', principal: ME, plan, parallel: 256 })
  const ended = await runs.execute(id, {
    onEvent: (happening) => {
      if (happening.kind !== 'phase') return
      if (happening.body.phase === 'execute') begun = ownCpu()
      if (happening.body.phase === 'verify') done = ownCpu()
    },
  })
  if (ended?.status !== 'succeeded') throw new Error(`the run ended as ${ended?.status}: ${ended?.report}`)
  return { steps: done - begun, whole: ownCpu() - start }
}

/** As many at a time as the plan has, each lane one call after the other, every answer checked. */
async function timeCalls(
  runs: Runs,
  levels: number,
  width: number,
  key?: string,
): Promise<{ steps: number; whole: number }> {
  const { pipeline } = runs.environment.fleet.server
  const caller = plainCaller('direct', ME)
  const start = ownCpu()
  const lane = async (first: number): Promise<void> => {
    let n = first
    for (let level = 0; level < levels; level++) {
      const meta = key === undefined ? undefined : { 'myrmex/idempotencyKey': `${key} ${level} ${first}` }
      const ended = await pipeline.call(caller, 'bench.add', { n }, meta)
      if (!(ended instanceof Outcome) || ended.data?.n !== n + 1) throw new Error('a wrong answer')
      n = ended.data.n as number
    }
  }
  await Promise.all(Array.from({ length: width }, (_, index) => lane(index)))
  const whole = ownCpu() - start
  return { steps: whole, whole }
}

/** A plan of 1,000 steps with references, after the first few. */
function checkTime(): number {
  const plan = planOf(100, 10)
  const views = [toolViewOf(add, 'bench')]
  const times = Array.from({ length: 12 }, () => {
    const start = performance.now()
    if (!checkPlan(plan, views).ok) throw new Error('the plan did not pass')
    return performance.now() - start
  })
  return median(times.slice(4))
}
