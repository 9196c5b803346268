/** Calls that a run leads: their key, their approval, their budget, and what the audit says of them. */

import {
  type CountedTool,
  call,
  destructiveTool,
  eventually,
  type GatedServer,
  grant,
  latch,
  numberTool,
  serve,
  trust,
} from '@myrmex/testing/gated-server'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { plainCaller } from '../../server/exchange.ts'
import { partial } from '../../tool/answer.ts'
import { LOCAL } from '../../tool/context.ts'
import { tool } from '../../tool/tool.ts'
import { Outcome } from '../outcome.ts'
import type { RunContext, Spend } from '../run-context.ts'

interface Settled {
  readonly reserved: Spend[]
  readonly settled: Spend[]
}

/** A run with this much money, counted in the ledger as runs count it: never one call too many. */
function budgetOf(ledger: Ledger, ceiling: number, changes: Partial<RunContext> = {}): RunContext & Settled {
  const [reserved, settled]: [Spend[], Spend[]] = [[], []]
  return {
    run: 'r1',
    step: 's1',
    key: `run:r1/s1/${crypto.randomUUID()}`,
    covers: () => 'plan-1',
    async reserve(spend) {
      reserved.push(spend)
      const left = await ledger.counters.spend('r1', spend.cost, ceiling)
      return left === undefined ? `${spend.cost} is more than is left of ${ceiling}` : undefined
    },
    settle: (spend) => void settled.push(spend),
    reserved,
    settled,
    ...changes,
  }
}

async function led(
  { server }: GatedServer,
  lead: RunContext,
  name: string,
  args: object,
  meta?: Params,
): Promise<Outcome> {
  const caller = { ...plainCaller('direct', LOCAL), runContext: lead }
  const ended = await server.pipeline.call(caller, name, args, meta)
  if (!(ended instanceof Outcome)) throw ended
  return ended
}

const COST = { 'x-cost': true }
const PAYS = {
  input: z.object({ amount: z.number().meta(COST), n: z.number().optional() }),
  output: z.object({ paid: z.number().meta(COST) }),
  run: ({ amount }: { amount: number }) => ({ paid: amount }),
} as never

async function shop(changes: object = {}): Promise<GatedServer & { pay: CountedTool }> {
  const pay = destructiveTool('shop.pay', { ...(PAYS as object), ...changes })
  const served = await serve([pay])
  await trust(served.ledger, pay)
  return { pay, ...served }
}

const approvalIdOf = (error: { error_details?: unknown } | null): unknown =>
  (error?.error_details as { approval?: string } | undefined)?.approval

describe('the budget of a run', () => {
  test('is not passed by one call of fifty at once, though others spend from it too', async () => {
    const served = await shop()
    const other = await serve([served.pay], { file: served.file })
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        led(n % 2 ? served : other, budgetOf(n % 2 ? served.ledger : other.ledger, 99), 'shop.pay', { amount: 3, n }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'success')).toHaveLength(33)
    expect(served.pay.ran).toHaveLength(33)
    const [row] = served.file.rows<{ spent: number }>("SELECT spent FROM budgets WHERE id = 'r1'")
    expect(row?.spent).toBe(99)
  })

  test('that is spent refuses with the run, the step and the cost, and the tool is not begun', async () => {
    const served = await shop()
    const lead = budgetOf(served.ledger, 10)
    const { error } = await led(served, lead, 'shop.pay', { amount: 11 })
    expect(error).toMatchObject({
      error_type: 'PermissionError',
      error_message: expect.stringMatching(
        /^shop\.pay was not run: the budget of run r1 .* 11 is more than is left of 10\.$/,
      ),
      error_details: { run: 'r1', step: 's1', cost: 11 },
    })
    expect(served.pay.ran).toHaveLength(0)
    expect(lead.settled).toEqual([])
    expect(served.file.lines()).toMatchObject([{ run: 'r1', step: 's1', error_type: 'PermissionError' }])
  })

  test('gets what was really spent, as the output says it', async () => {
    const served = await shop({ run: ({ amount }: { amount: number }) => partial({ paid: amount - 2 }, {} as never) })
    const lead = budgetOf(served.ledger, 10)
    await led(served, lead, 'shop.pay', { amount: 9 })
    expect(lead.reserved).toMatchObject([{ tool: 'shop.pay', depth: 0, cost: 9 }])
    expect(lead.settled).toEqual([{ ...lead.reserved[0], cost: 7 }])
  })

  test.each([
    ['what failed may have spent all of it', { run: () => Promise.reject(new Error('odd')) }, 9],
    ['an output that says nothing leaves what the input said', { output: z.looseObject({}), run: () => ({}) }, 9],
    ['what was stopped by its deadline may go on', { timeout: 50, run: () => new Promise(() => {}) }, 9],
  ])('counts in full where nobody can say: %s', async (_what, changes, cost) => {
    const served = await shop(changes)
    const lead = budgetOf(served.ledger, 10)
    await led(served, lead, 'shop.pay', { amount: 9 })
    expect(lead.settled).toMatchObject([{ cost }])
  })

  test('is given back all that was taken for a tool that was never begun', async () => {
    // Five failures in a row open its breaker, which comes after the budget.
    const served = await shop({
      run: () => {
        throw new Error('broken')
      },
    })
    const lead = budgetOf(served.ledger, 100)
    for (let n = 0; n < 5; n++) {
      const { settle } = lead
      await led(served, budgetOf(served.ledger, 100, { settle }), 'shop.pay', { amount: 1, n })
    }
    const late = await led(served, lead, 'shop.pay', { amount: 7, n: 9 })
    expect(late.error?.error_type).toBe('UnavailableError')
    expect(served.pay.ran).toHaveLength(5)
    expect(lead.reserved).toMatchObject([{ cost: 7 }])
    expect(lead.settled.at(-1)).toMatchObject({ cost: 0 })
  })

  test('counts a repeated result as what the first call cost', async () => {
    const served = await shop()
    const lead = budgetOf(served.ledger, 100)
    for (let n = 0; n < 2; n++) await led(served, lead, 'shop.pay', { amount: 9 })
    expect(served.pay.ran).toHaveLength(1)
    expect(lead.settled).toMatchObject([{ cost: 9 }, { cost: 9 }])
  })

  test('refuses what cannot be counted, without asking', async () => {
    const served = await shop({ input: z.object({ amount: z.any().meta(COST) }), run: () => ({ paid: 1 }) })
    const lead = budgetOf(served.ledger, 100)
    const { error } = await led(served, lead, 'shop.pay', { amount: 'all of it' })
    expect(error).toMatchObject({ error_type: 'PermissionError', error_details: { cost: null } })
    expect(lead.reserved).toEqual([])
  })

  test('counts text that the schema makes a number of, and defaults that it fills in', async () => {
    const served = await shop({
      input: z.object({ amount: z.coerce.number().meta(COST), tip: z.number().default(2).meta(COST) }),
    })
    const lead = budgetOf(served.ledger, 100)
    await led(served, lead, 'shop.pay', { amount: '12' })
    expect(lead.reserved).toMatchObject([{ cost: 14 }])
  })

  test('fails closed where it cannot be asked', async () => {
    const served = await shop()
    const lead = budgetOf(served.ledger, 100, {
      reserve: () => {
        throw new Error('the ledger is gone')
      },
    })
    expect((await led(served, lead, 'shop.pay', { amount: 1 })).status).toBe('failure')
    expect(served.pay.ran).toHaveLength(0)
  })

  test('that cannot take anything back is logged, and the result is returned', async () => {
    const served = await shop()
    const lead = budgetOf(served.ledger, 100, { settle: () => Promise.reject(new Error('the ledger is gone')) })
    expect(await led(served, lead, 'shop.pay', { amount: 1 })).toMatchObject({ status: 'success', data: { paid: 1 } })
  })

  test('is of no concern to a call that no run leads', async () => {
    const served = await shop()
    await grant(served.ledger, served.pay)
    expect(await call(served.server, 'shop.pay', { amount: 1e9 })).toMatchObject({ status: 'success' })
  })
})

describe('a call of a run', () => {
  test('runs once under the key of its step, whatever key its metadata has', async () => {
    const number = numberTool()
    const served = await serve([number])
    const lead = budgetOf(served.ledger, 1)
    const other: Params = { 'myrmex/idempotencyKey': 'other', 'myrmex/context': { run: 'x', step: 'y' } }
    expect((await led(served, lead, 'shop.number', {})).data).toEqual({ run: 1 })
    expect((await led(served, lead, 'shop.number', {}, other)).data).toEqual({ run: 1 })
    const rows = served.file.rows('SELECT once_key, run, step FROM once')
    expect(rows).toEqual([{ once_key: lead.key, run: 'r1', step: 's1' }])
    expect(served.file.lines()).toMatchObject([
      { run: 'r1', step: 's1' },
      { run: 'r1', step: 's1', repeat_of: expect.any(String) },
    ])
  })

  test.each([
    ['as a key', { 'myrmex/idempotencyKey': 'run:r1/s1' }],
    ['as the place in a run', { 'myrmex/context': { run: 'run:r1', step: 's1' } }],
  ])('has a key that nobody else can have, %s', async (_how, meta) => {
    const number = numberTool()
    const served = await serve([number])
    await led(served, budgetOf(served.ledger, 1, { key: 'run:r1/s1' }), 'shop.number', {})
    const refused = await call(served.server, 'shop.number', {}, { meta })
    expect(refused.error).toMatchObject({
      error_type: 'ValidationError',
      error_message: expect.stringContaining('run:'),
    })
    expect(number.ran).toHaveLength(1)
  })

  test('is covered by the approval of its plan, and the audit names it', async () => {
    const served = await shop()
    await led(served, budgetOf(served.ledger, 10), 'shop.pay', { amount: 1 })
    expect(served.file.lines()).toMatchObject([{ outcome: 'success', approval: 'plan-1' }])
  })

  test('waits for a human where the plan does not cover it', async () => {
    const served = await shop()
    const lead = budgetOf(served.ledger, 10, { covers: () => undefined })
    expect((await led(served, lead, 'shop.pay', { amount: 1 })).error?.error_message).toMatch(
      /needs a human's approval/,
    )
    expect(lead.reserved).toEqual([])
  })

  test('waits for a human of its own where the policy asks, whatever the plan covers', async () => {
    const pay = destructiveTool('shop.pay', PAYS)
    const rule = { name: 'large', tools: ['shop.pay'], when: [{ argument: '/amount', above: 200 }] }
    const served = await serve([pay], { policy: { approvals: [rule] } })
    await trust(served.ledger, pay)
    const lead = budgetOf(served.ledger, 1000)
    expect((await led(served, lead, 'shop.pay', { amount: 201 })).error?.error_message).toMatch(/large/)
    expect((await led(served, lead, 'shop.pay', { amount: 200 })).status).toBe('success')
  })

  test('undoes what its step did without a second approval, though an article asks about every call', async () => {
    const undone: unknown[] = []
    const pay = destructiveTool('shop.pay', { ...(PAYS as object), undo: (input: unknown) => void undone.push(input) })
    const ask = [{ argument: '/amount', above: 0 }]
    const articles = [{ name: 'paying', text: 'Somebody is asked.', tools: ['shop.pay'], ask }]
    const served = await serve([pay], { constitution: { articles } })
    await trust(served.ledger, pay)
    const args = { amount: 3 }
    const budget = budgetOf(served.ledger, 10)
    const asked = await led(served, budget, 'shop.pay', args)
    expect(asked.error?.error_type).toBe('PermissionError')
    await served.ledger.approvals.approve(String(approvalIdOf(asked.error)), 'ada')
    expect(await led(served, budget, 'shop.pay', args)).toMatchObject({ status: 'success' })
    const done = served.file.rows<{ call_id: string }>('SELECT call_id FROM undoable_calls')[0]?.call_id
    const meta = { 'myrmex/undo': done }
    const uncovered = budgetOf(served.ledger, 10, { covers: () => undefined, key: 'run:r1/s1/undo' })
    expect((await led(served, uncovered, 'shop.pay', {}, meta)).error?.error_type).toBe('PermissionError')
    const covered = budgetOf(served.ledger, 10, { key: 'run:r1/s1/undo' })
    expect(await led(served, covered, 'shop.pay', {}, meta)).toMatchObject({ status: 'success' })
    expect(undone).toEqual([args])
  })

  test('hands the lead on to the calls of its tool, which have no key and are asked about by their own tool', async () => {
    const pay = destructiveTool('shop.pay', PAYS)
    const both = tool({
      ...toolDefaults,
      name: 'shop.both',
      input: z.object({}),
      output: z.object({ statuses: z.array(z.string()), keys: z.array(z.string()) }),
      run: async (_input, ctx) => {
        const results = [await ctx.call('shop.pay', { amount: 4 }), await ctx.call('shop.pay', { amount: 4 })]
        return { statuses: results.map(({ status }) => status), keys: [ctx.idempotencyKey ?? 'none'] }
      },
    })
    const served = await serve([pay, { tool: both, ran: [] }])
    await trust(served.ledger, pay)
    const asked: string[] = []
    const lead = budgetOf(served.ledger, 8, {
      covers: ({ tool: { name } }) => {
        asked.push(name)
        return 'plan-1'
      },
    })
    const { data } = await led(served, lead, 'shop.both', {})
    expect(data).toEqual({ statuses: ['success', 'success'], keys: [lead.key] })
    expect(asked).toEqual(['shop.pay', 'shop.pay'])
    expect(pay.ran).toHaveLength(2)
    expect(lead.reserved.map(({ tool: name, depth, cost }) => [name, depth, cost])).toEqual([
      ['shop.both', 0, 0],
      ['shop.pay', 1, 4],
      ['shop.pay', 1, 4],
    ])
    expect(served.file.lines().every(({ run, step }) => run === 'r1' && step === 's1')).toBe(true)
    expect(served.file.rows('SELECT once_key FROM once')).toHaveLength(1)
  })

  test('whose end nobody knows counts in full', async () => {
    const { open, opened } = latch()
    const served = await shop({ run: () => opened.then(() => ({ paid: 1 })) })
    const lead = budgetOf(served.ledger, 100)
    const first = led(served, lead, 'shop.pay', { amount: 9 })
    await eventually(() => expect(served.pay.ran).toHaveLength(1))
    served.file.exec('DELETE FROM owners')
    const other = await serve([served.pay], { file: served.file })
    const lost = await led(other, lead, 'shop.pay', { amount: 9 })
    expect(lost.error?.error_details).toMatchObject({ outcome: 'unknown' })
    expect(lead.settled).toMatchObject([{ cost: 9 }])
    open()
    await first
  })
})
