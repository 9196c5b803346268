// What each gate costs a call, in microseconds of processor time: the chain with the gates up to this one against the chain without it,
// in one process, in turns. Once for a plain call, which most gates have nothing to do for, and for a call that uses the gate: with 64
// in flight, and one at a time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GATES, type Ledger, openLedger, Registry, type Tool, tool } from 'myrmex'
import * as z from 'zod'
import type { Call } from '../../packages/myrmex/src/pipeline/call.ts'
import { compose } from '../../packages/myrmex/src/pipeline/compose.ts'
import type { Gate, Step } from '../../packages/myrmex/src/pipeline/gate.ts'
import { record } from '../../packages/myrmex/src/pipeline/gates/record.ts'
import { Outcome } from '../../packages/myrmex/src/pipeline/outcome.ts'
import { Pipeline } from '../../packages/myrmex/src/pipeline/pipeline.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { plainCaller } from '../../packages/myrmex/src/server/exchange.ts'
import { type AtMost, gateAims } from '../aims.ts'
import { WrongAnswer } from './check-answer.ts'
import { ownCpu, quiet } from './cpu.ts'
import { interleave, type Pace } from './rounds.ts'
import { type Spread, spreadOf } from './spread.ts'

export interface GateCost {
  readonly gate: string
  /** of a plain call, 64 in flight */
  readonly plain: Spread
  /** of a call that uses the gate, if there is more to it than a plain call */
  readonly used?: UsedCost
}

interface UsedCost {
  readonly how: string
  readonly together: Spread
  readonly alone: Spread
  readonly atMost?: number
}

interface CallShape {
  readonly made: Tool
  readonly meta?: (n: number) => object
  readonly scopes?: string[]
}

/** How a gate is made to do its work. */
interface GateUse extends CallShape {
  readonly how: string
  readonly atMost?: number
}

/** How the calls of a round leave: so many started together, in so many groups. */
type Load = { readonly together: number; readonly groups: number }

const TOGETHER: Load = { together: 64, groups: 60 }
const ALONE: Load = { together: 1, groups: 640 }
/** The first rounds are cold. */
const COLD_ROUNDS = 6

const definition = {
  version: '1.0.0',
  description: 'Add two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  errors: {},
  idempotent: true,
  security: 'Pure arithmetic.',
  examples: [],
  run: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
}
const plain = tool({ ...definition, name: 'bench.add', destructive: false })
const limited = tool({ ...definition, name: 'bench.limited', destructive: false, limit: { calls: 1e9, per_ms: 1000 } })
const dangerous = tool({ ...definition, name: 'bench.dangerous', destructive: true })
const asking = tool({ ...definition, name: 'bench.asking', destructive: false, ask: () => undefined })

const USES: Readonly<Record<string, GateUse>> = {
  record: { made: plain, how: 'every call' },
  authorise: { made: plain, scopes: ['bench.*'], how: 'a principal with scopes' },
  trust: { made: dangerous, how: 'a tool that changes state: looked up each time' },
  ask: { made: asking, how: 'a tool with ask, and nothing to ask' },
  approve: { made: dangerous, how: 'a standing grant', atMost: gateAims.approve },
  limit: { made: limited, how: 'a tool with a limit', atMost: gateAims.limit },
  idempotency: {
    made: plain,
    meta: (n) => ({ 'myrmex/idempotencyKey': `k${n}` }),
    how: 'a new idempotency key',
    atMost: gateAims.idempotency,
  },
}

/** Throws if a use names no gate: a gate that was renamed would otherwise be measured as one that has nothing to do. */
export function usesOf<Use>(
  gates: readonly { readonly name: string }[],
  uses: Readonly<Record<string, Use>>,
): Map<string, Use> {
  const names = new Set(gates.map(({ name }) => name))
  const unknown = Object.keys(uses).filter((name) => !names.has(name))
  if (unknown.length > 0)
    throw new Error(`no gate is called ${unknown.join(' or ')}; the gates are ${[...names].join(', ')}`)
  return new Map(Object.entries(uses))
}

/** The gates in the order of the package, which may change, and how each is used. */
export function gatesToMeasure(): { chain: readonly { name: string; gate: Gate }[]; uses: Map<string, GateUse> } {
  const chain = [{ name: 'record', gate: record }, ...GATES]
  return { chain, uses: usesOf(chain, USES) }
}

export async function measureGates(pace: Pace): Promise<GateCost[]> {
  const { chain, uses } = gatesToMeasure()
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-gates-'))
  const ledger = await openLedger(join(folder, 'ledger.db'))
  try {
    await ledger.trustTool(dangerous, 'bench')
    // Everybody's code is warm before anybody is measured; otherwise the first gate pays for all.
    await difference(
      ledger,
      chain.map(({ gate }) => gate),
      { made: plain },
      TOGETHER,
      pace,
    )
    const costs: GateCost[] = []
    for (const [place, { name }] of chain.entries()) {
      const gates = chain.slice(place).map(({ gate }) => gate)
      const cost = (use: CallShape, load: Load): Promise<Spread> => difference(ledger, gates, use, load, pace)
      const used = async (use: GateUse): Promise<UsedCost> => ({
        how: use.how,
        together: await cost(use, TOGETHER),
        alone: await cost(use, ALONE),
        ...(use.atMost !== undefined && { atMost: use.atMost }),
      })
      const use = uses.get(name)
      costs.push({
        gate: name,
        plain: await cost({ made: plain }, TOGETHER),
        ...(use !== undefined && { used: await used(use) }),
      })
    }
    return costs
  } finally {
    await ledger.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The aims of gates are about calls as a busy client makes them; one at a time they are judged too, because some callers wait. */
export function gateAimResults(costs: readonly GateCost[]): AtMost[] {
  return costs.flatMap(({ gate, used }) =>
    used?.atMost === undefined
      ? []
      : [
          { id: `gate_${gate}_64`, measured: used.together, atMost: used.atMost },
          { id: `gate_${gate}_1`, measured: used.alone, atMost: used.atMost },
        ],
  )
}

let count = 0

/** What the first gate adds: the spread over the rounds. */
async function difference(
  ledger: Ledger,
  gates: readonly Gate[],
  { made, scopes, meta }: CallShape,
  load: Load,
  pace: Pace,
): Promise<Spread> {
  const pipeline = new Pipeline(new Registry([made]), { ledger, policy: parsePolicy({}) })
  const caller = plainCaller('direct', { id: 'bench', kind: 'bearer', ...(scopes && { scopes }) })
  const round = async (step: Step): Promise<number> => {
    const calls = Array.from({ length: load.together * load.groups }, () => {
      const call = pipeline.prepare(caller, made.name, { a: 1, b: 2 }, meta?.(count++) as never)
      // As `validate` and `record` would set them; one of them may not be in this part of the chain.
      call.input = { a: 1, b: 2 }
      call.time = Date.now()
      return call
    })
    const start = ownCpu()
    for (let first = 0; first < calls.length; first += load.together)
      await together(calls.slice(first, first + load.together), step)
    // Later work of threads and timers is charged to the calls that caused it.
    await ledger.journal.flush()
    await quiet()
    return (ownCpu() - start) / calls.length
  }
  const lanes = new Map<string, Step>([
    // The tool alone: an outcome as `check` would make it.
    ['without', gates.length === 1 ? nothing : compose(gates.slice(1), made, pipeline)],
    ['with', compose(gates, made, pipeline)],
  ])
  await interleave(lanes, COLD_ROUNDS, round)
  const rounds = await interleave(lanes, pace.rounds, round)
  const without = rounds.get('without') ?? []
  return spreadOf((rounds.get('with') ?? []).map((micros, turn) => micros - (without[turn] ?? Number.NaN)))
}

const nothing: Step = () => null as never

async function together(calls: readonly Call[], step: Step): Promise<void> {
  const ended = calls.map((call) => step(call))
  for (const [place, end] of ended.entries()) {
    const call = calls[place] as Call
    const left = call.commit(end instanceof Promise ? await end : end)
    // Parts of the chain return bare data, or nothing. A refusal is an outcome in each of them.
    if (left instanceof Error || (left instanceof Outcome && left.status !== 'success'))
      throw new WrongAnswer(`${call.tool.name} was refused: ${JSON.stringify(left)}`)
  }
}
