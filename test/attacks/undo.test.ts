/**
 * The attacker is a remote caller, or a model behind one, who may call some tools. They sent undo requests
 * (`_meta["myrmex/undo"]`) with data of their own, so that a tool's `undo` ran for calls that never happened, without trust and
 * above the policy and the constitution.
 *
 * What stops them: an undo names a recorded call of the same principal, its arguments and data come from the ledger, every gate
 * judges it as a call that changes state, and it has its effect once.
 *
 * Attacker: a remote caller
 * Attack: sends undo requests with invented data, for calls that never happened, above policy and constitution.
 * Stopped by: an undo names a recorded call of the same principal. Its data comes from the ledger, every gate judges it, and it
 * has its effect once.
 */
import {
  approvalOf,
  type CallOutcome,
  call,
  countedTool,
  destructiveTool,
  type GatedServer,
  grant,
  principalNamed,
  serve,
  trust,
} from '@myrmex/testing/gated-server'
import { ENGINES, freshStore } from '@myrmex/testing/ledger/ledger-store'
import { createServer } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

const undo = (id: unknown) => ({ meta: { 'myrmex/undo': id } })
const ann = principalNamed('ann')
const bob = principalNamed('bob')

interface Payment {
  readonly to: string
  readonly amount: number
}

function payTool(changes: object = {}) {
  const undone: { input: unknown; data: unknown }[] = []
  const pay = destructiveTool('shop.pay', {
    input: z.object({ to: z.string(), amount: z.number() }),
    output: z.object({ receipt: z.string() }),
    run: ({ to }: Payment) => ({ receipt: `r-${to}` }),
    undo: (input: unknown, data: unknown) => void undone.push({ input, data }),
    ...changes,
  } as never)
  return { pay, undone }
}

async function payServer(changes: object = {}, options: object = {}) {
  const { pay, undone } = payTool(changes)
  const served = await serve([pay], options)
  return { ...served, pay, undone }
}

describe('Undo over the wire ran state-changing code on invented data', () => {
  test('invented data reach no undo, whatever form they have', async () => {
    const { server, ledger, pay, undone } = await payServer()
    await grant(ledger, pay)
    const args = { to: 'mallory', amount: 9000 }
    for (const invented of [{ receipt: 'r-made-up' }, null, [], 7, true, '', 'call-1', { call_id: 'call-1' }]) {
      const { error } = await call(server, 'shop.pay', args, undo(invented))
      expect(error?.error_type).toBe('ValidationError')
    }
    expect(undone).toEqual([])
    expect(pay.ran).toEqual([])
  })

  test('the arguments and the data are those of the recorded call, whatever is sent beside its id', async () => {
    const { server, ledger, pay, undone } = await payServer()
    await grant(ledger, pay)
    const done = await call(server, 'shop.pay', { to: 'ada', amount: 10 })
    const other = await call(server, 'shop.pay', { to: 'mallory', amount: 9000 }, undo(done.call_id))
    expect(other.error).toMatchObject({
      error_type: 'ValidationError',
      error_message: expect.stringMatching(/other arguments than call .* Send none/),
    })
    expect(undone).toEqual([])
    expect(await call(server, 'shop.pay', {}, undo(done.call_id))).toMatchObject({
      status: 'success',
      data: { receipt: 'r-ada' },
    })
    expect(undone).toEqual([{ input: { to: 'ada', amount: 10 }, data: { receipt: 'r-ada' } }])
  })

  test('a call of another principal and a call that never happened get the same error', async () => {
    const { server, ledger, pay, undone } = await payServer()
    await grant(ledger, pay)
    const done = await call(server, 'shop.pay', { to: 'ada', amount: 10 }, { principal: ann })
    const texts = []
    for (const id of [done.call_id, 'AAAAAAAA-1']) {
      const { error } = await call(server, 'shop.pay', {}, { ...undo(id), principal: bob })
      expect(error?.error_type).toBe('ValidationError')
      texts.push(error?.error_message.replaceAll(id, 'ID'))
    }
    expect(texts[0]).toBe(texts[1])
    expect(undone).toEqual([])
  })

  test('a call of another tool, a failed call and a call that changed nothing cannot be undone', async () => {
    const { unchanged } = await import('myrmex')
    let mode: 'fail' | 'nothing' = 'fail'
    const { server, ledger, pay, undone } = await payServer({
      run: () => {
        if (mode === 'fail') throw new Error('no')
        return unchanged('it was paid')
      },
      output: z.looseObject({}),
    })
    await grant(ledger, pay)
    const ids = []
    for (const next of ['fail', 'nothing'] as const) {
      mode = next
      ids.push((await call(server, 'shop.pay', { to: 'ada', amount: 1 })).call_id)
    }
    for (const id of ids)
      expect((await call(server, 'shop.pay', {}, undo(id))).error?.error_type).toBe('ValidationError')
    expect(undone).toEqual([])
  })
})

describe('The undo of a tool that changes nothing needed no trust and no approval', () => {
  test('it needs a trusted definition and an approval, like every call that changes state', async () => {
    const undone: unknown[] = []
    const note = countedTool('shop.note', {
      output: z.object({ id: z.string() }),
      run: () => ({ id: 'n1' }),
      undo: (_input: unknown, data: unknown) => void undone.push(data),
    } as never)
    const { server, ledger } = await serve([note])
    const { call_id } = await call(server, 'shop.note', {})
    expect((await call(server, 'shop.note', {}, undo(call_id))).error?.error_message).toMatch(/must be trusted/)
    await trust(ledger, note)
    const waiting = await call(server, 'shop.note', {}, undo(call_id))
    expect(waiting.error?.error_message).toMatch(/it undoes what an earlier call did/)
    expect(undone).toEqual([])
    await ledger.approvals.approve(approvalOf(waiting), 'ada')
    expect(await call(server, 'shop.note', {}, undo(call_id))).toMatchObject({ status: 'success' })
    expect(undone).toEqual([{ id: 'n1' }])
  })
})

describe('Undo was above the policy and the constitution', () => {
  const large = [{ argument: '/amount', above: 100 }]

  test('an article that forbids the recorded arguments forbids the undo', async () => {
    const { pay, undone } = payTool()
    const before = await serve([pay])
    await grant(before.ledger, pay)
    const done = await call(before.server, 'shop.pay', { to: 'ada', amount: 500 })
    const articles = [{ name: 'small-only', text: 'No payment above 100.', tools: ['shop.pay'], forbid: large }]
    const { server } = await serve([pay], { file: before.file, constitution: { articles } })
    const refused = await call(server, 'shop.pay', {}, undo(done.call_id))
    expect(refused.error?.error_details).toMatchObject({ article: 'small-only' })
    expect(undone).toEqual([])
  })

  test('a policy rule that asks about the recorded arguments asks about the undo, in spite of a grant', async () => {
    const policy = { approvals: [{ name: 'large', tools: ['shop.pay'], when: large }] }
    const { server, ledger, pay, undone } = await payServer({}, { policy })
    await grant(ledger, pay)
    const args = { to: 'ada', amount: 500 }
    await ledger.approvals.approve(approvalOf(await call(server, 'shop.pay', args)), 'ada')
    const done = await call(server, 'shop.pay', args)
    expect(done.status).toBe('success')
    const asked = await call(server, 'shop.pay', {}, undo(done.call_id))
    expect(asked.error?.error_details).toMatchObject({ status: 'waiting' })
    expect(undone).toEqual([])
  })
})

describe.each(ENGINES)('An undo could be sent again and again (%s)', (engine) => {
  const opened = async (pay: ReturnType<typeof payTool>['pay']) => {
    const store = await freshStore(engine)
    onTestFinished(() => store.remove())
    const serverOn = async (): Promise<GatedServer['server']> =>
      createServer({ name: 'shop', version: '1.0.0', tools: [pay.tool], ledger: await store.open() })
    return { serverOn, store }
  }

  test('it has one effect, also if sent twice at once, by two processes, and after a restart', async () => {
    const { pay, undone } = payTool({
      undo: async (input: unknown, data: unknown) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        undone.push({ input, data })
      },
    })
    const { serverOn } = await opened(pay)
    const [one, other] = [await serverOn(), await serverOn()]
    await grant(one.ledger, pay)
    const done = await call(one, 'shop.pay', { to: 'ada', amount: 10 })
    const send = (server: GatedServer['server']): Promise<CallOutcome> =>
      call(server, 'shop.pay', {}, undo(done.call_id))
    const ended = await Promise.all([send(one), send(other), send(one), send(other)])
    expect(undone).toHaveLength(1)
    for (const { status, data } of ended) expect({ status, data }).toEqual({ status: 'success', data: done.data })
    const later = await serverOn()
    expect(await send(later)).toMatchObject({ status: 'success', data: done.data })
    expect(undone).toHaveLength(1)
  })

  test('secrets of the recorded call reach its undo and are readable nowhere in the store', async () => {
    const secret = 'tok-5b1d-very-secret'
    const seen: unknown[] = []
    const { pay } = payTool({
      input: z.object({ to: z.string(), amount: z.number(), pin: z.string().meta({ 'x-secret': true }) }),
      output: z.object({ receipt: z.string(), token: z.string().meta({ 'x-secret': true }) }),
      run: ({ to }: Payment) => ({ receipt: `r-${to}`, token: secret }),
      undo: ({ pin }: { pin: string }, { token }: { token: string }) => void seen.push({ pin, token }),
    })
    const { serverOn, store } = await opened(pay)
    const server = await serverOn()
    await grant(server.ledger, pay)
    const done = await call(server, 'shop.pay', { to: 'ada', amount: 1, pin: 'pin-77-8899' })
    expect((await call(server, 'shop.pay', {}, undo(done.call_id))).status).toBe('success')
    expect(seen).toEqual([{ pin: 'pin-77-8899', token: secret }])
    const rows = JSON.stringify(await server.ledger.db.query('SELECT * FROM undoable_calls'))
    for (const text of [secret, 'pin-77-8899']) expect(rows).not.toContain(text)
    expect(store).toBeDefined()
  })
})
