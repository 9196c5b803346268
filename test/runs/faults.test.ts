/** Runs when things go wrong: leaders that lose the lead, switches pulled at bad moments, tools that do not listen, forgers. */

import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { type Tool, ToolError, tool } from 'myrmex'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import type { Brain } from '../../packages/myrmex/src/agent/brain/brain.ts'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import { timelineOf } from '../../packages/myrmex/src/agent/run/journal/timeline.ts'
import type { Runs, StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import { META } from '../../packages/myrmex/src/protocol/versions.ts'
import { plainCaller } from '../../packages/myrmex/src/server/exchange.ts'
import type { Context } from '../../packages/myrmex/src/tool/context.ts'

const ME = { id: 'ann', kind: 'local' as const }
const FINE = { n: 1, words: [] }

/** What tools did, in order. */
let done: string[] = []

const define = (name: string, definition: object = {}): Tool =>
  tool({
    name,
    version: '1.0.0',
    description: `The tool ${name}.`,
    input: z.object({ n: z.number().optional(), cost: z.number().meta({ 'x-cost': true }).optional() }),
    output: z.object({ n: z.number(), words: z.array(z.string()) }),
    errors: { OutOfStock: 'there is none' },
    idempotent: false,
    destructive: false,
    security: 'none',
    examples: [],
    run: ({ n = 0 }: { n?: number }) => {
      done.push(`${name} ${n}`)
      return { n: n + 1, words: [] }
    },
    ...definition,
  } as never)

const look = define('shop.look')
const sell = define('shop.sell', { destructive: true })
const page = define('shop.page', {
  destructive: true,
  keyed: true,
  undo: (_input: unknown, { n }: { n: number }) => void done.push(`undo shop.page ${n}`),
})
const fail = define('shop.fail', {
  run: () => {
    throw new ToolError('OutOfStock', 'none left')
  },
})
/** Waits as long as the test likes, and ignores requests to stop. */
let letGo: () => void = () => {}
const deaf = (definition: object = {}): Tool =>
  define('shop.deaf', {
    run: async () => {
      done.push('deaf')
      await new Promise<void>((resolve) => {
        letGo = resolve
      })
      return FINE
    },
    ...definition,
  })

describe.each(EMBEDDED_FIRST)('a run on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  /** executions of runs in this test */
  const leaders: Promise<unknown>[] = []

  beforeAll(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  beforeEach(async () => {
    ledger = await store.open()
    await store.empty()
    done = []
    for (const one of [sell, page]) await ledger.trustTool(one, 'ann', { ask: true })
  })
  afterEach(async () => {
    letGo()
    await Promise.allSettled(leaders.splice(0))
    await store.close()
  })

  const start = (runs: Runs, plan: Plan, more: Partial<StartRequest> = {}): Promise<RunRow> =>
    runs.start({ goal: 'test', principal: ME, plan, approve: 'all', ...more })
  const lead = async (runs: Runs, id: string): Promise<RunRow & { outcome: Report }> => {
    const row = (await runs.execute(id)) as RunRow
    return { ...row, outcome: JSON.parse(row.report ?? 'null') as Report }
  }
  const run = async (tools: Tool[], plan: Plan, more: Partial<StartRequest> = {}) => {
    const runs = runsOf(tools, ledger)
    return lead(runs, (await start(runs, plan, more)).id)
  }
  const did = (what: string, times = 1) => expect.poll(() => done.filter((one) => one === what).length).toBe(times)
  /** A leader that is given up for dead when `what` has happened. */
  const losingTheLead = async (tools: Tool[], plan: Plan, what: string, more: Partial<StartRequest> = {}) => {
    const elsewhere = await store.open()
    const runs = runsOf(tools, elsewhere)
    const { id } = await start(runs, plan, more)
    const leading = runs.execute(id)
    leaders.push(leading)
    await did(what)
    // As one that is not heard of any more.
    await elsewhere.processes.unregister()
    return { id, leading }
  }

  test('that was taken over: its former leader begins nothing more', async () => {
    const plan = planOf(step('a', 'shop.deaf'), step('b', 'shop.sell', {}, ['a']))
    const { id, leading } = await losingTheLead([deaf(), sell], plan, 'deaf')
    expect(await lead(runsOf([deaf(), sell], ledger), id)).toMatchObject({ status: 'failed' })
    letGo()
    await leading
    expect(done).toEqual(['deaf'])
  })

  test('that was taken over has as many calls left as before: a recorded result costs no call', async () => {
    const again = deaf({ idempotent: true })
    // The last step waits for the others, so that their results are recorded when the run is taken over.
    const looks = [step('a', 'shop.look'), step('b', 'shop.look', { n: 5 })]
    const plan = planOf(...looks, step('c', 'shop.deaf', {}, ['a', 'b']))
    const { id } = await losingTheLead([look, again], plan, 'deaf', { budget: { calls: 4 } })
    const led = lead(runsOf([look, again], ledger), id)
    await did('deaf', 2)
    letGo()
    expect(await led).toMatchObject({ status: 'succeeded', outcome: { calls: 4 } })
  })

  test('that was taken over has no more calls left than before: what tools called in turn counts', async () => {
    const calling = define('shop.calling', {
      idempotent: true,
      run: async (_input: unknown, ctx: Context) => {
        for (const n of [1, 2, 3]) await ctx.call('shop.look', { n })
        done.push('called')
        await new Promise<void>((resolve) => {
          letGo = resolve
        })
        return FINE
      },
    })
    const { id } = await losingTheLead([look, calling], planOf(step('a', 'shop.calling')), 'called', {
      budget: { calls: 6 },
    })
    const led = lead(runsOf([look, calling], ledger), id)
    await did('called', 2)
    letGo()
    expect(await led).toMatchObject({ outcome: { calls: 6 } })
    expect(done.filter((one) => one.startsWith('shop.look'))).toHaveLength(4)
  })

  test('takes back what needs something before what it needs, though all was done in one millisecond', async () => {
    const plan = planOf(
      step('z', 'shop.page', { n: 1 }),
      step('a', 'shop.page', { n: 2 }, ['z']),
      step('d', 'shop.deaf', {}, ['a']),
    )
    const { id } = await losingTheLead([page, deaf()], plan, 'deaf')
    await ledger.db.query('UPDATE once SET started_at = 5, finished_at = 5 WHERE run = ? AND outcome IS NOT NULL', [id])
    await lead(runsOf([page, deaf()], ledger), id)
    expect(done.slice(-2)).toEqual(['undo shop.page 3', 'undo shop.page 2'])
  })

  test('has as long as it needs to take things back', async () => {
    const slow = define('shop.page', {
      destructive: true,
      keyed: true,
      undo: async () => {
        done.push('undoing')
        vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
        // The time budget is checked after each of these.
        const looks = vi.spyOn(ledger.runs, 'find')
        await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2))
        done.push('undone')
      },
    })
    await ledger.trustTool(slow, 'ann', { ask: true })
    const plan = planOf(step('a', 'shop.page'), step('b', 'shop.fail', {}, ['a']))
    onTestFinished(() => void vi.restoreAllMocks())
    const { outcome } = await run([slow, fail], plan, { budget: { time_ms: 30_000 } })
    expect(done).toEqual(['shop.page 0', 'undoing', 'undone'])
    expect(outcome.steps.map(({ status }) => status)).toEqual(['undone', 'failed'])
  })

  test('is stopped while it thinks, though the brain does not listen', async () => {
    const brain = { name: 'deaf', plan: () => new Promise(() => {}) } as unknown as Brain
    const runs = runsOf([look], ledger, { brain })
    const { id } = await runs.start({ goal: 'test', principal: ME })
    const leading = runs.execute(id, { onEvent: ({ kind }) => void done.push(kind) })
    await expect.poll(async () => (await ledger.runs.events(id)).length).toBe(4)
    await runs.cancel(id, 'olga', 'enough')
    expect(await leading).toMatchObject({ status: 'cancelled', leader: null })
  })

  test('is stopped while an undoing waits for its next try, and says what stands', async () => {
    const stuck = define('shop.page', {
      destructive: true,
      keyed: true,
      undo: () => {
        done.push('undoing')
        throw new ToolError('UnavailableError', 'later', { retry_after_ms: 9000 })
      },
    })
    await ledger.trustTool(stuck, 'ann', { ask: true })
    const runs = runsOf([stuck, fail], ledger)
    const plan = planOf(step('a', 'shop.page'), step('b', 'shop.page'), step('c', 'shop.fail', {}, ['a', 'b']))
    const { id } = await start(runs, plan)
    const led = lead(runs, id)
    await did('undoing')
    const { status, outcome } = await withTimeLimit(1000, async () => {
      await runs.cancel(id, 'olga', 'enough')
      return led
    })
    expect(status).toBe('cancelled')
    expect(outcome.stands.toSorted()).toEqual(['a (shop.page)', 'b (shop.page)'])
  })

  test.each([
    ['took too long', { timeout: 50 }, 'was cut off'],
    ['took too long each time, and is at it still', { timeout: 50, keyed: true }, 'was cut off'],
    [
      'broke',
      {
        run: () => {
          throw new Error('broken')
        },
      },
      'failed',
    ],
    ['answers something else than it said', { run: () => 'sold' }, 'failed'],
  ])('says of a change that %s that it may have taken effect', async (_what, definition, how) => {
    const change = deaf({ ...definition, destructive: true })
    await ledger.trustTool(change, 'ann', { ask: true })
    const { status, outcome } = await run([change], planOf(step('a', 'shop.deaf')))
    expect(status).toBe('failed')
    expect(outcome.stands).toEqual([`a (shop.deaf) ${how} and may have taken effect`])
  })

  test('keeps secrets of results from other steps, the report and the audit', async () => {
    const key = define('shop.key', {
      output: z.object({ token: z.string().meta({ 'x-secret': true }), n: z.number() }),
      run: () => ({ token: 'open sesame', n: 1 }),
    })
    const use = define('shop.use', {
      input: z.object({ all: z.record(z.string(), z.unknown()) }),
      run: ({ all }: { all: object }) => {
        done.push(JSON.stringify(all))
        return FINE
      },
    })
    const plan = planOf(step('a', 'shop.key'), step('b', 'shop.use', { all: { $from: 'a', path: '' } }, ['a']))
    const { report, status } = await run([key, use], plan)
    expect(status).toBe('succeeded')
    expect(done).toEqual(['{"token":"[secret]","n":1}'])
    expect(report).not.toContain('sesame')
    expect(JSON.stringify(await Array.fromAsync(ledger.index.search()))).not.toContain('sesame')
  })

  test('has its steps approved with the plan, and not what their tools call in turn', async () => {
    let answer: unknown
    const greedy = define('shop.greedy', {
      destructive: true,
      run: async ({ n = 0 }: { n?: number }, ctx: Context) => {
        done.push(`greedy ${n}`)
        if (n === 1) answer = await ctx.call('shop.greedy', { n: 1000 })
        return FINE
      },
    })
    await ledger.trustTool(greedy, 'ann', { ask: true })
    await run([greedy], planOf(step('a', 'shop.greedy', { n: 1 })))
    expect(done).toEqual(['greedy 1'])
    expect(answer).toMatchObject({ error: { error_type: 'PermissionError' } })
  })

  test('has nothing in its timeline from a caller that only claims to be one of its steps', async () => {
    const runs = runsOf([look], ledger)
    const { id } = await start(runs, planOf(step('a', 'shop.look')))
    const row = await lead(runs, id)
    const before = await timelineOf(ledger, row)
    const { pipeline } = runs.environment.fleet.server
    for (const principal of ['ann', 'mallory']) {
      const caller = plainCaller('http', { id: principal, kind: 'bearer' })
      await pipeline.call(caller, 'shop.look', { n: 666 }, { [META.context]: { run: id, step: 'z' } })
    }
    await ledger.journal.flush()
    expect(await timelineOf(ledger, row)).toEqual(before)
  })

  test('spends its budget to the last cent, and no more', async () => {
    const cents = (...costs: number[]) => planOf(...costs.map((cost, n) => step(`s${n}`, 'shop.look', { cost })))
    expect(await run([look], cents(0.1, 0.2), { budget: { money: 0.3 } })).toMatchObject({ status: 'succeeded' })
    expect(await run([look], cents(0.1, 0.21), { budget: { money: 0.3 } })).toMatchObject({ status: 'refused' })
  })

  test('is not started with a budget that is none, and the words say which', async () => {
    const started = start(runsOf([look], ledger), planOf(), { budget: { money: Number.NaN } })
    await expect(started).rejects.toThrow(/^Invalid settings of the run: budget\.money: /)
  })

  test('that is stopped in the moment in which it begins to wait is ended by the next process', async () => {
    const runs = runsOf([sell], ledger)
    const { id } = await start(runs, planOf(step('a', 'shop.sell')), { approve: 'ask' })
    await lead(runs, id)
    await ledger.runs.stop(id, 'olga', 'enough')
    await ledger.db.query("UPDATE runs SET status = 'waiting' WHERE id = ?", [id])
    expect(await runs.pending()).toEqual([id])
    expect(await lead(runs, id)).toMatchObject({ status: 'cancelled' })
  })
})
