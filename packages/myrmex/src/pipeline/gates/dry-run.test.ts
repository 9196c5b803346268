/** Dry runs on a real ledger: a call that asks for one never runs its tool, and passes the gates that judge it. */

import {
  call,
  countedTool,
  definitionOf,
  destructiveTool,
  grant,
  principalNamed,
  serve,
  trust,
} from '@myrmex/testing/gated-server'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import type { Context } from '../../tool/context.ts'

const DRY = { meta: { 'myrmex/dryRun': true } }
const SAID = 'This was a dry run: nothing was changed.'

/** A tool with a dry run that notes its inputs. */
function payTool(changes: object = {}, origin?: 'upstream') {
  const rehearsed: unknown[] = []
  const pay = destructiveTool(
    'shop.pay',
    {
      dryRun: (input: unknown) => {
        rehearsed.push(input)
        return { paid: 0 }
      },
      run: () => ({ paid: 1 }),
      ...changes,
    } as never,
    origin,
  )
  return { pay, rehearsed }
}

describe('a dry run', () => {
  test('runs dryRun in the place of run, asks nobody, and says so in the result, its text and the audit', async () => {
    const { pay, rehearsed } = payTool()
    const { server, ledger, file } = await serve([pay])
    const peer = modernPeer(server)
    const { result } = await peer.request('tools/call', {
      name: 'shop.pay',
      arguments: { n: 5 },
      _meta: { 'myrmex/dryRun': true },
    })
    expect(result).toMatchObject({
      content: [
        { type: 'text', text: SAID },
        { type: 'text', text: '{"paid":0}' },
      ],
      structuredContent: { paid: 0 },
      _meta: { 'myrmex/result': { status: 'success', explanation: SAID, dry_run: true } },
    })
    expect(rehearsed).toEqual([{ n: 5 }])
    expect(pay.ran).toEqual([])
    expect(await ledger.approvals.list()).toEqual([])
    expect(file.lines()).toMatchObject([{ tool: 'shop.pay', outcome: 'success', dry_run: true }])
  })

  test('keeps the explanation of the tool, and a failure says that it was one', async () => {
    const { pay } = payTool({
      input: z.object({ n: z.number() }),
      errors: { Broke: 'No money.' },
      dryRun: () => {
        throw new ToolError('Broke', 'Too little money.')
      },
    })
    const { server } = await serve([pay])
    expect(await call(server, 'shop.pay', { n: 1 }, DRY)).toMatchObject({
      status: 'failure',
      explanation: 'A dry run was asked for.',
      error: { error_type: 'Broke' },
    })
    expect(await call(server, 'shop.pay', { n: 'x' }, DRY)).toMatchObject({ error: { error_type: 'SchemaError' } })
    expect(pay.ran).toEqual([])
  })

  test('needs no trust beyond that of a safe tool, and is refused if the tool is untrusted', async () => {
    const { pay } = payTool()
    const { server, ledger } = await serve([pay])
    expect(await call(server, 'shop.pay', {})).toMatchObject({ error: { error_type: 'PermissionError' } })
    expect(await call(server, 'shop.pay', {}, DRY)).toMatchObject({ status: 'success' })
    await ledger.trust.set(definitionOf(pay.tool), 'untrusted', 'ada')
    expect(await call(server, 'shop.pay', {}, DRY)).toMatchObject({ error: { error_type: 'PermissionError' } })
  })

  test('of an upstream is only its word: the definition must be trusted as for the call itself', async () => {
    const { pay, rehearsed } = payTool({}, 'upstream')
    const { server, ledger } = await serve([pay])
    await ledger.trust.set(definitionOf(pay.tool), 'verified', 'ada')
    expect(await call(server, 'shop.pay', {}, DRY)).toMatchObject({ error: { error_type: 'PermissionError' } })
    expect(rehearsed).toEqual([])
    await trust(ledger, pay)
    expect(await call(server, 'shop.pay', {}, DRY)).toMatchObject({ status: 'success' })
  })

  test('is held to scopes, limits and the output schema', async () => {
    const { pay, rehearsed } = payTool({ output: z.object({ paid: z.string() }) })
    const { server } = await serve([pay], {
      policy: { limits: { tools: { 'shop.pay': { calls: 1, per_ms: 60_000 } } } },
    })
    const bob = { ...principalNamed('bob'), scopes: ['other.*'] }
    const denied = await call(server, 'shop.pay', {}, { ...DRY, principal: bob })
    expect(denied.error?.error_details).toMatchObject({ missing_scope: 'shop.pay' })
    expect(rehearsed).toEqual([])
    expect((await call(server, 'shop.pay', {}, DRY)).error?.error_message).toMatch(/breaks its output schema/)
    expect(await call(server, 'shop.pay', {}, DRY)).toMatchObject({ error: { error_type: 'ApiLimitExceeded' } })
  })

  test('is refused by a tool that has none, whether it changes state or not', async () => {
    const tools = [destructiveTool('shop.burn'), countedTool('shop.look')]
    const { server, ledger, file } = await serve(tools)
    await grant(ledger, tools[0] as never)
    for (const name of ['shop.burn', 'shop.look']) {
      const { error } = await call(server, name, {}, DRY)
      expect(error).toMatchObject({ error_type: 'ValidationError' })
      expect(error?.error_message).toContain(`${name} 1.0.0 has no dry run`)
    }
    expect(tools.map(({ ran }) => ran)).toEqual([[], []])
    expect(file.lines().map(({ dry_run }) => dry_run)).toEqual([true, true])
  })

  test.each([['yes'], [1], [null], [{}]])('is asked for with true only: %j runs nothing', async (asked) => {
    const { pay, rehearsed } = payTool()
    const { server, ledger } = await serve([pay])
    await grant(ledger, pay)
    const { error } = await call(server, 'shop.pay', {}, { meta: { 'myrmex/dryRun': asked } })
    expect(error?.error_message).toMatch(/_meta\["myrmex\/dryRun"\] must be true/)
    expect([pay.ran, rehearsed]).toEqual([[], []])
  })

  test('of false is a call', async () => {
    const { pay, rehearsed } = payTool()
    const { server, ledger, file } = await serve([pay])
    await grant(ledger, pay)
    const { explanation, status } = await call(server, 'shop.pay', {}, { meta: { 'myrmex/dryRun': false } })
    expect([status, explanation, pay.ran.length, rehearsed.length]).toEqual(['success', null, 1, 0])
    expect(file.lines()[0]).not.toHaveProperty('dry_run')
  })

  test('of an undo is refused', async () => {
    const undone: unknown[] = []
    const { pay, rehearsed } = payTool({ undo: () => void undone.push(1) })
    const { server, ledger } = await serve([pay])
    await grant(ledger, pay)
    const { call_id } = await call(server, 'shop.pay', {})
    const meta = { 'myrmex/dryRun': true, 'myrmex/undo': call_id }
    expect((await call(server, 'shop.pay', {}, { meta })).error?.error_message).toMatch(/An undo has no dry run/)
    expect([undone, rehearsed]).toEqual([[], []])
  })

  test('leaves an idempotency key free', async () => {
    const { pay } = payTool()
    const { server, ledger } = await serve([pay])
    await grant(ledger, pay)
    const dry = await call(server, 'shop.pay', {}, { key: 'k', ...DRY })
    const real = await call(server, 'shop.pay', {}, { key: 'k' })
    expect([dry.data, real.data, pay.ran.length]).toEqual([{ paid: 0 }, { paid: 1 }, 1])
    expect(await call(server, 'shop.pay', {}, { key: 'k', ...DRY })).toMatchObject({ data: { paid: 0 } })
  })

  test('may ask its client, and gets the answers', async () => {
    const requestedSchema = { type: 'object', properties: {} }
    const question = { method: 'elicitation/create', params: { mode: 'form', message: 'Sure?', requestedSchema } }
    const { pay } = payTool({
      ask: () => ({ sure: question }),
      dryRun: (_input: unknown, { answers }: Context) => ({ answers }),
    })
    const { server } = await serve([pay])
    const peer = modernPeer(server, { elicitation: { form: {} } })
    const params = { name: 'shop.pay', arguments: {}, _meta: { 'myrmex/dryRun': true } }
    const { result: asked } = await peer.request('tools/call', params)
    const inputResponses = { sure: { action: 'accept', content: {} } }
    const again = { ...params, inputResponses, requestState: asked.requestState }
    const { result } = await peer.request('tools/call', again)
    expect(result.structuredContent).toEqual({ answers: inputResponses })
    // The state of a dry run is not that of a call.
    const { error } = await peer.request('tools/call', { ...again, _meta: {} })
    expect(error?.message).toMatch(/requestState/)
    expect(pay.ran).toEqual([])
  })

  test('of a forbidden call is refused, and so is one of a reading tool that a rule wants approved', async () => {
    const { pay, rehearsed } = payTool()
    const peeked: unknown[] = []
    const peek = countedTool('shop.peek', { dryRun: () => ({ n: peeked.push(1) }) } as never)
    const articles = [
      { name: 'No large sums', text: 'Never above 10.', tools: ['shop.pay'], forbid: [{ argument: '/n', above: 10 }] },
    ]
    const policy = { approvals: [{ name: 'peeking', tools: ['shop.peek'] }] }
    const { server } = await serve([pay, peek], { constitution: { articles }, policy })
    expect((await call(server, 'shop.pay', { n: 11 }, DRY)).error?.error_type).toBe('PermissionError')
    expect(rehearsed).toEqual([])
    expect(await call(server, 'shop.pay', { n: 9 }, DRY)).toMatchObject({ status: 'success' })
    expect((await call(server, 'shop.peek', {}, DRY)).error?.error_message).toMatch(/approv/)
    expect(peeked).toEqual([])
  })
})

describe('what a dry run calls in turn', () => {
  test('is rehearsed if it has a dry run, runs if it only reads, and is refused otherwise', async () => {
    const { pay, rehearsed } = payTool()
    const burn = destructiveTool('shop.burn')
    const look = countedTool('shop.look')
    const results: Record<string, string> = {}
    const order = destructiveTool('shop.order', {
      dryRun: async (_input: unknown, ctx: Context) => {
        for (const name of ['shop.pay', 'shop.burn', 'shop.look'])
          results[name] = await ctx.call(name, {}).then(({ status, error }) => error?.error_type ?? status)
        return {}
      },
    } as never)
    const { server, ledger, file } = await serve([order, pay, burn, look])
    for (const one of [order, pay, burn]) await grant(ledger, one)
    await call(server, 'shop.order', {}, DRY)
    expect(results).toEqual({ 'shop.pay': 'success', 'shop.burn': 'ValidationError', 'shop.look': 'success' })
    expect([pay.ran, burn.ran, look.ran.length, rehearsed.length]).toEqual([[], [], 1, 1])
    expect(file.lines().every(({ dry_run }) => dry_run === true)).toBe(true)
  })

  test('cannot run for real behind a tool that only reads', async () => {
    const burn = destructiveTool('shop.burn')
    const look = countedTool('shop.look', {
      run: async (_i: unknown, ctx: Context) => ctx.call('shop.burn', {}),
    } as never)
    const order = destructiveTool('shop.order', {
      dryRun: async (_input: unknown, ctx: Context) => ({ got: await ctx.call('shop.look', {}) }),
    } as never)
    const { server, ledger } = await serve([order, burn, look])
    for (const one of [order, burn]) await grant(ledger, one)
    const { data } = await call(server, 'shop.order', {}, DRY)
    expect(data.got.data).toMatchObject({ status: 'failure', error: { error_type: 'ValidationError' } })
    expect(burn.ran).toEqual([])
  })
})

describe('where it is asked for', () => {
  test('a batch rehearses all its calls, or those that say so', async () => {
    const { pay, rehearsed } = payTool()
    const { server, ledger } = await serve([pay])
    await grant(ledger, pay)
    const peer = modernPeer(server)
    const one = (flag?: unknown) => ({
      name: 'shop.pay',
      arguments: {},
      ...(flag !== undefined && { _meta: { 'myrmex/dryRun': flag } }),
    })
    const { result } = await peer.request('myrmex/batch', { calls: [one(true), one()] })
    expect(result.results.map(({ data }: { data: unknown }) => data)).toEqual([{ paid: 0 }, { paid: 1 }])
    const whole = { calls: [one(), one(false), one(true)], _meta: { 'myrmex/dryRun': true } }
    const { result: all } = await peer.request('myrmex/batch', whole)
    expect(all.results.map(({ data }: { data: unknown }) => data)).toEqual([{ paid: 0 }, { paid: 0 }, { paid: 0 }])
    expect([pay.ran.length, rehearsed.length]).toEqual([1, 4])
  })

  test('a task says in its result that it was one, also to a process that reads it from the ledger', async () => {
    const { pay } = payTool({ task: true, dryRun: async () => ({ paid: 0 }) })
    const { server, file } = await serve([pay])
    const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
    const peer = modernPeer(server, tasks)
    const params = { name: 'shop.pay', arguments: {}, _meta: { 'myrmex/dryRun': true } }
    const { result: head } = await peer.request('tools/call', params)
    expect(head.resultType).toBe('task')
    const other = modernPeer((await serve([pay], { file })).server, tasks)
    for (const one of [peer, other]) {
      const { result: task } = await one.request('tasks/get', { taskId: head.taskId })
      expect(task.result._meta['myrmex/result']).toMatchObject({ dry_run: true, explanation: SAID })
    }
    expect(pay.ran).toEqual([])
  })

  test('other requests have none', async () => {
    const acted: unknown[] = []
    const { server } = await serve([], { methods: { 'vendor/act': () => ({ n: acted.push(1) }) } })
    const { error } = await modernPeer(server).request('vendor/act', { _meta: { 'myrmex/dryRun': true } })
    expect(error).toMatchObject({ code: -32602, data: { error_type: 'ValidationError' } })
    expect(acted).toEqual([])
  })

  test('a tool lists whether it has one, and its definition hash says so', async () => {
    const { pay } = payTool()
    const { server } = await serve([pay, countedTool('shop.look')])
    const { result } = await modernPeer(server).request('tools/list')
    const said = result.tools.map(({ name, _meta }: { name: string; _meta: object }) => [name, '' in _meta, _meta])
    expect(said[1]?.[2]).toHaveProperty(['myrmex/dryRun'], true)
    expect(said[0]?.[2]).not.toHaveProperty(['myrmex/dryRun'])
    const bare = destructiveTool('shop.pay', { run: () => ({ paid: 1 }) })
    expect(pay.tool.hash).not.toBe(bare.tool.hash)
  })
})
