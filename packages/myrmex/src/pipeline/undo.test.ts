/** Undoing what a call did: a call like any other, through every gate. */

import {
  approvalOf,
  call,
  destructiveTool,
  eventually,
  type GatedServer,
  grant,
  serve,
  serveRefundTool,
  trust,
} from '@myrmex/testing/gated-server'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../protocol/errors.ts'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { tool } from '../tool/tool.ts'
import { Outcome } from './outcome.ts'

interface Undone {
  readonly input: unknown
  readonly data: unknown
  readonly key: string | undefined
}

const undo = (data: unknown) => ({ meta: { 'myrmex/undo': data } })

async function undoable(changes: object = {}): Promise<GatedServer & { undone: Undone[]; ran: unknown[] }> {
  const undone: Undone[] = []
  const { refund, ...served } = await serveRefundTool({
    output: z.object({ id: z.string() }),
    run: () => ({ id: `r${refund.ran.length}` }),
    undo: (input: unknown, data: unknown, ctx: { idempotencyKey: string | undefined }) =>
      void undone.push({ input, data, key: ctx.idempotencyKey }),
    ...changes,
  } as never)
  return { ...served, undone, ran: refund.ran }
}

const vouch = async ({ ledger, server }: GatedServer) =>
  ledger.trustTool(server.registry.find('shop.refund') as never, 'ada')

describe('a call that undoes', () => {
  test('runs undo with the arguments and the data instead of run, and answers what was undone', async () => {
    const served = await undoable()
    await vouch(served)
    const done = await call(served.server, 'shop.refund', { n: 1 })
    const taken = await call(served.server, 'shop.refund', { n: 1 }, undo(done.data))
    expect(taken).toMatchObject({ status: 'success', data: { id: 'r1' }, explanation: 'What the call did was undone.' })
    expect(served.undone).toEqual([{ input: { n: 1 }, data: { id: 'r1' }, key: undefined }])
    expect(served.ran).toHaveLength(1)
  })

  test('is refused by a tool that declares no undo, before anybody is asked', async () => {
    const { server, refund, ledger } = await serveRefundTool()
    const { error } = await call(server, 'shop.refund', {}, undo({}))
    expect(error).toMatchObject({
      error_type: 'ValidationError',
      error_message: expect.stringMatching(/cannot be undone: it declares no undo/),
    })
    expect(refund.ran).toHaveLength(0)
    expect(await ledger.approvals.list()).toEqual([])
  })

  test('is refused where the data is not what the tool answers', async () => {
    const served = await undoable()
    await vouch(served)
    for (const data of [{}, { id: 7 }, null, 'r1']) {
      const { error } = await call(served.server, 'shop.refund', {}, undo(data))
      expect(error).toMatchObject({ error_type: 'SchemaError', error_message: expect.stringContaining('myrmex/undo') })
    }
    expect(served.undone).toEqual([])
  })

  test('is in the audit with its arguments beside what was undone, and with their hash', async () => {
    const served = await undoable()
    await vouch(served)
    await call(served.server, 'shop.refund', { n: 1 }, undo({ id: 'r1' }))
    expect(served.file.lines()).toMatchObject([
      { tool: 'shop.refund', args: { arguments: { n: 1 }, undo: { id: 'r1' } }, args_hash: expect.any(String) },
    ])
  })

  test('that fails says so as the tool does', async () => {
    const served = await undoable({
      errors: { TooLateError: 'when it is paid out' },
      undo: () => Promise.reject(new ToolError('TooLateError', 'It is paid out.')),
    })
    await vouch(served)
    expect((await call(served.server, 'shop.refund', {}, undo({ id: 'r1' }))).error).toMatchObject({
      error_type: 'TooLateError',
    })
  })

  test('is stopped by the deadline', async () => {
    const served = await undoable({ timeout: 50, undo: () => new Promise(() => {}) })
    await vouch(served)
    expect((await call(served.server, 'shop.refund', {}, undo({ id: 'r1' }))).error?.error_type).toBe('TimeoutError')
  })

  test('runs once under its key, which is not that of the call it undoes', async () => {
    const served = await undoable()
    await vouch(served)
    await call(served.server, 'shop.refund', { n: 1 }, { key: 'k' })
    const same = await call(served.server, 'shop.refund', { n: 1 }, { key: 'k', ...undo({ id: 'r1' }) })
    expect(same.error?.error_message).toMatch(/belongs to a call .* with other arguments/)
    for (let n = 0; n < 2; n++) {
      const again = await call(served.server, 'shop.refund', { n: 1 }, { key: 'k2', ...undo({ id: 'r1' }) })
      expect(again).toMatchObject({ status: 'success', data: { id: 'r1' } })
    }
    expect(served.undone).toMatchObject([{ key: 'k2' }])
  })

  test('needs trust like any other', async () => {
    const refund = destructiveTool('shop.refund', { undo: () => {} })
    const { server } = await serve([refund])
    expect((await call(server, 'shop.refund', {}, undo({}))).error?.error_message).toMatch(/must be trusted/)
  })

  test('is not handed on to what undo calls in turn', async () => {
    const inner = destructiveTool('shop.inner')
    const outer = tool({
      ...toolDefaults,
      name: 'shop.outer',
      input: z.object({}),
      output: z.looseObject({}),
      run: () => ({}),
      undo: async (_input, _data, ctx) => void (await ctx.call('shop.inner', {})),
    })
    const { server, ledger } = await serve([inner, { tool: outer, ran: [] }])
    await grant(ledger, inner)
    expect(await call(server, 'shop.outer', {}, undo({}))).toMatchObject({ status: 'success' })
    expect(inner.ran).toHaveLength(1)
  })

  test('gives undo the JSON that was answered, where the output schema has types of its own', async () => {
    const served = await undoable({ output: z.object({ at: z.date() }), run: () => ({ at: new Date(0) }) })
    await vouch(served)
    const { data } = await call(served.server, 'shop.refund', {})
    expect(await call(served.server, 'shop.refund', {}, undo(data))).toMatchObject({ status: 'success', data })
    expect(served.undone).toMatchObject([{ data: { at: '1970-01-01T00:00:00.000Z' } }])
    expect((await call(served.server, 'shop.refund', {}, undo({ at: 7 }))).error?.error_type).toBe('SchemaError')
  })

  test('does not ask what running would ask', async () => {
    const served = await undoable({ ask: () => ({ sure: { method: 'elicitation/create', params: {} } }) })
    await vouch(served)
    expect(await call(served.server, 'shop.refund', {}, undo({ id: 'r1' }))).toMatchObject({ status: 'success' })
  })

  test('of a tool without data has null for it', async () => {
    const served = await undoable({ output: z.null(), run: () => null })
    await vouch(served)
    await call(served.server, 'shop.refund', {}, undo(null))
    expect(served.undone).toMatchObject([{ data: null }])
  })
})

describe('an approval', () => {
  test('to run is none to undo, and the other way round', async () => {
    const served = await undoable()
    const { server, ledger } = served
    const [running, undoing] = [await call(server, 'shop.refund', { n: 1 }), undo({ id: 'r1' })]
    await ledger.approvals.approve(approvalOf(running), 'ada')
    const asked = await call(server, 'shop.refund', { n: 1 }, undoing)
    expect(asked.error?.error_message).toMatch(/it undoes what an earlier call did/)
    expect(served.undone).toEqual([])
    expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
    await ledger.approvals.approve(approvalOf(asked), 'ada')
    expect((await call(server, 'shop.refund', { n: 1 })).error?.error_type).toBe('PermissionError')
    expect((await call(server, 'shop.refund', { n: 1 }, undo({ id: 'r2' }))).error?.error_type).toBe('PermissionError')
    expect(await call(server, 'shop.refund', { n: 1 }, undoing)).toMatchObject({ status: 'success' })
    expect(served.undone).toHaveLength(1)
  })

  test('shows the human what is to be undone', async () => {
    const { server, ledger } = await undoable()
    const id = approvalOf(await call(server, 'shop.refund', { n: 1 }, undo({ id: 'r1' })))
    expect(JSON.parse((await ledger.approvals.find(id))?.args ?? '')).toEqual({
      arguments: { n: 1 },
      undo: { id: 'r1' },
    })
  })

  test('of a call with arguments that look like an undoing is none for that undoing', async () => {
    const { server, ledger, undone } = await undoable()
    const looks = { arguments: { n: 1 }, undo: { id: 'r1' } }
    await ledger.approvals.approve(approvalOf(await call(server, 'shop.refund', looks)), 'ada')
    expect((await call(server, 'shop.refund', { n: 1 }, undo({ id: 'r1' }))).error?.error_type).toBe('PermissionError')
    expect(undone).toEqual([])
  })
})

test('secrets in what is undone are kept nowhere', async () => {
  const served = await undoable({
    output: z.object({ id: z.string(), token: z.string().meta({ 'x-secret': true }) }),
    undo: (_input: unknown, { token }: { token: string }) => {
      throw new ToolError('ToolExecutionError', `No such token: ${token}`)
    },
  })
  const data = { id: 'r1', token: 'tok-9f3a-very-secret' }
  const waiting = await call(served.server, 'shop.refund', {}, { key: 'k', ...undo(data) })
  await served.ledger.approvals.approve(approvalOf(waiting), 'ada')
  const failed = await call(served.server, 'shop.refund', {}, { key: 'k', ...undo(data) })
  expect(failed.error?.error_type).toBe('ToolExecutionError')
  await eventually(() => expect(served.file.lines()).toHaveLength(2))
  await served.ledger.close()
  expect(served.file.bytes().includes('tok-9f3a-very-secret')).toBe(false)
})

test('undoing takes nothing out of the budget of a run', async () => {
  const cost = z.number().meta({ 'x-cost': true })
  const pay = destructiveTool('shop.pay', { input: z.object({ amount: cost }), output: z.object({}), undo: () => {} })
  const { server, ledger } = await serve([pay])
  await trust(ledger, pay)
  const spends: number[] = []
  const lead = {
    run: 'r1',
    step: 's1',
    key: 'run:r1/s1/undo',
    covers: () => 'plan-1',
    reserve: ({ cost: amount }: { cost: number }) => void spends.push(amount),
    settle: ({ cost: amount }: { cost: number }) => void spends.push(amount),
  }
  const caller = { ...plainCaller('direct', LOCAL), runContext: lead as never }
  const ended = await server.pipeline.call(caller, 'shop.pay', { amount: 5 }, { 'myrmex/undo': {} })
  expect(ended instanceof Outcome && ended.status).toBe('success')
  expect(spends).toEqual([0, 0])
})
