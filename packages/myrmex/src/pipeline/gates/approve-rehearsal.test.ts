/** A call that needs approval is rehearsed first, on a real ledger: an approval is never requested for, or used up by, a call that would fail. */

import {
  approvalOf,
  call,
  countedTool,
  destructiveTool,
  eventually,
  grant,
  serve,
  trust,
} from '@myrmex/testing/gated-server'
import { modernPeer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import type { Context } from '../../tool/context.ts'

const CLOSED = { Closed: 'The shop is closed.' }

/** A payment that fails while the shop is closed, in its dry run and in its run. */
async function shop(changes: object = {}, options: Parameters<typeof serve>[1] = {}) {
  const state = { isOpen: true, rehearsals: 0 }
  const judge = (): void => {
    if (!state.isOpen) throw new ToolError('Closed', 'The shop is closed.')
  }
  const pay = destructiveTool('shop.pay', {
    errors: CLOSED,
    dryRun: () => {
      state.rehearsals++
      judge()
      return {}
    },
    run: () => {
      judge()
      return {}
    },
    ...changes,
  } as never)
  const served = await serve([pay], options)
  await trust(served.ledger, pay)
  return { ...served, state, pay }
}

const FAILED = {
  status: 'failure',
  error: { error_type: 'Closed' },
  explanation: 'Its dry run failed, so no approval was requested or used.',
}

describe('before an approval', () => {
  test('a call that would fail is not put before a person', async () => {
    const { server, ledger, state, file, pay } = await shop()
    state.isOpen = false
    expect(await call(server, 'shop.pay', { n: 1 })).toMatchObject(FAILED)
    expect(await ledger.approvals.list()).toEqual([])
    expect(pay.ran).toEqual([])
    // One record: the rehearsal is part of the call.
    const [line, ...more] = file.lines()
    expect(line).toMatchObject({ outcome: 'failure', error_type: 'Closed' })
    expect(line).not.toHaveProperty('dry_run')
    expect(more).toEqual([])
  })

  test('an approval is not used up by a call that would fail now', async () => {
    const { server, ledger, state, pay } = await shop()
    const id = approvalOf(await call(server, 'shop.pay', { n: 1 }))
    await ledger.approvals.approve(id, 'ada')
    state.isOpen = false
    expect(await call(server, 'shop.pay', { n: 1 })).toMatchObject(FAILED)
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
    state.isOpen = true
    expect(await call(server, 'shop.pay', { n: 1 })).toMatchObject({ status: 'success' })
    expect([pay.ran.length, state.rehearsals]).toEqual([1, 3])
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'used' })
  })

  test('a task that waited is rehearsed again when a person has approved it', async () => {
    const { server, ledger, state, pay } = await shop()
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { result: head } = await peer.request('tools/call', { name: 'shop.pay', arguments: { n: 1 } })
    const [waiting] = await ledger.approvals.list('waiting')
    state.isOpen = false
    await ledger.approvals.approve(waiting?.id ?? '', 'ada')
    const { result: task } = await eventually(async () => {
      const now = await peer.request('tasks/get', { taskId: head.taskId })
      expect(now.result.status).toBe('completed')
      return now
    })
    expect(task.result.structuredContent).toMatchObject({ error_type: 'Closed' })
    expect(await ledger.approvals.find(waiting?.id ?? '')).toMatchObject({ status: 'approved' })
    expect(pay.ran).toEqual([])
  })

  test('a rule of the operator waits for the rehearsal too', async () => {
    const { server, ledger, state } = await shop({}, { policy: { approvals: [{ name: 'all', tools: ['shop.*'] }] } })
    state.isOpen = false
    expect(await call(server, 'shop.pay')).toMatchObject(FAILED)
    expect(await ledger.approvals.list()).toEqual([])
  })

  test('a JSON-RPC error of the dry run is the end of the call', async () => {
    const { server, ledger } = await shop({
      dryRun: () => {
        throw new RpcError(-32602, 'no such account')
      },
    })
    await expect(call(server, 'shop.pay')).rejects.toThrow('no such account')
    expect(await ledger.approvals.list()).toEqual([])
  })

  test('an undeclared error refers to the call, whose record has the cause', async () => {
    const { server, file } = await shop({
      dryRun: () => {
        throw new TypeError('x is undefined')
      },
    })
    const { error, call_id } = await call(server, 'shop.pay')
    expect(error?.error_details).toEqual({ call_id })
    expect(file.lines()).toMatchObject([{ call_id, cause: expect.stringContaining('x is undefined') }])
  })

  test('a dry run has the deadline of its tool', async () => {
    const { server, ledger } = await shop({ timeout: 5, dryRun: () => new Promise(() => {}) })
    expect(await call(server, 'shop.pay')).toMatchObject({ error: { error_type: 'TimeoutError' } })
    expect(await ledger.approvals.list()).toEqual([])
  })

  test('cancelling the call stops its dry run', async () => {
    const stopped = Promise.withResolvers<unknown>()
    const started = Promise.withResolvers<void>()
    const { server } = await shop({
      dryRun: (_input: unknown, { signal }: Context) => {
        started.resolve()
        signal.addEventListener('abort', () => stopped.resolve(signal.reason))
        return new Promise(() => {})
      },
    })
    const peer = modernPeer(server)
    void peer.request('tools/call', { name: 'shop.pay', arguments: {} }, 'the call')
    await started.promise
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'the call' } })
    expect(await stopped.promise).toMatchObject({ error_type: 'CancelledError' })
  })
})

describe('no rehearsal is needed', () => {
  test('for a call that a standing grant covers', async () => {
    const { server, ledger, state, pay } = await shop()
    await grant(ledger, pay)
    expect(await call(server, 'shop.pay')).toMatchObject({ status: 'success' })
    expect(state.rehearsals).toBe(0)
  })

  test('for a recorded result, and for a call whose key was used before: its effect may be there already', async () => {
    const { server, ledger, state, pay, file } = await shop({ keyed: true })
    const keyed = () => call(server, 'shop.pay', { n: 1 }, { key: 'k' })
    await ledger.approvals.approve(approvalOf(await keyed()), 'ada')
    expect(await keyed()).toMatchObject({ status: 'success' })
    state.isOpen = false
    expect(await keyed()).toMatchObject({ status: 'success' })
    expect(state.rehearsals).toBe(2)
    // Its process ended before the result was stored.
    file.exec(`UPDATE once SET outcome = NULL, finished_at = NULL, owner = 'a process that is gone'`)
    const again = await keyed()
    expect(approvalOf(again)).toEqual(expect.any(String))
    expect([state.rehearsals, pay.ran.length]).toEqual([2, 1])
  })

  test('for an undo', async () => {
    const undone: unknown[] = []
    const { server, ledger, state, pay } = await shop({ undo: () => void undone.push(1) })
    await grant(ledger, pay)
    const { call_id } = await call(server, 'shop.pay', { n: 1 })
    await ledger.grants.revoke('shop.pay', 'ada')
    state.isOpen = false
    const undo = () => call(server, 'shop.pay', {}, { meta: { 'myrmex/undo': call_id } })
    await ledger.approvals.approve(approvalOf(await undo()), 'ada')
    expect(await undo()).toMatchObject({ status: 'success' })
    expect([undone.length, state.rehearsals]).toEqual([1, 0])
  })
})

describe('a rehearsal', () => {
  test('reports nothing, and what it calls in turn are dry runs', async () => {
    const burn = destructiveTool('shop.burn')
    const look = countedTool('shop.look')
    const order = destructiveTool('shop.order', {
      dryRun: async (_input: unknown, ctx: Context) => {
        ctx.progress(1)
        ctx.emit({ part: 1 })
        await ctx.call('shop.look', {})
        const { error } = await ctx.call('shop.burn', {})
        if (error?.error_type !== 'ValidationError') throw new Error('it burned')
        return {}
      },
    } as never)
    const { server, ledger, file } = await serve([order, burn, look])
    await trust(ledger, order)
    await grant(ledger, burn)
    const peer = modernPeer(server)
    const _meta = { progressToken: 'p' }
    await peer.request('tools/call', { name: 'shop.order', arguments: {}, _meta })
    expect(peer.received).toEqual([])
    expect([burn.ran, look.ran.length]).toEqual([[], 1])
    expect(file.lines().map(({ tool, dry_run, outcome }) => [tool, dry_run, outcome])).toEqual([
      ['shop.look', true, 'success'],
      ['shop.burn', true, 'failure'],
      ['shop.order', undefined, 'waiting'],
    ])
  })

  test('that asks the client cannot judge the call: a person is asked', async () => {
    const question = { sure: { method: 'elicitation/create', params: { message: 'Sure?' } } }
    const { server } = await shop({
      dryRun: async (_input: unknown, ctx: Context) => {
        await ctx.ask(question as never)
        return {}
      },
    })
    approvalOf(await call(server, 'shop.pay'))
  })

  test('gets the answers of the client that the tool will get, and shows none of their secrets', async () => {
    const requestedSchema = { type: 'object', properties: { password: { type: 'string' } } }
    const question = { method: 'elicitation/create', params: { mode: 'form', message: 'Password?', requestedSchema } }
    const seen: unknown[] = []
    const { server } = await shop({
      errors: { WrongPassword: 'The password is wrong.' },
      output: z.looseObject({}),
      ask: () => ({ form: question }),
      dryRun: (_input: unknown, { answers }: Context) => {
        seen.push(answers)
        throw new ToolError('WrongPassword', 'The password xyzzy-9876 is wrong.')
      },
    })
    const peer = modernPeer(server, { elicitation: { form: {} } })
    const params = { name: 'shop.pay', arguments: {} }
    const { result: asked } = await peer.request('tools/call', params)
    const inputResponses = { form: { action: 'accept', content: { password: 'xyzzy-9876' } } }
    const { result } = await peer.request('tools/call', { ...params, inputResponses, requestState: asked.requestState })
    expect(seen).toEqual([inputResponses])
    expect(result.structuredContent.error_type).toBe('WrongPassword')
    expect(JSON.stringify(result)).not.toContain('xyzzy')
  })
})
