/** What each part of an article does to a call: forbid, ask, count, hold for what is called in turn and for what undoes. */

import { approvalOf, call, countedTool, grant, serve } from '@myrmex/testing/gated-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../../server/exchange.ts'
import { LOCAL } from '../../../tool/context.ts'

const breachOf = (article: string) => ({
  status: 'failure',
  error: { error_type: 'PermissionError', error_details: { article } },
})

describe('an article', () => {
  const article = (change: object) => ({ articles: [{ name: 'a', text: 'It is so.', tools: ['shop.pay'], ...change }] })
  const pay = async (constitution: object, changes: object = {}) => {
    const one = countedTool('shop.pay', { input: z.looseObject({}), ...changes })
    const served = await serve([one], { constitution })
    return { one, served, pay: (args: object, options = {}) => call(served.server, 'shop.pay', args, options) }
  }

  test('that forbids refuses when all of its conditions hold, of safe tools too', async () => {
    const forbid = [
      { argument: '/country', equals: 'XX' },
      { argument: '/amount', above: 10 },
    ]
    const { pay: to, one } = await pay(article({ forbid }))
    const refused = await to({ country: 'XX', amount: 11 })
    expect(refused).toMatchObject(breachOf('a'))
    expect(refused.error?.error_message).toContain('/country is "XX". /amount is 11.')
    expect(await to({ country: 'XX', amount: 10 })).toMatchObject({ status: 'success' })
    expect(one.ran).toHaveLength(1)
  })

  test('sees what the schema makes of the arguments', async () => {
    const input = z.object({ amount: z.number().default(500) })
    const { pay: to } = await pay(article({ forbid: [{ argument: '/amount', above: 100 }] }), { input })
    expect(await to({ amount: 1 })).toMatchObject({ status: 'success' })
    expect(await to({})).toMatchObject(breachOf('a'))
    const most = await pay(article({ at_most: { argument: '/amount', amount: 100, per: 'ever' } }), { input })
    expect(await most.pay({})).toMatchObject(breachOf('a'))
  })

  test.each([[{}], [{ amount: null }], [{ amount: '5' }]])(
    'refuses %j where it must count and cannot',
    async (args) => {
      for (const per of ['call', 'ever']) {
        const { pay: to } = await pay(article({ at_most: { argument: '/amount', amount: 100, per } }))
        expect(await to(args)).toMatchObject({ error: { error_details: { article: 'a', found: null, bound: 100 } } })
      }
    },
  )

  test('counts money by the schema where it names no argument', async () => {
    const input = z.object({ price: z.number().meta({ 'x-cost': true }) })
    const { pay: to } = await pay(article({ at_most: { amount: 10, per: 'month' } }), { input })
    expect(await to({ price: 10 })).toMatchObject({ status: 'success' })
    expect(await to({ price: 1 })).toMatchObject(breachOf('a'))
  })

  test('counts each tool on its own unless it says in all', async () => {
    const [one, two] = [
      countedTool('shop.one', { input: z.looseObject({}) }),
      countedTool('shop.two', { input: z.looseObject({}) }),
    ]
    const at_most = { argument: '/amount', amount: 10, per: 'ever' }
    const tools = ['shop.one', 'shop.two']
    const apart = await serve([one, two], { constitution: article({ tools, at_most }) })
    for (const name of tools)
      expect(await call(apart.server, name, { amount: 10 })).toMatchObject({ status: 'success' })
    const together = await serve([one, two], {
      constitution: article({ tools, at_most: { ...at_most, in_all: true } }),
    })
    expect(await call(together.server, 'shop.one', { amount: 10 })).toMatchObject({ status: 'success' })
    expect(await call(together.server, 'shop.two', { amount: 1 })).toMatchObject(breachOf('a'))
  })

  test('holds for what a tool calls in turn', async () => {
    const inner = countedTool('shop.pay', { input: z.looseObject({}) })
    const outer = countedTool('shop.outer', {
      run: async (_input: unknown, ctx: { call: (name: string, args: object) => Promise<object> }) => ({
        inner: await ctx.call('shop.pay', { amount: 11 }),
      }),
    } as never)
    const constitution = article({ at_most: { argument: '/amount', amount: 10, per: 'call' } })
    const { server } = await serve([inner, outer], { constitution })
    expect((await call(server, 'shop.outer')).data.inner.error).toMatchObject({ error_details: { article: 'a' } })
  })

  test('judges an undo by the arguments of the call that it undoes, and takes nothing from a quota for it', async () => {
    const constitution = article({
      at_most: { argument: '/amount', amount: 10, per: 'ever' },
      ask: [{ argument: '/amount', above: 5 }],
    })
    const { pay: to, one, served } = await pay(constitution, { undo: () => {} })
    await grant(served.ledger, one)
    const undo = (id: string) => ({ meta: { 'myrmex/undo': id } })
    const small = await to({ amount: 4 })
    expect(await to({}, undo(small.call_id))).toMatchObject({ status: 'success' })
    await served.ledger.approvals.approve(approvalOf(await to({ amount: 6 })), 'ada')
    const large = await to({ amount: 6 })
    expect(large).toMatchObject({ status: 'success' })
    // Ten of ten are spent, and the undo is asked about all the same, not refused.
    expect((await to({}, undo(large.call_id))).error?.error_details).toMatchObject({ status: 'waiting' })
    expect((await to({ amount: 1 })).error?.error_details).toMatchObject({ article: 'a' })
    expect(one.ran).toHaveLength(2)
  })

  test('that asks makes the wait for a human possible as a task, and is looked at again when it is over', async () => {
    let rate = 0.01
    const refunds = countedTool('shop.refunds', { run: () => ({ rate }) } as never)
    const only_if = [{ fact: { tool: 'shop.refunds', path: '/rate' }, at_most: 0.05 }]
    const one = countedTool('shop.pay', { input: z.looseObject({}) })
    const constitution = article({ only_if, ask: [{ argument: '/amount', above: 5 }] })
    const { server, ledger, file } = await serve([one, refunds], { constitution })
    expect(server.pipeline.mayWait({ tool: one.tool, changesState: false })).toBe(true)
    expect(server.pipeline.mayWait({ tool: refunds.tool, changesState: false })).toBe(false)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const prepared = server.pipeline.prepare(plainCaller('direct', LOCAL), 'shop.pay', { amount: 6 })
    const waits = Promise.withResolvers<void>()
    prepared.taskHooks = { onWait: () => waits.resolve() }
    const ended = server.pipeline.run(prepared)
    await waits.promise
    rate = 0.06
    vi.advanceTimersByTime(3000)
    const [{ id } = { id: '' }] = await ledger.approvals.list()
    await ledger.approvals.approve(id, 'ada')
    expect(await ended).toMatchObject(breachOf('a'))
    expect(file.rows('SELECT status FROM approvals')).toEqual([{ status: 'approved' }])
    expect(one.ran).toHaveLength(0)
  })
})
