// What each gate costs a call, in microseconds: the chain with the gates up to this one against the chain without it, in one
// process, in turns. Once for a plain call, which most gates have nothing to do for, and once for a call that uses the gate.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GATES, type Ledger, openLedger, Registry, type Tool, tool } from 'myrmex'
import * as z from 'zod'
import type { Call } from '../../packages/myrmex/src/pipeline/call.ts'
import { compose } from '../../packages/myrmex/src/pipeline/compose.ts'
import type { Gate, Step } from '../../packages/myrmex/src/pipeline/gate.ts'
import { record } from '../../packages/myrmex/src/pipeline/gates/record.ts'
import { Pipeline } from '../../packages/myrmex/src/pipeline/pipeline.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { plainCaller } from '../../packages/myrmex/src/server/exchange.ts'
import { median } from './rounds.ts'

export type GateCost = { gate: string; plain: number; used: number | undefined; how: string }

/** Calls that leave together, as 64 in flight do. */
const GROUP = 64
const ROUNDS = 21
const GROUPS = 60

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

/** How each gate is made to do its work; those not named here work for every call. */
const USES: Record<string, { made: Tool; meta?: (n: number) => object; scopes?: string[]; how: string }> = {
  authorise: { made: plain, scopes: ['bench.*'], how: 'a principal with scopes' },
  trust: { made: dangerous, how: 'a tool that changes state: looked up each time' },
  ask: { made: asking, how: 'a tool with ask, and nothing to ask' },
  approve: { made: dangerous, how: 'a tool that changes state, with a standing grant' },
  limit: { made: limited, how: 'a tool with a limit, counted in SQLite' },
  once: { made: plain, meta: (n) => ({ 'myrmex/idempotencyKey': `k${n}` }), how: 'a new idempotency key' },
}

export async function measureGates(): Promise<GateCost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-gates-'))
  const ledger = await openLedger(join(folder, 'ledger.db'))
  try {
    await ledger.trustTool(dangerous, 'bench')
    const chain = [{ name: 'record', gate: record as Gate }, ...GATES]
    const costs: GateCost[] = []
    for (const [place, { name }] of chain.entries()) {
      const gates = chain.slice(place).map(({ gate }) => gate as Gate)
      // The innermost gate is the tool itself.
      const cost = (made: Tool, use?: (typeof USES)[string]) => difference(ledger, made, gates, use)
      const use = USES[name]
      costs.push({
        gate: name,
        plain: await cost(plain),
        used: use === undefined ? undefined : await cost(use.made, use),
        how: use?.how ?? '',
      })
    }
    return costs
  } finally {
    await ledger.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

let count = 0

/** Median over the rounds of what the first gate adds. */
async function difference(
  ledger: Ledger,
  made: Tool,
  gates: readonly Gate[],
  use: (typeof USES)[string] | undefined,
): Promise<number> {
  const pipeline = new Pipeline(new Registry([made]), { ledger, policy: parsePolicy({}) })
  const principal = { id: 'bench', kind: 'bearer', ...(use?.scopes && { scopes: use.scopes }) } as const
  const caller = plainCaller('direct', principal)
  const round = async (step: Step): Promise<number> => {
    const calls = Array.from({ length: GROUP * GROUPS }, () => {
      const call = pipeline.prepare(caller, made.name, { a: 1, b: 2 }, use?.meta?.(count++) as never)
      call.input = { a: 1, b: 2 }
      call.time = Date.now()
      return call
    })
    const start = performance.now()
    for (let group = 0; group < GROUPS; group++) await together(calls.slice(group * GROUP, (group + 1) * GROUP), step)
    return ((performance.now() - start) * 1000) / calls.length
  }
  // The tool alone: an outcome as `check` would make it.
  const inner = gates.length === 1 ? nothing : compose(gates.slice(1), made, pipeline)
  const outer = compose(gates, made, pipeline)
  const differences: number[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const without = await round(inner)
    const withGate = await round(outer)
    // The first rounds are cold.
    if (turn >= ROUNDS / 3) differences.push(withGate - without)
  }
  return median(differences)
}

const nothing: Step = () => null as never

async function together(calls: readonly Call[], step: Step): Promise<void> {
  const ended = calls.map((call) => step(call))
  for (const [place, end] of ended.entries()) {
    const call = calls[place] as Call
    call.commit(end instanceof Promise ? await end : end)
  }
}
