/** The constitution as calls meet it: the five articles of the example, each against small tools on a real ledger. */
import { readFileSync } from 'node:fs'
import {
  approvalOf,
  type CountedTool,
  call,
  countedTool,
  destructiveTool,
  eventually,
  type GatedServer,
  grant,
  type LedgerFile,
  latch,
  principalNamed,
  serve,
} from '@myrmex/testing/gated-server'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Outcome } from '../outcome.ts'
import type { RunContext } from '../run-context.ts'

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../../../../examples/constitution.example.json', import.meta.url), 'utf8'),
)

const amount = (name: string) => z.object({ [name]: z.number(), n: z.number().optional() })

interface Shop extends GatedServer {
  readonly tools: Readonly<Record<string, CountedTool>>
  /** what the tools of analytics know */
  readonly facts: { roas: unknown; refunds: unknown; asked: unknown[] }
}

/** The shop of the example, every tool with a standing grant. */
async function shop(constitution: object = EXAMPLE, file?: LedgerFile, changes: object = {}): Promise<Shop> {
  const facts: Shop['facts'] = { roas: 2, refunds: 0.01, asked: [] }
  const tools = {
    campaign: destructiveTool('marketing.create_ad_campaign', { input: amount('budget'), ...changes }),
    scale: destructiveTool('marketing.scale_campaign', {
      input: z.object({ campaign_id: z.string(), budget: z.number() }),
    }),
    copy: destructiveTool('marketing.write_copy', { input: z.object({ tone: z.string() }) }),
    order: destructiveTool('operations.order_stock', { input: amount('total') }),
    accept: destructiveTool('store.accept_order'),
    price: destructiveTool('store.set_price', { input: z.object({ confidence: z.number().optional() }) }),
    roas: countedTool('analytics.campaign_return', {
      input: z.object({ campaign_id: z.string() }),
      run: (input: unknown) => {
        facts.asked.push(input)
        return { return_on_ad_spend: facts.roas }
      },
    } as never),
    refunds: countedTool('analytics.refunds', { run: () => ({ rate: facts.refunds }) } as never),
  }
  const served = await serve(Object.values(tools), { constitution, ...(file && { file }) })
  for (const one of Object.values(tools)) if (one.tool.destructive) await grant(served.ledger, one)
  return { ...served, tools, facts }
}

const BREACH = { status: 'failure', error: { error_type: 'PermissionError' } }
const breachOf = (article: string) => ({
  ...BREACH,
  error: { ...BREACH.error, error_details: { article } },
})

describe('ad spend of at most 50 a day in all', () => {
  afterEach(() => void vi.useRealTimers())
  const spend = ({ server }: GatedServer, budget: number, options = {}) =>
    call(server, 'marketing.create_ad_campaign', { budget }, options)
  const at = (time: string) => vi.setSystemTime(new Date(time))

  test('is counted over all tools that it is about, and a breach says what was found and what is allowed', async () => {
    const one = await shop()
    expect(await spend(one, 30)).toMatchObject({ status: 'success' })
    expect(await call(one.server, 'marketing.scale_campaign', { campaign_id: 'c', budget: 15 })).toMatchObject({
      status: 'success',
    })
    const refused = await spend(one, 6)
    expect(refused).toMatchObject(breachOf('ad spend'))
    expect(refused.error?.error_details).toMatchObject({ found: 6, bound: 50 })
    expect(refused.error?.error_message).toBe(
      'marketing.create_ad_campaign was not run: it breaches the article “ad spend” of the constitution: Ad spend is at most ' +
        '50 a day in all. /budget is 6; at most 50 may pass in a day, and 5 is left today.',
    )
    expect(await spend(one, 5)).toMatchObject({ status: 'success' })
    expect(one.tools.campaign?.ran).toHaveLength(2)
  })

  test('is not passed by one of many calls at once, in two servers on one ledger', async () => {
    const one = await shop()
    const two = await shop(EXAMPLE, one.file)
    const results = await Promise.all(Array.from({ length: 40 }, (_, n) => spend(n % 2 ? one : two, 3)))
    expect(results.filter(({ status }) => status === 'success')).toHaveLength(16)
    expect((one.tools.campaign?.ran.length ?? 0) + (two.tools.campaign?.ran.length ?? 0)).toBe(16)
  })

  test('starts again at midnight in the time zone of the owner', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    at('2026-07-28T21:59:00Z')
    const one = await shop()
    expect(await spend(one, 50)).toMatchObject({ status: 'success' })
    expect(await spend(one, 1)).toMatchObject(breachOf('ad spend'))
    at('2026-07-28T22:01:00Z')
    expect(await spend(one, 50)).toMatchObject({ status: 'success' })
    at('2026-07-29T21:59:00Z')
    expect(await spend(one, 1)).toMatchObject(breachOf('ad spend'))
  })

  test('survives a restart', async () => {
    const one = await shop()
    await spend(one, 50)
    await one.ledger.close()
    expect(await spend(await shop(EXAMPLE, one.file), 1)).toMatchObject(breachOf('ad spend'))
  })

  test('counts a call once, however often it is sent with its key', async () => {
    const one = await shop()
    for (let n = 0; n < 3; n++) expect(await spend(one, 40, { key: 'k' })).toMatchObject({ status: 'success' })
    expect(one.tools.campaign?.ran).toHaveLength(1)
    expect(await spend(one, 10)).toMatchObject({ status: 'success' })
    expect(await spend(one, 40, { key: 'k' })).toMatchObject({ status: 'success' })
    expect(await spend(one, 1)).toMatchObject(breachOf('ad spend'))
  })

  test('lets the repeat of a call in flight wait for it', async () => {
    const { open, opened } = latch()
    const one = await shop(EXAMPLE, undefined, { run: () => opened.then(() => ({})) })
    const calls = Array.from({ length: 5 }, () => spend(one, 50, { key: 'k' }))
    await eventually(() => expect(one.tools.campaign?.ran).toHaveLength(1))
    open()
    for (const done of await Promise.all(calls)) expect(done).toMatchObject({ status: 'success' })
  })

  test('does not count a call twice that is taken over from a process that died', async () => {
    let first = true
    const run = () => {
      if (!first) return {}
      first = false
      return new Promise(() => {})
    }
    const one = await shop(EXAMPLE, undefined, { keyed: true, run })
    void spend(one, 30, { key: 'k' })
    await eventually(() => expect(one.tools.campaign?.ran).toHaveLength(1))
    one.file.exec('DELETE FROM owners')
    const two = await shop(EXAMPLE, one.file, { keyed: true, run })
    expect(await spend(two, 30, { key: 'k' })).toMatchObject({ status: 'success' })
    expect(await spend(two, 20)).toMatchObject({ status: 'success' })
    expect(await spend(two, 1)).toMatchObject(breachOf('ad spend'))
    expect(one.file.rows("SELECT id FROM budgets WHERE id LIKE '%counted%'")).toHaveLength(0)
  })

  test('gives back what a tool that was never begun would have spent', async () => {
    const one = await shop(EXAMPLE, undefined, { limit: { calls: 1, per_ms: 3_600_000 } })
    await spend(one, 1)
    expect((await spend(one, 40)).error?.error_type).toBe('ApiLimitExceeded')
    const [row] = one.file.rows<{ spent: number }>("SELECT spent FROM budgets WHERE id LIKE 'article:%'")
    expect(row?.spent).toBe(1)
  })

  test('gives back what was counted by one article where another refuses', async () => {
    const at_most = { argument: '/budget', amount: 10, per: 'ever' }
    const narrow = { name: 'narrow', text: 'At most 10 ever.', tools: ['marketing.create_ad_campaign'], at_most }
    const one = await shop({ articles: [EXAMPLE.articles[0], narrow] })
    expect(await spend(one, 8, { key: 'a' })).toMatchObject({ status: 'success' })
    expect(await spend(one, 9, { key: 'b' })).toMatchObject(breachOf('narrow'))
    expect(await spend(one, 2, { key: 'b' })).toMatchObject({ status: 'success' })
    const rows = one.file.rows<{ id: string; spent: number }>('SELECT id, spent FROM budgets')
    expect(rows.map(({ spent }) => spent)).toEqual([10, 10])
  })

  test('counts what failed: it may have been spent', async () => {
    const one = await shop(EXAMPLE, undefined, { run: () => Promise.reject(new Error('odd')) })
    await spend(one, 50)
    expect(await spend(one, 1)).toMatchObject(breachOf('ad spend'))
  })

  test('is of no concern to a tool of the pattern that has no such argument', async () => {
    const one = await shop()
    await spend(one, 50)
    expect(await call(one.server, 'marketing.write_copy', { tone: 'warm' })).toMatchObject({ status: 'success' })
  })

  test('adds up cents exactly enough', async () => {
    const [first] = EXAMPLE.articles
    const one = await shop({ articles: [{ ...first, at_most: { ...first.at_most, amount: 0.3 } }] })
    for (const cents of [0.1, 0.2]) expect(await spend(one, cents)).toMatchObject({ status: 'success' })
    expect(await spend(one, 0.01)).toMatchObject(breachOf('ad spend'))
  })

  test('is not given back by less than nothing', async () => {
    const one = await shop()
    await spend(one, 50)
    expect(await spend(one, -50)).toMatchObject({ status: 'success' })
    expect(await spend(one, 1)).toMatchObject(breachOf('ad spend'))
  })

  test('fails closed where the ledger cannot count', async () => {
    const one = await shop()
    one.file.exec("CREATE TRIGGER full BEFORE INSERT ON budgets BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    expect(await spend(one, 1)).toMatchObject({ error: { error_type: 'UnavailableError' } })
    expect(one.tools.campaign?.ran).toHaveLength(0)
  })
})

describe('scaling only above a return of 1.5', () => {
  const scale = ({ server }: GatedServer, campaign_id = 'c1') =>
    call(server, 'marketing.scale_campaign', { campaign_id, budget: 1 })

  test('reads the return of that very campaign through the pipeline, and keeps it for a moment', async () => {
    const one = await shop()
    expect(await scale(one)).toMatchObject({ status: 'success' })
    expect(await scale(one)).toMatchObject({ status: 'success' })
    await scale(one, 'c2')
    expect(one.facts.asked).toEqual([{ campaign_id: 'c1' }, { campaign_id: 'c2' }])
    expect(one.file.lines().map(({ tool }) => tool)).toContain('analytics.campaign_return')
  })

  test('refuses with the value found, and reads it again after a moment', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const one = await shop()
    one.facts.roas = 1.5
    const refused = await scale(one)
    expect(refused).toMatchObject(breachOf('scaling'))
    expect(refused.error?.error_message).toContain(
      '/return_on_ad_spend of analytics.campaign_return is 1.5; it must be above 1.5.',
    )
    one.facts.roas = 1.6
    vi.advanceTimersByTime(1000)
    expect(await scale(one)).toMatchObject(breachOf('scaling'))
    vi.advanceTimersByTime(1000)
    expect(await scale(one)).toMatchObject({ status: 'success' })
  })

  test.each([
    ['is no number', 'good'],
    ['is missing', undefined],
    ['is none of this world', Number.NaN],
  ])('refuses where the fact %s', async (_what, roas) => {
    const one = await shop()
    one.facts.roas = roas
    expect(await scale(one)).toMatchObject(breachOf('scaling'))
    expect(one.tools.scale?.ran).toHaveLength(0)
  })

  test.each([
    ['there is no such tool', 'analytics.gone', /there is no tool analytics\.gone/],
    ['the tool changes state', 'store.accept_order', /changes state/],
  ])('refuses where %s', async (_what, tool, message) => {
    const [, scaling] = EXAMPLE.articles
    const fact = { ...scaling.only_if[0].fact, tool }
    const one = await shop({ articles: [{ ...scaling, only_if: [{ fact, above: 1.5 }] }] })
    const refused = await scale(one)
    expect(refused).toMatchObject(breachOf('scaling'))
    expect(refused.error?.error_message).toMatch(message)
    expect(one.tools.accept?.ran).toHaveLength(0)
  })

  test('refuses a caller who may not know the fact', async () => {
    const one = await shop()
    const principal = { ...principalNamed('bob'), scopes: ['marketing.*'] }
    const refused = await call(one.server, 'marketing.scale_campaign', { campaign_id: 'c', budget: 1 }, { principal })
    expect(refused).toMatchObject(breachOf('scaling'))
    expect(refused.error?.error_message).toMatch(/bob may not call analytics\.campaign_return/)
  })

  test('does not go round in circles where a fact is itself under an article', async () => {
    const all = (name: string, tool: string, path: string) => ({
      name,
      text: `${name}.`,
      tools: ['*'],
      only_if: [{ fact: { tool, path, arguments: { campaign_id: 'c' } }, at_least: 0 }],
    })
    const one = await shop({
      articles: [
        all('one', 'analytics.campaign_return', '/return_on_ad_spend'),
        all('two', 'analytics.refunds', '/rate'),
      ],
    })
    expect(await call(one.server, 'store.accept_order')).toMatchObject({ status: 'success' })
  })
})

describe('a human', () => {
  test('is asked about purchase orders above 200, whatever standing grant there is', async () => {
    const { server, ledger, tools } = await shop()
    expect(await call(server, 'operations.order_stock', { total: 200 })).toMatchObject({ status: 'success' })
    const waiting = await call(server, 'operations.order_stock', { total: 201 })
    expect(waiting.error?.error_message).toMatch(/“purchase orders”: Purchase orders above 200 need a human/)
    await ledger.approvals.approve(approvalOf(waiting), 'ada')
    expect(await call(server, 'operations.order_stock', { total: 201 })).toMatchObject({ status: 'success' })
    expect(tools.order?.ran).toHaveLength(2)
  })

  test('is asked although the plan of the run covers the call', async () => {
    const { server } = await shop()
    const lead: RunContext = {
      run: 'r1',
      step: 's1',
      key: 'run:r1/s1',
      covers: () => 'plan-1',
      reserve: () => undefined,
      settle: () => {},
    }
    const caller = { ...plainCaller('direct', LOCAL), runContext: lead }
    const ended = await server.pipeline.call(caller, 'operations.order_stock', { total: 201 })
    expect(ended instanceof Outcome && ended.error?.error_message).toMatch(/needs a human's approval/)
  })

  test('is asked about decisions below 70 % confidence, of whatever tool, and about no others', async () => {
    const { server } = await shop()
    const set = (args: object) => call(server, 'store.set_price', args)
    expect(await set({ confidence: 0.69 })).toMatchObject(BREACH)
    expect(await set({ confidence: 0.7 })).toMatchObject({ status: 'success' })
    expect(await set({})).toMatchObject({ status: 'success' })
  })

  test('cannot approve what the constitution does not allow', async () => {
    const { server, ledger } = await shop({
      articles: [{ ...EXAMPLE.articles[2], at_most: { argument: '/total', amount: 500, per: 'call' } }],
    })
    const waiting = await call(server, 'operations.order_stock', { total: 400 })
    await ledger.approvals.approve(approvalOf(waiting), 'ada')
    expect(await call(server, 'operations.order_stock', { total: 501 })).toMatchObject(breachOf('purchase orders'))
    expect(await call(server, 'operations.order_stock', { total: 400 })).toMatchObject({ status: 'success' })
  })
})

test('sales pause when refunds pass 5 %', async () => {
  const { server, facts } = await shop()
  facts.refunds = 0.051
  const refused = await call(server, 'store.accept_order')
  expect(refused).toMatchObject(breachOf('refunds'))
  expect(refused.error?.error_message).toContain('/rate of analytics.refunds is 0.051; it must be at most 0.05.')
  const other = await shop()
  other.facts.refunds = 0.05
  expect(await call(other.server, 'store.accept_order')).toMatchObject({ status: 'success' })
})

test('a recorded result is returned again, even if the constitution forbids the call now', async () => {
  const one = await shop()
  const options = { key: 'k' }
  expect(await call(one.server, 'store.accept_order', {}, options)).toMatchObject({ status: 'success' })
  const later = await shop(EXAMPLE, one.file)
  later.facts.refunds = 0.5
  expect(await call(later.server, 'store.accept_order', {}, options)).toMatchObject({ status: 'success' })
  expect(await call(later.server, 'store.accept_order', {})).toMatchObject(breachOf('refunds'))
  expect(later.tools.accept?.ran).toHaveLength(0)
})

describe('an article with when', () => {
  const articles = [
    {
      name: 'scaling',
      text: 'Scaling only above 1.5.',
      tools: ['marketing.create_ad_campaign'],
      when: [{ argument: '/n', present: true }],
      only_if: [
        {
          fact: { tool: 'analytics.campaign_return', arguments: { campaign_id: 'c' }, path: '/return_on_ad_spend' },
          above: 1.5,
        },
      ],
      at_most: { argument: '/budget', amount: 20, per: 'day' },
    },
  ]
  const spend = ({ server }: GatedServer, args: object) => call(server, 'marketing.create_ad_campaign', args)

  test('is about the calls that it describes and no others, also where it counts', async () => {
    const one = await shop({ articles })
    one.facts.roas = 1
    expect(await spend(one, { budget: 50 })).toMatchObject({ status: 'success' })
    expect(await spend(one, { budget: 5, n: 1 })).toMatchObject(breachOf('scaling'))
    const two = await shop({ articles })
    expect(await spend(two, { budget: 50 })).toMatchObject({ status: 'success' })
    expect(await spend(two, { budget: 15, n: 1 })).toMatchObject({ status: 'success' })
    expect(await spend(two, { budget: 6, n: 1 })).toMatchObject(breachOf('scaling'))
    expect(await spend(two, { budget: 6 })).toMatchObject({ status: 'success' })
  })
})
