/** A run whose budget is used up pauses and asks: it goes on where it stopped, in any process, or ends with its undo. On either engine. */
import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { type Tool, tool } from 'myrmex'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { Runs, StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { Approval } from '../../packages/myrmex/src/ledger/decisions/approvals.ts'
import { editArguments } from '../../packages/myrmex/src/ledger/decisions/edited-arguments.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

const ME = { id: 'ann', kind: 'local' as const }
let done: string[] = []

const buy: Tool = tool({
  ...toolDefaults,
  name: 'shop.buy',
  destructive: true,
  keyed: true,
  input: z.object({ what: z.string(), cost: z.number().meta({ 'x-cost': true }) }),
  output: z.object({ n: z.number() }),
  run: ({ what }: { what: string }) => {
    done.push(what)
    return { n: 1 }
  },
  undo: ({ what }: { what: string }) => {
    done.push(`undo ${what}`)
  },
} as never)
const price: Tool = tool({
  ...toolDefaults,
  name: 'shop.price',
  input: z.object({}),
  output: z.object({ n: z.number() }),
  run: () => ({ n: 8 }),
} as never)

const PLAN = planOf(
  step('p', 'shop.price'),
  step('a', 'shop.buy', { what: 'a', cost: { $from: 'p', path: '/n' } }, ['p']),
  step('b', 'shop.buy', { what: 'b', cost: { $from: 'p', path: '/n' } }, ['a']),
  step('c', 'shop.buy', { what: 'c', cost: { $from: 'p', path: '/n' } }, ['b']),
)

describe.each(ENGINES)('a run out of budget on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  let runs: Runs

  beforeAll(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  beforeEach(async () => {
    ledger = await store.open()
    await store.empty()
    runs = runsOf([buy, price], ledger)
    done = []
    await ledger.trustTool(buy, 'ann')
  })
  afterEach(async () => {
    await runs.close()
    await store.close()
  })

  const start = async (more: Partial<StartRequest>, plan: Plan = PLAN): Promise<string> =>
    (await runs.start({ goal: 'Buy', principal: ME, plan, ...more })).id
  /** `shop.slow` ends when the returned function is called. */
  const withSlowTool = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow: Tool = tool({
      ...toolDefaults,
      name: 'shop.slow',
      input: z.object({}),
      output: z.object({ n: z.number() }),
      run: () => promise.then(() => ({ n: 1 })),
    } as never)
    runs = runsOf([buy, price, slow], ledger)
    return resolve
  }
  const asked = async (): Promise<Approval> => {
    const [one, ...more] = await ledger.approvals.list('waiting')
    expect(more).toEqual([])
    return one as Approval
  }

  test('asks how much more of what, goes on where it stopped, and does nothing twice', async () => {
    const id = await start({ budget: { money: 10 } })
    expect(await runs.execute(id)).toMatchObject({ status: 'waiting', spent: 8 })
    expect(done).toEqual(['a'])
    const first = await asked()
    expect(first).toMatchObject({
      tool: 'run.budget',
      reason: `run ${id} needs more budget: 8 of 10 in money are spent, and it asks for 6 more`,
    })
    expect(JSON.parse(first.args)).toEqual({
      run: id,
      goal: 'Buy',
      step: 'b',
      tool: 'shop.buy',
      what: 'money',
      limit: 10,
      spent: 8,
      raise: 6,
    })
    // Nobody has decided: it waits still.
    await ledger.runs.resume(id)
    expect(await runs.execute(id)).toMatchObject({ status: 'waiting' })
    expect((await asked()).id).toBe(first.id)
    await ledger.approvals.approve(first.id, 'ada')
    // Another process goes on.
    const elsewhere = runsOf([buy, price], await store.open())
    onTestFinished(() => elsewhere.close())
    expect(await elsewhere.pending()).toEqual([id])
    expect(await elsewhere.execute(id)).toMatchObject({ status: 'waiting', spent: 16 })
    const second = await asked()
    const edit = await editArguments(ledger, second, { ...JSON.parse(second.args), raise: 50 })
    await expect(editArguments(ledger, second, { ...JSON.parse(second.args), run: 'r-other' })).rejects.toThrow(
      /only raise/,
    )
    await expect(editArguments(ledger, second, { ...JSON.parse(second.args), raise: -1 })).rejects.toThrow(/only raise/)
    await ledger.approvals.approve(second.id, 'ada', undefined, second, { edit })
    await runs.pending()
    expect(await runs.execute(id)).toMatchObject({ status: 'succeeded', spent: 24 })
    expect(done).toEqual(['a', 'b', 'c'])
  })

  test('ends and undoes what it did when more is refused', async () => {
    const id = await start({ budget: { money: 10 } })
    await runs.execute(id)
    await ledger.approvals.deny((await asked()).id, 'ada', 'no more money')
    await runs.pending()
    const ended = await runs.execute(id)
    expect(ended).toMatchObject({ status: 'failed' })
    expect(JSON.parse(ended?.report ?? '').summary).toContain('denied by ada: no more money')
    expect(done).toEqual(['a', 'undo a'])
  })

  test('asks for calls too, and fails as before where nobody may be asked', async () => {
    const deep: Tool = tool({
      ...toolDefaults,
      name: 'shop.deep',
      input: z.object({}),
      output: z.object({ n: z.number() }),
      run: async (_input: unknown, ctx: { call: (name: string, args: object) => Promise<unknown> }) => {
        done.push('deep')
        await ctx.call('shop.price', {})
        return { n: 1 }
      },
    } as never)
    runs = runsOf([price, deep], ledger)
    const plan = planOf(step('d', 'shop.deep'), step('e', 'shop.deep', {}, ['d']))
    const id = await start({ budget: { calls: 2 } }, plan)
    expect(await runs.execute(id)).toMatchObject({ status: 'waiting' })
    const request = await asked()
    expect(JSON.parse(request.args)).toMatchObject({ what: 'calls', limit: 2, raise: 1 })
    const edit = await editArguments(ledger, request, { ...JSON.parse(request.args), raise: 2 })
    await ledger.approvals.approve(request.id, 'ada', undefined, request, { edit })
    // A process that took the decision, and died before it wrote that it had.
    await ledger.approvals.useThis(request.id, id)
    await runs.pending()
    expect(await runs.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['deep', 'deep'])
    const other = await start({ budget: { calls: 2 }, approve: 'never' }, plan)
    expect(await runs.execute(other)).toMatchObject({ status: 'failed' })
  })

  test('lets steps in flight finish when its time is over, and waits for more time', async () => {
    const finish = withSlowTool()
    const plan = planOf(step('s', 'shop.slow'), step('a', 'shop.buy', { what: 'a', cost: 1 }, ['s']))
    const id = await start({ budget: { time_ms: 30_000, money: 5 } }, plan)
    const running = runs.execute(id)
    await vi.waitFor(async () => expect((await ledger.idempotency.steps(id)).length).toBe(1), 5000)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    onTestFinished(() => clock.mockRestore())
    await vi.waitFor(async () => expect(await ledger.approvals.list('waiting')).toHaveLength(1), 5000)
    finish()
    expect(await running).toMatchObject({ status: 'waiting' })
    const request = await asked()
    expect(JSON.parse(request.args)).toMatchObject({ what: 'time_ms', limit: 30_000, raise: 30_000, step: null })
    clock.mockRestore()
    await ledger.approvals.approve(request.id, 'ada')
    await runs.pending()
    expect(await runs.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['a'])
  })

  test('asks for nothing any more once it has ended', async () => {
    const finish = withSlowTool()
    // The last step ends after the time of the run is over.
    const id = await start({ budget: { time_ms: 30_000 } }, planOf(step('s', 'shop.slow')))
    const running = runs.execute(id)
    await vi.waitFor(async () => expect((await ledger.idempotency.steps(id)).length).toBe(1), 5000)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    onTestFinished(() => clock.mockRestore())
    await vi.waitFor(async () => expect(await ledger.approvals.list('waiting')).toHaveLength(1), 5000)
    const late = await asked()
    clock.mockRestore()
    finish()
    expect(await running).toMatchObject({ status: 'succeeded' })
    await expect(ledger.approvals.approve(late.id, 'ada')).rejects.toThrow('is expired')
    // Cancelled while it waits for money.
    const other = await start({ budget: { money: 10 } })
    expect(await runs.execute(other)).toMatchObject({ status: 'waiting' })
    await runs.cancel(other, 'ann', 'not now')
    await runs.execute(other)
    expect(await ledger.runs.find(other)).toMatchObject({ status: 'cancelled' })
    expect(await ledger.approvals.list('waiting')).toEqual([])
  })

  test('gains nothing from an event of its own, or from the approval of another run', async () => {
    const [one, two] = [await start({ budget: { money: 10 } }), await start({ budget: { money: 10 } })]
    await runs.execute(one)
    const given = await asked()
    await ledger.approvals.approve(given.id, 'ada')
    await runs.execute(two)
    const own = (await ledger.approvals.list('waiting'))[0] as Approval
    // Somebody who can write the store writes that the request was approved, as the approval of the other run.
    for (const approval of [given.id, own.id]) {
      const { term, seq } = { term: 99, seq: 900 + (approval === own.id ? 1 : 0) }
      await ledger.db.query(
        `INSERT INTO run_events (run, seq, time, term, kind, step, body) VALUES (?, ?, 1, ?, 'decided', 'b', ?) RETURNING run`,
        [two, seq, term, JSON.stringify({ approval, about: 'budget', status: 'approved', by: 'eve', note: '' })],
      )
    }
    await ledger.runs.resume(two)
    await runs.execute(two)
    expect(done.filter((what) => what === 'b')).toEqual([])
  })
})
