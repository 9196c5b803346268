/** Undoing what a call did: a call like any other, through every gate. */

import {
  approvalOf,
  call,
  destructiveTool,
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

const undo = (id: unknown) => ({ meta: { 'myrmex/undo': id } })

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
  test('runs undo with the recorded arguments and data instead of run, and answers what was undone', async () => {
    const served = await undoable()
    await vouch(served)
    const done = await call(served.server, 'shop.refund', { n: 1 })
    const taken = await call(served.server, 'shop.refund', {}, undo(done.call_id))
    expect(taken).toMatchObject({ status: 'success', data: { id: 'r1' }, explanation: 'What the call did was undone.' })
    expect(served.undone).toEqual([{ input: { n: 1 }, data: { id: 'r1' }, key: undefined }])
    expect(served.ran).toHaveLength(1)
  })

  test('may send the same arguments again', async () => {
    const served = await undoable()
    await vouch(served)
    const done = await call(served.server, 'shop.refund', { n: 1, m: [2] })
    expect((await call(served.server, 'shop.refund', { n: 1 }, undo(done.call_id))).error?.error_type).toBe(
      'ValidationError',
    )
    expect(await call(served.server, 'shop.refund', { m: [2], n: 1 }, undo(done.call_id))).toMatchObject({
      status: 'success',
    })
  })

  test('is refused by a tool that declares no undo, before anybody is asked', async () => {
    const { server, refund, ledger } = await serveRefundTool()
    const { error } = await call(server, 'shop.refund', {}, undo('call-1'))
    expect(error).toMatchObject({
      error_type: 'ValidationError',
      error_message: expect.stringMatching(/cannot be undone: it declares no undo/),
    })
    expect(refund.ran).toHaveLength(0)
    expect(await ledger.approvals.list()).toEqual([])
  })

  test('is refused where it does not name a call', async () => {
    const served = await undoable()
    await vouch(served)
    for (const id of [{}, { id: 'r1' }, null, 7, '', 'x'.repeat(201)]) {
      const { error } = await call(served.server, 'shop.refund', {}, undo(id))
      expect(error).toMatchObject({
        error_type: 'ValidationError',
        error_message: expect.stringContaining('myrmex/undo'),
      })
    }
    expect((await call(served.server, 'shop.refund', {}, undo('nobody-1'))).error?.error_message).toMatch(
      /There is no call nobody-1 of yours that shop.refund could undo/,
    )
    expect(served.undone).toEqual([])
  })

  test('names the version of the call, if another one would answer', async () => {
    const served = await undoable()
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', { n: 1 })
    const newer = destructiveTool('shop.refund', { version: '2.0.0', undo: () => {} })
    served.server.registry.register(newer.tool)
    await grant(served.ledger, newer)
    const refused = await call(served.server, 'shop.refund', {}, undo(call_id))
    expect(refused.error?.error_message).toMatch(/version 1\.0\.0 .* Send _meta\["myrmex\/version"\]: "1\.0\.0"/)
    const meta = { 'myrmex/undo': call_id, 'myrmex/version': '1.0.0' }
    expect(await call(served.server, 'shop.refund', {}, { meta })).toMatchObject({ status: 'success' })
    expect(served.undone).toHaveLength(1)
  })

  test('is in the audit with the call, its arguments and what was undone, and with their hash', async () => {
    const served = await undoable()
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', { n: 1 })
    await call(served.server, 'shop.refund', {}, undo(call_id))
    expect(served.file.lines()).toMatchObject([
      { tool: 'shop.refund', args: { n: 1 } },
      {
        tool: 'shop.refund',
        args: { arguments: { n: 1 }, call_id, undo: { id: 'r1' } },
        args_hash: expect.any(String),
      },
    ])
  })

  test('that fails says so as the tool does, and can be tried again if it had no effect', async () => {
    let tries = 0
    const served = await undoable({
      errors: { TooLateError: 'when it is paid out' },
      undo: () => {
        if (++tries === 1) throw new ToolError('TooLateError', 'It is paid out.')
      },
    })
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', {})
    expect((await call(served.server, 'shop.refund', {}, undo(call_id))).error).toMatchObject({
      error_type: 'TooLateError',
    })
    expect(await call(served.server, 'shop.refund', {}, undo(call_id))).toMatchObject({ status: 'success' })
    expect(tries).toBe(2)
  })

  test('whose effect is unknown is not run again', async () => {
    let tries = 0
    const served = await undoable({
      timeout: 50,
      undo: () => {
        tries++
        return new Promise(() => {})
      },
    })
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', {})
    for (let n = 0; n < 2; n++) {
      const ended = await call(served.server, 'shop.refund', {}, undo(call_id))
      expect(ended.error?.error_type).toMatch(/TimeoutError/)
    }
    expect(tries).toBe(1)
  })

  test('runs once under its key, which is not that of the call it undoes', async () => {
    const served = await undoable()
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', { n: 1 }, { key: 'k' })
    const same = await call(served.server, 'shop.refund', {}, { key: 'k', ...undo(call_id) })
    expect(same.error?.error_message).toMatch(/belongs to a call .* with other arguments/)
    for (let n = 0; n < 2; n++) {
      const again = await call(served.server, 'shop.refund', {}, { key: 'k2', ...undo(call_id) })
      expect(again).toMatchObject({ status: 'success', data: { id: 'r1' } })
    }
    expect(served.undone).toMatchObject([{ key: 'k2' }])
  })

  test('names the first call, where a key repeated its result', async () => {
    const served = await undoable()
    await vouch(served)
    const first = await call(served.server, 'shop.refund', { n: 1 }, { key: 'k' })
    const again = await call(served.server, 'shop.refund', { n: 1 }, { key: 'k' })
    expect((await call(served.server, 'shop.refund', {}, undo(again.call_id))).error?.error_message).toMatch(
      /repeat_of/,
    )
    expect(again.repeat_of).toBe(first.call_id)
    expect(await call(served.server, 'shop.refund', {}, undo(again.repeat_of))).toMatchObject({ status: 'success' })
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
    await grant(ledger, { tool: outer, ran: [] })
    const { call_id } = await call(server, 'shop.outer', {})
    expect(await call(server, 'shop.outer', {}, undo(call_id))).toMatchObject({ status: 'success' })
    expect(inner.ran).toHaveLength(1)
  })

  test('gives undo the JSON that was answered, where the output schema has types of its own', async () => {
    const served = await undoable({ output: z.object({ at: z.date() }), run: () => ({ at: new Date(0) }) })
    await vouch(served)
    const { data, call_id } = await call(served.server, 'shop.refund', {})
    expect(await call(served.server, 'shop.refund', {}, undo(call_id))).toMatchObject({ status: 'success', data })
    expect(served.undone).toMatchObject([{ data: { at: '1970-01-01T00:00:00.000Z' } }])
  })

  test('does not ask what running would ask', async () => {
    let asks = false
    const served = await undoable({
      ask: () => (asks ? { sure: { method: 'elicitation/create', params: {} } } : undefined),
    })
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', {})
    asks = true
    expect(await call(served.server, 'shop.refund', {}, undo(call_id))).toMatchObject({ status: 'success' })
  })

  test('of a tool without data has null for it', async () => {
    const served = await undoable({ output: z.null(), run: () => null })
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', {})
    await call(served.server, 'shop.refund', {}, undo(call_id))
    expect(served.undone).toMatchObject([{ data: null }])
  })
})

test('a call whose undo data cannot be stored says that it ran', async () => {
  const served = await undoable()
  await vouch(served)
  served.file.exec('DROP TABLE undoable_calls')
  const { error } = await call(served.server, 'shop.refund', { n: 1 })
  expect(error?.error_message).toMatch(/The call ran but could not be recorded/)
  expect(served.ran).toHaveLength(1)
})

describe('an approval', () => {
  test('to run is none to undo, and the other way round', async () => {
    const served = await undoable()
    const { server, ledger } = served
    await ledger.approvals.approve(approvalOf(await call(server, 'shop.refund', { n: 1 })), 'ada')
    const done = await call(server, 'shop.refund', { n: 1 })
    expect(done).toMatchObject({ status: 'success' })
    await ledger.approvals.approve(approvalOf(await call(server, 'shop.refund', { n: 1 })), 'ada')
    const asked = await call(server, 'shop.refund', {}, undo(done.call_id))
    expect(asked.error?.error_message).toMatch(/it undoes what an earlier call did/)
    expect(served.undone).toEqual([])
    const second = await call(server, 'shop.refund', { n: 1 })
    await ledger.approvals.approve(approvalOf(asked), 'ada')
    expect((await call(server, 'shop.refund', { n: 1 })).error?.error_type).toBe('PermissionError')
    expect((await call(server, 'shop.refund', {}, undo(second.call_id))).error?.error_type).toBe('PermissionError')
    expect(await call(server, 'shop.refund', {}, undo(done.call_id))).toMatchObject({ status: 'success' })
    expect(served.undone).toHaveLength(1)
    // The recorded outcome needs no approval.
    expect(await call(server, 'shop.refund', {}, undo(done.call_id))).toMatchObject({ status: 'success' })
    expect(served.undone).toHaveLength(1)
  })

  test('shows the human what is to be undone', async () => {
    const served = await undoable()
    await vouch(served)
    const { call_id } = await call(served.server, 'shop.refund', { n: 1 })
    await served.ledger.grants.revoke('shop.refund', 'ada')
    const id = approvalOf(await call(served.server, 'shop.refund', {}, undo(call_id)))
    expect(JSON.parse((await served.ledger.approvals.find(id))?.args ?? '')).toEqual({
      arguments: { n: 1 },
      call_id,
      undo: { id: 'r1' },
    })
  })
})

test('undoing takes nothing out of the budget of a run', async () => {
  const cost = z.number().meta({ 'x-cost': true })
  const pay = destructiveTool('shop.pay', { input: z.object({ amount: cost }), output: z.object({}), undo: () => {} })
  const { server, ledger } = await serve([pay])
  await trust(ledger, pay)
  const spends: number[] = []
  const contextOf = (key: string) => ({
    run: 'r1',
    step: 's1',
    key,
    covers: () => 'plan-1',
    reserve: ({ cost: amount }: { cost: number }) => void spends.push(amount),
    settle: ({ cost: amount }: { cost: number }) => void spends.push(amount),
  })
  const callerOf = (key: string) => ({ ...plainCaller('direct', LOCAL), runContext: contextOf(key) as never })
  const done = server.pipeline.prepare(callerOf('run:r1/s1'), 'shop.pay', { amount: 5 })
  expect(await server.pipeline.complete(done)).toMatchObject({ status: 'success' })
  const ended = await server.pipeline.call(callerOf('run:r1/s1/undo'), 'shop.pay', {}, { 'myrmex/undo': done.id })
  expect(ended instanceof Outcome && ended.status).toBe('success')
  expect(spends).toEqual([5, 5, 0, 0])
})
