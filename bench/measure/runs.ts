// What a run costs: steps of a trivial tool led as a run, against the same calls made by hand on the same ledger, in turns, in
// one process. The calls have idempotency keys, because each step of a run is a keyed call; calls without keys are shown
// beside them. Processor time, which other programs on the machine disturb less than the clock.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
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
import { median } from './rounds.ts'

export type RunCost = {
  shape: string
  /** microseconds a step: the steps alone, the whole run with plan, check and report, the same calls with and without keys */
  steps: number
  whole: number
  keyed: number
  plain: number
}

const ROUNDS = 15
const COLD = 5
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
  { shape: '1,000 steps, 100 at a time', levels: 10, width: 100 },
  { shape: '1,000 steps, 10 at a time', levels: 100, width: 10 },
  { shape: '300 steps, one after the other', levels: 300, width: 1 },
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

export async function measureRuns(): Promise<{ costs: RunCost[]; check_ms: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-runs-'))
  const ledger = await openLedger(join(folder, 'ledger.db'))
  try {
    const runs = runsOn(ledger)
    const costs: RunCost[] = []
    for (const shape of SHAPES) costs.push(await measureShape(runs, shape))
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

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function measureShape(runs: Runs, { shape, levels, width }: (typeof SHAPES)[number]): Promise<RunCost> {
  const plan = planOf(levels, width)
  const rounds: Omit<RunCost, 'shape'>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { steps, whole } = await timeRun(runs, plan)
    const keyed = await timeCalls(runs, levels, width, `${shape} ${round}`)
    const plain = await timeCalls(runs, levels, width)
    if (round >= COLD) rounds.push({ steps, whole, keyed, plain })
  }
  const typical = (name: keyof (typeof rounds)[number]) => median(rounds.map((one) => one[name])) / (levels * width)
  return {
    shape,
    steps: typical('steps'),
    whole: typical('whole'),
    keyed: typical('keyed'),
    plain: typical('plain'),
  }
}

async function timeRun(runs: Runs, plan: Plan): Promise<{ steps: number; whole: number }> {
  const start = cpu()
  let begun = 0
  let done = 0
  const { id } = await runs.start({ goal: 'bench', principal: ME, plan, parallel: 256 })
  const ended = await runs.execute(id, {
    onEvent: (happening) => {
      if (happening.kind !== 'phase') return
      if (happening.body.phase === 'execute') begun = cpu()
      if (happening.body.phase === 'verify') done = cpu()
    },
  })
  if (ended?.status !== 'succeeded') throw new Error(`the run ended as ${ended?.status}: ${ended?.report}`)
  return { steps: done - begun, whole: cpu() - start }
}

/** As many at a time as the plan has, each lane one call after the other, every answer checked. */
async function timeCalls(runs: Runs, levels: number, width: number, key?: string): Promise<number> {
  const { pipeline } = runs.environment.fleet.server
  const caller = plainCaller('direct', ME)
  const start = cpu()
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
  return cpu() - start
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
