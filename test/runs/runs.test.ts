/** Runs on a real ledger of either engine: in parallel, once each, within the budget, approved, undone, stopped, taken over. */

import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { LONG } from '@myrmex/testing/long'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { type Tool, ToolError, tool, unchanged } from 'myrmex'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { LiveEvent } from '../../packages/myrmex/src/agent/run/journal/events.ts'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import type { Runs, StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'

const ME = { id: 'ann', kind: 'local' as const }

/** What tools did, in order. */
let done: string[] = []
let active = 0
let mostActive = 0

const define = (name: string, definition: Partial<Parameters<typeof tool>[0]> = {}): Tool =>
  tool({
    name,
    version: '1.0.0',
    description: `The tool ${name}.`,
    input: z.object({ n: z.number().optional(), cost: z.number().meta({ 'x-cost': true }).optional() }),
    output: z.object({ n: z.number(), words: z.array(z.string()) }),
    errors: {},
    idempotent: false,
    destructive: false,
    security: 'none',
    examples: [],
    run: (input: unknown) => {
      const { n = 0 } = input as { n?: number }
      done.push(`${name} ${n}`)
      return { n: n + 1, words: ['a', 'b'] }
    },
    ...definition,
  } as Parameters<typeof tool>[0])

const look = define('shop.look')
const sell = define('shop.sell', { destructive: true })
const page = define('shop.page', {
  destructive: true,
  keyed: true,
  undo: (_input: unknown, data: unknown) => {
    done.push(`undo shop.page ${(data as { n: number }).n}`)
  },
} as never)
const fail = define('shop.fail', {
  errors: { OutOfStock: 'there is none' },
  run: () => {
    done.push('shop.fail')
    throw new ToolError('OutOfStock', 'none left')
  },
})
const slow = define('shop.slow', {
  run: async (input: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    done.push('shop.slow')
    return { n: (input as { n?: number }).n ?? 0, words: [] }
  },
})
const hang = define('shop.hang', {
  run: (_input: unknown, ctx: { signal: AbortSignal }) =>
    new Promise((_, reject) => {
      mostActive = Math.max(mostActive, ++active)
      ctx.signal.addEventListener('abort', () => {
        active--
        reject(ctx.signal.reason)
      })
    }),
} as never)
const TOOLS = [look, sell, page, fail, slow, hang]

/** The ledger takes nothing more of a run from the first refund on, as if the process had been killed there. */
function cutOffAtRefund({ runs }: Ledger): () => void {
  let isCutOff = false
  const write = runs.appendEvent.bind(runs)
  const refund = vi.spyOn(runs, 'refund').mockImplementation(async () => {
    isCutOff = true
    throw new Error('the process ended here')
  })
  const append = vi.spyOn(runs, 'appendEvent').mockImplementation(async (...args) => {
    if (isCutOff) throw new Error('the process has ended')
    return write(...args)
  })
  return () => {
    refund.mockRestore()
    append.mockRestore()
  }
}

describe.each(LONG ? ENGINES : ENGINES.slice(0, 1))('a run on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  let runs: Runs
  let heard: LiveEvent[]

  beforeAll(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  beforeEach(async () => {
    ledger = await store.open()
    await store.empty()
    runs = runsOf(TOOLS, ledger)
    done = []
    heard = []
    active = 0
    mostActive = 0
    for (const one of [sell, page]) await ledger.trustTool(one, 'ann', { ask: true })
  })
  afterEach(async () => {
    await runs.close()
    await store.close()
  })

  const start = (plan: Plan, more: Partial<StartRequest> = {}) =>
    runs.start({ goal: 'test', principal: ME, plan, ...more })
  const onEvent = (happening: LiveEvent) => void heard.push(happening)
  const run = async (plan: Plan, more: Partial<StartRequest> = {}): Promise<RunRow & { outcome: Report }> => {
    const { id } = await start(plan, more)
    const row = (await runs.execute(id, { onEvent })) as RunRow
    return { ...row, outcome: JSON.parse(row.report ?? 'null') as Report }
  }

  test('does its steps, passes results on, and reports', async () => {
    const plan = planOf(
      step('a', 'shop.look', { n: 1 }),
      step('b', 'shop.look', { n: { $from: 'a', path: '/n' } }, ['a']),
    )
    const { status, outcome, ended_at } = await run(plan)
    expect(status).toBe('succeeded')
    expect(ended_at).not.toBeNull()
    expect(done).toEqual(['shop.look 1', 'shop.look 2'])
    expect(outcome).toMatchObject({
      summary: 'Done: 2 of 2 steps done.',
      made: [{ step: 'b', data: { n: 3 } }],
      calls: 2,
      spent: 0,
    })
    expect(heard.filter(({ kind }) => kind === 'phase').map((one) => (one as { body: unknown }).body)).toEqual(
      ['observe', 'think', 'execute', 'verify', 'learn'].map((phase) => ({ phase })),
    )
    expect(await ledger.runs.lessons()).toMatchObject([{ tool: 'shop.look', calls: 2, failures: 0 }])
  })

  test('has steps at work together whose needs are met, and as many as it may', async () => {
    const together = define('shop.together', {
      run: async () => {
        mostActive = Math.max(mostActive, ++active)
        await vi.waitFor(() => expect(mostActive).toBe(4))
        active--
        return { n: 0, words: [] }
      },
    })
    runs = runsOf([together], ledger)
    const steps = Array.from({ length: 10 }, (_, n) => step(`s${n}`, 'shop.together', { n }))
    expect(await run(planOf(...steps), { parallel: 4 })).toMatchObject({ status: 'succeeded' })
    expect(mostActive).toBe(4)
  })

  test.each([
    [
      'a wrong reference',
      planOf(step('a', 'shop.look'), step('b', 'shop.look', { n: { $from: 'a', path: '/no' } }, ['a'])),
      'b',
    ],
    ['a cycle', planOf(step('a', 'shop.look', {}, ['b']), step('b', 'shop.look', {}, ['a'])), undefined],
    ['an unknown tool', planOf(step('a', 'shop.look'), step('b', 'shop.lok')), 'b'],
    [
      'a type that does not fit',
      planOf(step('a', 'shop.look'), step('b', 'shop.look', { n: { $from: 'a', path: '/words' } }, ['a'])),
      'b',
    ],
    ['a cost above the budget', planOf(step('a', 'shop.look'), step('b', 'shop.sell', { cost: 11 })), undefined],
  ])('with %s is refused before anything ran', async (_what, plan, where) => {
    const { status, id } = await run(plan, { budget: { money: 10 }, approve: 'all' })
    expect(status).toBe('refused')
    expect(done).toEqual([])
    const unfit = (await ledger.runs.events(id)).find(({ kind }) => kind === 'unfit')
    const { problems } = JSON.parse(unfit?.body ?? '{}') as { problems: { step?: string; path: string }[] }
    expect(problems[0]?.path).toMatch(/^\/(steps|budget)/)
    if (where !== undefined) expect(problems.map((problem) => problem.step)).toContain(where)
  })

  test('waits for the approval of its plan, with no leader, and goes on once it is given', async () => {
    const { id, status } = await run(planOf(step('a', 'shop.look'), step('b', 'shop.sell', { n: 5 })))
    expect(status).toBe('waiting')
    expect(done).toEqual([])
    expect(await ledger.runs.find(id)).toMatchObject({ leader: null })
    expect(await runs.pending()).toEqual([])
    const [approval] = await ledger.approvals.list('waiting')
    expect(approval).toMatchObject({ tool: 'run.plan', reason: expect.stringContaining(id) })
    await ledger.approvals.approve(approval?.id as string, 'olga')
    expect(await runs.pending()).toEqual([id])
    expect(await runs.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(done.sort()).toEqual(['shop.look 0', 'shop.sell 5'])
    const [line] = await Array.fromAsync(ledger.index.search({ tool: 'shop.sell' }))
    expect(line).toMatchObject({ approval: approval?.id, run: id, step: 'b', principal: 'ann' })
  })

  test('is woken though the decision came before anybody could see it wait', async () => {
    const { id } = await run(planOf(step('b', 'shop.sell', { n: 5 })))
    const [approval] = await ledger.approvals.list('waiting')
    // As if it were still on its way to waiting when somebody decided and somebody else looked.
    await ledger.db.query("UPDATE runs SET status = 'running', leader = ? WHERE id = ?", [ledger.processes.id, id])
    await ledger.approvals.approve(approval?.id as string, 'olga')
    expect(await runs.pending()).toEqual([])
    await ledger.db.query("UPDATE runs SET status = 'waiting', leader = NULL WHERE id = ?", [id])
    expect(await runs.pending()).toEqual([id])
  })

  test('is refused where the plan is denied, and nothing has happened', async () => {
    const { id } = await run(planOf(step('b', 'shop.sell')))
    const [approval] = await ledger.approvals.list('waiting')
    await ledger.approvals.deny(approval?.id as string, 'olga', 'too dear')
    await runs.pending()
    expect(await runs.execute(id)).toMatchObject({ status: 'refused' })
    expect(done).toEqual([])
  })

  test('approval of a plan is for that run alone', async () => {
    const plan = planOf(step('b', 'shop.sell', { n: 5 }))
    const { id } = await run(plan)
    const [approval] = await ledger.approvals.list('waiting')
    await ledger.approvals.approve(approval?.id as string, 'olga')
    expect(await run(plan)).toMatchObject({ status: 'waiting' })
    await runs.pending()
    expect(await runs.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['shop.sell 5'])
  })

  test('asks nobody with approve "never", which refuses, or "all", which lets pass', async () => {
    const plan = planOf(step('b', 'shop.sell', { n: 5 }))
    expect(await run(plan, { approve: 'never' })).toMatchObject({ status: 'refused' })
    expect(done).toEqual([])
    expect(await run(plan, { approve: 'all' })).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['shop.sell 5'])
  })

  test('takes back in reverse what can be, when a step has failed, and says what stands', async () => {
    const plan = planOf(
      step('a', 'shop.page', { n: 1 }),
      step('b', 'shop.sell', { n: 2 }, ['a']),
      step('c', 'shop.page', { n: 3 }, ['b']),
      step('d', 'shop.fail', {}, ['c']),
      step('e', 'shop.sell', {}, ['d']),
    )
    const { status, outcome } = await run(plan, { approve: 'all' })
    expect(status).toBe('failed')
    expect(done).toEqual([
      'shop.page 1',
      'shop.sell 2',
      'shop.page 3',
      'shop.fail',
      'undo shop.page 4',
      'undo shop.page 2',
    ])
    expect(outcome.steps.map((one) => one.status)).toEqual(['undone', 'done', 'undone', 'failed', 'not_run'])
    expect(outcome.stands).toEqual(['b (shop.sell)'])
    expect(outcome.summary).toContain('OutOfStock')
  })

  test('tries again what may be, and only that', async () => {
    let calls = 0
    const flaky = define('shop.flaky', {
      idempotent: true,
      run: () => {
        if (++calls < 3) throw new Error('hiccup')
        return { n: calls, words: [] }
      },
    })
    const once = define('shop.once', {
      run: () => {
        calls++
        throw new Error('hiccup')
      },
    })
    runs = runsOf([flaky, once], ledger)
    expect(await run(planOf(step('a', 'shop.flaky')))).toMatchObject({
      status: 'succeeded',
      outcome: { steps: [{ attempts: 3 }] },
    })
    expect(calls).toBe(3)
    calls = 0
    expect(await run(planOf(step('a', 'shop.once')))).toMatchObject({ status: 'failed' })
    expect(calls).toBe(1)
  })

  test('never passes its budget of money, not by one call, though all steps come at once', async () => {
    const steps = Array.from({ length: 12 }, (_, n) =>
      step(`s${n}`, 'shop.spend', { cost: { $from: 'p', path: '/n' } }, ['p']),
    )
    let spent = 0
    const spend = define('shop.spend', {
      run: async (input: unknown) => {
        spent += (input as { cost: number }).cost
        await new Promise((resolve) => setTimeout(resolve, 5))
        return { n: 0, words: [] }
      },
    })
    const price = define('shop.price', { run: () => ({ n: 7, words: [] }) })
    runs = runsOf([spend, price], ledger)
    const { status, id } = await run(planOf(step('p', 'shop.price'), ...steps), {
      budget: { money: 50 },
      approve: 'never',
    })
    expect(status).toBe('failed')
    expect(spent).toBe(49)
    expect(await ledger.runs.find(id)).toMatchObject({ spent: 49 })
  })

  test('counts what only the result says it cost, and then has nothing left', async () => {
    const meter = tool({
      ...toolDefaults,
      name: 'shop.meter',
      input: z.object({}),
      output: z.object({ cost: z.number().meta({ 'x-cost': true }) }),
      run: () => ({ cost: 30 }),
    })
    const spend = define('shop.spend')
    runs = runsOf([meter, spend], ledger)
    const plan = planOf(step('a', 'shop.meter'), step('b', 'shop.spend', { cost: 5 }, ['a']))
    const { status, id, outcome } = await run(plan, { budget: { money: 20 }, approve: 'never' })
    expect(status).toBe('failed')
    expect(outcome.steps.map((one) => one.status)).toEqual(['done', 'failed'])
    expect(await ledger.runs.find(id)).toMatchObject({ spent: 30 })
  })

  describe('counts only money whose effect stands:', () => {
    const money = z.number().meta({ 'x-cost': true })
    const pay = (name: string, definition: object = {}): Tool =>
      define(name, { destructive: true, input: z.object({ cost: money }), ...definition })
    const refuse = pay('shop.refuse', {
      errors: { OutOfStock: 'there is none' },
      run: () => {
        throw new ToolError('OutOfStock', 'none left')
      },
    })
    const crash = pay('shop.crash', {
      run: () => {
        throw new Error('odd')
      },
    })
    const order = pay('shop.order', { undo: () => void done.push('undone') })
    const keep = pay('shop.keep')
    const nothing = pay('shop.nothing', { run: () => unchanged({ n: 0, words: [] }) })
    const trustAll = async (...tools: readonly Tool[]): Promise<void> => {
      runs = runsOf([...tools, look, fail], ledger)
      for (const one of tools) await ledger.trustTool(one, 'ann')
    }
    const spentOf = async (id: string): Promise<number | undefined> => (await ledger.runs.find(id))?.spent
    const FAILING = step('z', 'shop.fail', {}, ['a'])

    test('a step that its tool refused gives its money back', async () => {
      await trustAll(refuse)
      const { id, status, outcome } = await run(planOf(step('a', 'shop.refuse', { cost: 9 })), {
        budget: { money: 10 },
      })
      expect(status).toBe('failed')
      expect(outcome).toMatchObject({ spent: 0, calls: 1 })
      expect(await spentOf(id)).toBe(0)
    })

    test('a step that had nothing to change gives its money back, and others can spend it', async () => {
      await trustAll(nothing, keep)
      const plan = planOf(step('a', 'shop.nothing', { cost: 9 }), step('b', 'shop.keep', { cost: 8 }, ['a']))
      const { status, outcome } = await run(plan, { budget: { money: 17 } })
      expect([status, outcome.spent]).toEqual(['succeeded', 8])
    })

    test('a step that was undone gives its money back, and one that stands does not', async () => {
      await trustAll(order, keep)
      const plan = planOf(step('k', 'shop.keep', { cost: 3 }), step('a', 'shop.order', { cost: 9 }, ['k']), FAILING)
      const { id, outcome } = await run(plan, { budget: { money: 20 } })
      expect(done).toContain('undone')
      expect(outcome.steps.map((one) => one.status)).toEqual(['done', 'undone', 'failed'])
      expect(outcome).toMatchObject({ spent: 3, calls: 3 })
      expect(await spentOf(id)).toBe(3)
    })

    test('what the tool of an undone step spent by its own calls is given back, too', async () => {
      const both = define('shop.both', {
        destructive: true,
        run: async (_input: unknown, ctx: { call: (name: string, args: object) => Promise<unknown> }) => {
          await ctx.call('shop.keep', { cost: 4 })
          return { n: 0, words: [] }
        },
        undo: () => void done.push('undone'),
      } as never)
      await trustAll(both, keep)
      const { outcome } = await run(planOf(step('a', 'shop.both', {}), FAILING), {
        budget: { money: 20 },
        approve: 'all',
      })
      expect(done).toContain('undone')
      expect(outcome.spent).toBe(0)
    })

    test('a step that may have taken effect keeps its money', async () => {
      await trustAll(crash)
      const { outcome } = await run(planOf(step('a', 'shop.crash', { cost: 9 })), { budget: { money: 10 } })
      expect(outcome).toMatchObject({ status: 'failed', spent: 9 })
    })

    test('a refusal after an attempt that may have taken effect gives nothing back', async () => {
      let attempts = 0
      const twice = pay('shop.twice', {
        idempotent: true,
        errors: { OutOfStock: 'there is none' },
        run: () => {
          if (attempts++ === 0) throw new Error('odd')
          throw new ToolError('OutOfStock', 'none left')
        },
      })
      await trustAll(twice)
      const { outcome } = await run(planOf(step('a', 'shop.twice', { cost: 9 })), { budget: { money: 10 } })
      expect(attempts).toBe(2)
      expect(outcome.spent).toBe(9)
    })

    test.each([
      ['refused', () => planOf(step('a', 'shop.refuse', { cost: 9 }))],
      ['undone', () => planOf(step('a', 'shop.order', { cost: 9 }), FAILING)],
    ])(
      'a process that ends before it returns the money of a step that was %s leaves that to the next',
      async (_, plan) => {
        await trustAll(refuse, order)
        const { id } = await start(plan(), { budget: { money: 10 } })
        const restore = cutOffAtRefund(ledger)
        await runs.execute(id).catch(() => {})
        expect(await spentOf(id)).toBe(9)
        restore()
        const row = (await runs.execute(id)) as RunRow
        expect(JSON.parse(row.report ?? '')).toMatchObject({ spent: 0 })
        expect(row.spent).toBe(0)
      },
    )
  })

  test('never makes more calls than it may', async () => {
    const chain = Array.from({ length: 6 }, (_, n) => step(`s${n}`, 'shop.deep', {}, n === 0 ? [] : [`s${n - 1}`]))
    // Each step's tool makes a call of its own, which counts too.
    const deep = define('shop.deep', {
      run: async (_input: unknown, ctx: { call: (name: string, args: object) => Promise<unknown> }) => {
        done.push('deep')
        await ctx.call('shop.look', {})
        return { n: 0, words: [] }
      },
    } as never)
    runs = runsOf([deep, look], ledger)
    const { status } = await run(planOf(...chain), { budget: { calls: 7 }, approve: 'never' })
    expect(status).toBe('failed')
    expect(done).toEqual(['deep', 'shop.look 0', 'deep', 'shop.look 0', 'deep', 'shop.look 0', 'deep'])
  })

  test('stops when its time is over and nobody may be asked', async () => {
    await ledger.trustTool(page, 'ann')
    const running = run(planOf(step('a', 'shop.hang'), step('b', 'shop.page')), {
      budget: { time_ms: 30_000 },
      approve: 'never',
    })
    await expect.poll(() => [active, done]).toEqual([1, ['shop.page 0']])
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    onTestFinished(() => clock.mockRestore())
    const { status, outcome } = await running
    expect(status).toBe('failed')
    expect(outcome.summary).toContain('30000 ms')
    expect(outcome.steps.map((one) => one.status)).toEqual(['failed', 'undone'])
    expect(active).toBe(0)
  })

  test('the kill switch stops ten steps in flight from another process', async () => {
    const steps = Array.from({ length: 10 }, (_, n) => step(`s${n}`, 'shop.hang'))
    const { id } = await start(planOf(...steps, step('after', 'shop.look', {}, ['s0'])))
    const leading = runs.execute(id)
    await expect.poll(() => active).toBe(10)
    const elsewhere = await store.open()
    const row = await withTimeLimit(1000, async () => {
      expect(await elsewhere.runs.stop(id, 'olga', 'enough')).toBe(true)
      return (await leading) as RunRow
    })
    expect(active).toBe(0)
    expect(row).toMatchObject({ status: 'cancelled', leader: null })
    expect(done).toEqual([])
    expect(JSON.parse(row.report ?? '')).toMatchObject({ summary: expect.stringContaining('olga stopped it: enough') })
  })

  test('goes on where another leader left it, and does nothing twice', async () => {
    const plan = planOf(
      step('a', 'shop.sell', { n: 1 }),
      step('b', 'shop.sell', { n: { $from: 'a', path: '/n' } }, ['a']),
      step('c', 'shop.slow', {}, ['b']),
      step('d', 'shop.sell', { n: { $from: 'b', path: '/n' } }, ['c']),
    )
    const { id } = await start(plan, { approve: 'all' })
    const leading = runs.execute(id, {
      onEvent: (happening) => {
        if (happening.kind === 'started' && happening.step === 'c') void runs.close()
      },
    })
    expect(await leading).toMatchObject({ status: 'running', leader: null })
    expect(done).toEqual(['shop.sell 1', 'shop.sell 2', 'shop.slow'])
    const other = await store.open()
    const next = runsOf(TOOLS, other)
    expect(await next.execute(id)).toMatchObject({ status: 'succeeded' })
    expect(done).toEqual(['shop.sell 1', 'shop.sell 2', 'shop.slow', 'shop.sell 3'])
  })

  test('is led by one process only', async () => {
    const { id } = await start(planOf(step('a', 'shop.slow')))
    const next = runsOf(TOOLS, await store.open())
    const leads = await Promise.all([runs.execute(id), next.execute(id)])
    expect(leads.filter((row) => row !== undefined)).toHaveLength(1)
    expect(done).toEqual(['shop.slow'])
  })
})
