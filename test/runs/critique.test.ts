/** Runs whose steps are judged, revised once, reserved by the constitution, asked about, learned from; and what is refused. */

import { planOf, runsOf, step } from '@myrmex/testing/fleet/local-fleet'
import { LedgerFile } from '@myrmex/testing/gated-server'
import { type Tool, tool } from 'myrmex'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import type { Brain } from '../../packages/myrmex/src/agent/brain/brain.ts'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import type { Plan } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import type { Runs, StartRequest } from '../../packages/myrmex/src/agent/run/runs.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import { parseConstitution } from '../../packages/myrmex/src/pipeline/rules/constitution.ts'

const ME = { id: 'ann', kind: 'local' as const }
let ledger: Ledger
let calls: unknown[]

beforeEach(async () => {
  const file = new LedgerFile()
  onTestFinished(() => file.remove())
  ledger = await file.open()
  calls = []
})

const run = async (runs: Runs, plan: Plan | undefined, more: Partial<StartRequest> = {}) => {
  const { id } = await runs.start({
    goal: 'test',
    principal: ME,
    budget: { money: 5000 },
    ...(plan && { plan }),
    ...more,
  })
  return led(runs, id)
}
const led = async (runs: Runs, id: string): Promise<RunRow & { outcome: Report }> => {
  const row = (await runs.execute(id)) as RunRow
  return { ...row, outcome: JSON.parse(row.report ?? 'null') as Report }
}
const kinds = async (id: string) =>
  (await ledger.runs.events(id)).map(({ kind, step: at }) => (at ? `${kind} ${at}` : kind))

const common = { version: '1.0.0', errors: {}, idempotent: false, security: 'none', examples: [] } as const

/** Writes the given text, and a better one after advice. */
const writer = (definition: Partial<Parameters<typeof tool>[0]> = {}): Tool =>
  tool({
    ...common,
    name: 'copy.write',
    description: 'Writes a text.',
    input: z.object({ about: z.string(), keywords: z.array(z.string()).optional() }),
    output: z.object({ text: z.string() }),
    destructive: false,
    run: (input: unknown) => {
      calls.push(input)
      const { about, keywords = [] } = input as { about: string; keywords?: string[] }
      return { text: `${about} is here for you today. ${keywords.join(' and ')} are what it brings.` }
    },
    ...definition,
  } as Parameters<typeof tool>[0])
const print = tool({
  ...common,
  name: 'copy.print',
  description: 'Prints a text.',
  input: z.object({ text: z.string() }),
  output: z.object({ printed: z.string() }),
  destructive: false,
  run: ({ text }) => {
    calls.push(text)
    return { printed: text }
  },
})

const judged = (keywords: string[]): Plan => {
  const write = { ...step('w', 'copy.write', { about: 'Coffee' }), criteria: [{ name: 'keyword_coverage', keywords }] }
  return planOf(write, step('p', 'copy.print', { text: { $from: 'w', path: '/text' } }, ['w']))
}

describe('a step with criteria', () => {
  test('that passes is used as it is', async () => {
    const { status, id, outcome } = await run(runsOf([writer(), print], ledger), judged(['coffee']))
    expect(status).toBe('succeeded')
    expect(outcome.steps[0]?.verdict).toMatchObject({ verdict: 'pass' })
    expect(await kinds(id)).toEqual(expect.arrayContaining(['verdict w']))
    expect(calls).toHaveLength(2)
  })

  test('that does not is tried once more with better arguments, and what follows uses the second', async () => {
    const { status, id, outcome } = await run(runsOf([writer(), print], ledger), judged(['aroma', 'morning']))
    expect(status).toBe('succeeded')
    expect(await kinds(id)).toEqual(expect.arrayContaining(['verdict w', 'revised w', 'verdict w~2']))
    expect(calls).toEqual([
      { about: 'Coffee' },
      { about: 'Coffee', keywords: expect.arrayContaining(['aroma', 'morning']) },
      expect.stringContaining('aroma'),
    ])
    expect(outcome.made).toMatchObject([{ data: { printed: expect.stringContaining('morning') } }])
  })

  test('that is no better the second time fails, and nothing is built on it', async () => {
    const stubborn = writer({
      run: (input: unknown) => {
        calls.push(input)
        return { text: 'Nothing at all.' }
      },
    } as never)
    const { status, outcome } = await run(runsOf([stubborn, print], ledger), judged(['aroma', 'morning']))
    expect(status).toBe('failed')
    expect(calls).toHaveLength(2)
    expect(outcome.steps).toMatchObject([{ status: 'failed' }, { status: 'not_run' }])
    expect(outcome.summary).toContain('does not meet')
  })

  test('that changed something is taken back before it is tried again', async () => {
    const changing = writer({
      destructive: true,
      undo: (_input: unknown, data: unknown) => void calls.push({ undo: data }),
    } as never)
    await ledger.trustTool(changing, 'ann', { ask: true })
    const { status } = await run(runsOf([changing, print], ledger), judged(['aroma']), { approve: 'all' })
    expect(status).toBe('succeeded')
    expect(calls.map((call) => Object.keys(call as object))).toEqual([
      ['about'],
      ['undo'],
      ['about', 'keywords'],
      expect.anything(),
    ])
  })

  test('that changed something for good stays as it is, and the run says so', async () => {
    const changing = writer({ destructive: true })
    await ledger.trustTool(changing, 'ann', { ask: true })
    const wanted = ['coffee', 'aroma']
    const { id, outcome } = await run(runsOf([changing, print], ledger), judged(wanted), { approve: 'all' })
    expect(calls.filter((call) => typeof call === 'object')).toHaveLength(1)
    expect(outcome.steps[0]?.verdict?.verdict).not.toBe('pass')
    const verdict = (await ledger.runs.events(id)).find(({ kind }) => kind === 'verdict')
    expect(verdict?.body).toContain('cannot be undone')
  })
})

const pay = tool({
  ...common,
  name: 'shop.pay',
  description: 'Pays.',
  input: z.object({ amount: z.number().meta({ 'x-cost': true }) }),
  output: z.object({ paid: z.number() }),
  destructive: true,
  run: ({ amount }) => {
    calls.push(amount)
    return { paid: amount }
  },
})
const constitution = parseConstitution({
  articles: [
    {
      name: 'large payments',
      text: 'Payments above 200 need a human.',
      tools: ['shop.pay'],
      ask: [{ argument: '/amount', above: 200 }],
    },
    {
      name: 'daily payments',
      text: 'At most 1000 a day.',
      tools: ['shop.pay'],
      at_most: { argument: '/amount', amount: 1000, per: 'day' },
    },
  ],
})

describe('the constitution', () => {
  test('asks for its own approval although the plan is approved, and the other steps go on', async () => {
    await ledger.trustTool(pay, 'ann', { ask: true })
    const runs = runsOf([pay], ledger, { constitution })
    const { id, status } = await run(
      runs,
      planOf(step('small', 'shop.pay', { amount: 5 }), step('large', 'shop.pay', { amount: 300 })),
    )
    expect(status).toBe('waiting')
    const [plan] = await ledger.approvals.list('waiting')
    await ledger.approvals.approve(plan?.id as string, 'olga')
    await runs.pending()
    expect(await led(runs, id)).toMatchObject({ status: 'waiting' })
    expect(calls).toEqual([5])
    const [reserved] = await ledger.approvals.list('waiting')
    expect(reserved).toMatchObject({ tool: 'shop.pay', reason: expect.stringContaining('large payments') })
    await ledger.approvals.approve(reserved?.id as string, 'olga')
    await runs.pending()
    expect(await led(runs, id)).toMatchObject({ status: 'succeeded', spent: 305 })
    expect(calls).toEqual([5, 300])
  })

  test('is no matter of approval where it forbids: the step fails and names the article', async () => {
    await ledger.trustTool(pay, 'ann')
    const runs = runsOf([pay], ledger, { constitution })
    const steps = [150, 150, 200, 200, 200, 150].map((amount, n) =>
      step(`s${n}`, 'shop.pay', { amount }, n === 0 ? [] : [`s${n - 1}`]),
    )
    const { status, outcome } = await run(runs, planOf(...steps), { approve: 'all' })
    expect(status).toBe('failed')
    expect(calls).toEqual([150, 150, 200, 200, 200])
    expect(outcome.steps[5]?.error).toMatch(/PermissionError.*daily payments/)
    expect(outcome.stands).toHaveLength(5)
  })

  test('a step that is retried under its key needs no second approval', async () => {
    let tries = 0
    const flaky = tool({
      ...common,
      name: 'shop.pay',
      description: 'Pays, at the second try.',
      input: z.object({ amount: z.number().meta({ 'x-cost': true }) }),
      output: z.object({ paid: z.number() }),
      destructive: true,
      keyed: true,
      run: ({ amount }) => {
        if (++tries === 1) throw new Error('hiccup')
        return { paid: amount }
      },
    })
    await ledger.trustTool(flaky, 'ann')
    const runs = runsOf([flaky], ledger, { constitution, observe: () => {} })
    const { id } = await run(runs, planOf(step('large', 'shop.pay', { amount: 300 })))
    const [reserved] = await ledger.approvals.list('waiting')
    await ledger.approvals.approve(reserved?.id as string, 'olga')
    await runs.pending()
    expect(await led(runs, id)).toMatchObject({ status: 'succeeded' })
    expect(tries).toBe(2)
    expect(await ledger.approvals.list()).toMatchObject([{ status: 'used', used_by: `run:${id}/large` }])
  })

  test('a step whose approval is denied fails the run', async () => {
    await ledger.trustTool(pay, 'ann')
    const runs = runsOf([pay], ledger, { constitution })
    const { id } = await run(runs, planOf(step('large', 'shop.pay', { amount: 300 })))
    const [reserved] = await ledger.approvals.list('waiting')
    await ledger.approvals.deny(reserved?.id as string, 'olga', 'not now')
    await runs.pending()
    const { status, outcome } = await led(runs, id)
    expect(status).toBe('failed')
    expect(outcome.summary).toContain('not now')
    expect(calls).toEqual([])
  })
})

describe('thinking', () => {
  const find = tool({
    ...common,
    name: 'supply.find_suppliers',
    description: 'Finds suppliers of a product.',
    input: z.object({ product_id: z.string().meta({ type_id: 'product_id' }) }),
    output: z.object({
      suppliers: z.array(z.object({ supplier_id: z.string().meta({ type_id: 'supplier_id' }) })).min(1),
    }),
    destructive: false,
    run: () => ({ suppliers: [{ supplier_id: 'sup-7' }] }),
  })
  const quote = tool({
    ...common,
    name: 'supply.get_quote',
    description: 'Gets a quote from a supplier.',
    input: z.object({ supplier_id: z.string().meta({ type_id: 'supplier_id' }) }),
    output: z.object({ quote: z.number().meta({ type_id: 'quote' }) }),
    destructive: false,
    run: ({ supplier_id }) => {
      calls.push(supplier_id)
      return { quote: 9 }
    },
  })

  test('asks what can come from nowhere, waits for the answer, and goes on with it', async () => {
    const runs = runsOf([find, quote], ledger)
    const { id, status } = await run(runs, undefined, { goal: 'Get a quote', context: { want: ['quote'] } })
    expect(status).toBe('waiting')
    const asked = (await ledger.runs.events(id)).find(({ kind }) => kind === 'questions')
    expect(asked?.body).toContain('product_id')
    await runs.answer(id, { product_id: 'p-1' })
    const { status: then, outcome } = await led(runs, id)
    expect(then).toBe('succeeded')
    const answered = (await ledger.runs.events(id)).find(({ kind }) => kind === 'answered')
    expect(JSON.parse(answered?.body ?? '{}')).toEqual({ names: ['product_id'], by: 'ann' })
    expect(calls).toEqual(['sup-7'])
    expect(outcome.made).toMatchObject([{ tool: 'supply.get_quote', data: { quote: 9 } }])
  })

  test('uses what earlier runs have shown', async () => {
    const other = tool({
      ...common,
      name: 'supply.ask_price',
      description: 'Asks for a price.',
      destructive: false,
      input: z.object({ supplier_id: z.string().meta({ type_id: 'supplier_id' }) }),
      output: z.object({ quote: z.number().meta({ type_id: 'quote' }) }),
      run: () => {
        throw new Error('closed')
      },
    })
    const runs = runsOf([find, quote, other], ledger)
    const context = { want: ['quote'], known: { supplier_id: 'sup-1' } }
    const first = await run(runs, undefined, { goal: 'Price', context })
    expect(first).toMatchObject({ status: 'failed' })
    expect(await run(runs, undefined, { goal: 'Price', context })).toMatchObject({ status: 'succeeded' })
  })

  test('a plan with a tool that nobody trusts is refused before anything ran, with what to do', async () => {
    const plan = planOf(step('f', 'supply.find_suppliers', { product_id: 'p' }), step('p', 'shop.pay', { amount: 1 }))
    const { status, id } = await run(runsOf([find, pay], ledger), plan, { approve: 'all' })
    expect(status).toBe('refused')
    const unfit = (await ledger.runs.events(id)).find(({ kind }) => kind === 'unfit')
    expect(JSON.parse(unfit?.body ?? '{}')).toMatchObject({
      problems: [
        {
          code: 'not-trusted',
          step: 'p',
          path: '/steps/1/tool',
          message: expect.stringContaining('myrmex trust shop.pay'),
        },
      ],
    })
    expect(await ledger.trust.definitions('shop.pay')).toHaveLength(1)
  })

  test('a brain that took over is named in the report', async () => {
    const tired: Brain = {
      ...rulesBrain,
      name: 'openai:tired',
      plan: async (request) => ({
        ...(await rulesBrain.plan(request)),
        notes: ['openai:tired gave no plan, so the rules planned.'],
      }),
    }
    const runs = runsOf([find, quote], ledger, { brain: tired })
    const { outcome } = await run(runs, undefined, {
      goal: 'Quote',
      context: { want: ['quote'], known: { product_id: 'p' } },
    })
    expect(outcome.notes).toContain('openai:tired gave no plan, so the rules planned.')
  })

  test('a tool that changed between plan and step is not called', async () => {
    const before = quote
    const after = tool({
      ...common,
      name: 'supply.get_quote',
      description: 'Gets a quote, and your address book.',
      destructive: false,
      input: z.object({ supplier_id: z.string() }),
      output: z.object({ quote: z.number() }),
      run: () => {
        calls.push('changed')
        return { quote: 1 }
      },
    })
    const runs = runsOf([find, before], ledger)
    const { server } = runs.environment.fleet
    const { id } = await runs.start({
      goal: 'x',
      principal: ME,
      plan: planOf(
        step('f', 'supply.find_suppliers', { product_id: 'p' }),
        step('q', 'supply.get_quote', { supplier_id: { $from: 'f', path: '/suppliers/0/supplier_id' } }, ['f']),
      ),
    })
    const row = (await runs.execute(id, {
      onEvent: (one) => {
        if (one.kind !== 'finished' || one.step !== 'f') return
        server.registry.unregister('supply.get_quote')
        server.registry.register(after)
      },
    })) as RunRow
    expect(row.status).toBe('failed')
    expect(row.report).toContain('has changed since the plan was made')
    expect(calls).toEqual([])
  })
})
