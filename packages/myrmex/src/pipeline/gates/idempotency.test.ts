/** The once gate on a real ledger: what has a key runs once, however often and from wherever it is sent. */

import { call, eventually, latch, numberTool, principalNamed, serve } from '@myrmex/testing/gated-server'
import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import { answer, partial } from '../../tool/answer.ts'
import { tool } from '../../tool/tool.ts'

describe('a key', () => {
  test('is answered from the record when it comes again, and the audit says so', async () => {
    const number = numberTool()
    const { server, file } = await serve([number])
    const first = await call(server, 'shop.number', { n: 1 }, { key: 'k' })
    const again = await call(server, 'shop.number', { n: 1 }, { key: 'k' })
    expect(first).toMatchObject({ status: 'success', data: { run: 1 } })
    expect(again).toMatchObject({ status: 'success', data: { run: 1 } })
    expect(again.call_id).not.toBe(first.call_id)
    expect(number.ran).toHaveLength(1)
    expect(file.lines().map(({ call_id, repeat_of }) => [call_id, repeat_of])).toEqual([
      [first.call_id, undefined],
      [again.call_id, first.call_id],
    ])
  })

  test('of twenty calls at once runs one, and all get what it gave', async () => {
    const { open, opened } = latch()
    const number = numberTool({ run: () => opened.then(() => ({ run: number.ran.length })) })
    const { server } = await serve([number])
    const calls = Array.from({ length: 20 }, () => call(server, 'shop.number', { n: 1 }, { key: 'k' }))
    await eventually(() => expect(number.ran).toHaveLength(1))
    open()
    for (const one of await Promise.all(calls)) expect(one).toMatchObject({ status: 'success', data: { run: 1 } })
    expect(number.ran).toHaveLength(1)
  })

  test('of calls in two servers on one file runs one too', async () => {
    const { open, opened } = latch()
    const number = numberTool({ run: () => opened.then(() => ({ run: number.ran.length })) })
    const one = await serve([number])
    const two = await serve([number], { file: one.file })
    const calls = Array.from({ length: 20 }, (_, i) =>
      call((i % 2 === 0 ? one : two).server, 'shop.number', { n: 1 }, { key: 'k' }),
    )
    await eventually(() => expect(number.ran).toHaveLength(1))
    open()
    for (const done of await Promise.all(calls)) expect(done).toMatchObject({ data: { run: 1 } })
  })

  test('belongs to its arguments, whatever their order and form', async () => {
    const number = numberTool()
    const { server } = await serve([number])
    const options = { key: 'k' }
    await call(server, 'shop.number', JSON.parse('{"n":1,"text":"x"}'), options)
    expect(await call(server, 'shop.number', JSON.parse('{"text":"x","n":1.0}'), options)).toMatchObject({
      data: { run: 1 },
    })
    for (const args of [{ n: 2, text: 'x' }, { n: 1 }, {}]) {
      const refused = await call(server, 'shop.number', args, options)
      expect(refused).toMatchObject({ error: { error_type: 'ValidationError' } })
      expect(refused.error?.error_message).toMatch(/other arguments.*new key/)
    }
    expect(number.ran).toHaveLength(1)
  })

  test('belongs to its principal and its tool', async () => {
    const number = numberTool()
    const other = numberTool({}, 'shop.other')
    const { server } = await serve([number, other])
    await call(server, 'shop.number', {}, { key: 'k' })
    await call(server, 'shop.number', {}, { key: 'k', principal: principalNamed('ada') })
    await call(server, 'shop.number', {}, { key: 'k', principal: principalNamed('bob') })
    await call(server, 'shop.other', {}, { key: 'k' })
    expect([number.ran.length, other.ran.length]).toEqual([3, 1])
  })

  test('is found by every name of its tool', async () => {
    const number = numberTool()
    const { server } = await serve([number, numberTool({}, 'other.tool')])
    for (const name of ['shop.number', 'shop_number', 'number']) {
      expect(await call(server, name, {}, { key: 'k' })).toMatchObject({ data: { run: 1 } })
    }
    expect(number.ran).toHaveLength(1)
  })

  test.each([
    ['a declared error', () => Promise.reject(new ToolError('FullError', 'It is full.', { room: 0 })), 'FullError'],
    ['an undeclared one', () => Promise.reject(new Error('odd')), 'ToolExecutionError'],
    ['a broken promise of the output schema', () => 'text' as never, 'ToolExecutionError'],
  ])('is answered with the same failure again: %s', async (_what, run, error_type) => {
    const number = numberTool({ errors: { FullError: 'when it is full' }, run })
    const { server } = await serve([number])
    const first = await call(server, 'shop.number', {}, { key: 'k' })
    const again = await call(server, 'shop.number', {}, { key: 'k' })
    expect(first).toMatchObject({ status: 'failure', error: { error_type } })
    expect(again).toEqual({ ...first, call_id: again.call_id, repeat_of: first.call_id })
    expect(number.ran).toHaveLength(1)
  })

  test('is answered the same to the letter: status, explanation, blocks', async () => {
    const content = [{ type: 'text' as const, text: 'half of it' }]
    const half = numberTool({ run: () => partial({ run: 1 }, { explanation: 'Half of it.', content }) }, 'shop.half')
    const whole = numberTool({ run: () => answer({ run: 1 }, { explanation: 'All of it.', content }) }, 'shop.whole')
    const { server } = await serve([half, whole])
    const peer = await legacyPeer(server)
    for (const name of ['half', 'whole']) {
      const ask = async () => {
        const _meta = { 'myrmex/idempotencyKey': 'k' }
        const { result } = await peer.request('tools/call', { name, arguments: {}, _meta })
        const { call_id, repeat_of = call_id, ...rest } = result._meta['myrmex/result']
        return { ...result, _meta: { 'myrmex/result': { ...rest, first: repeat_of } } }
      }
      expect(await ask()).toEqual(await ask())
    }
    expect([half.ran.length, whole.ran.length]).toEqual([1, 1])
  })

  test('must be a text of 1 to 200 characters; anything else is refused, not passed over', async () => {
    const number = numberTool()
    const { server } = await serve([number])
    for (const key of ['', 'x'.repeat(201), 7, null, ['k'], { k: 1 }, true]) {
      const refused = await call(server, 'shop.number', {}, { key })
      expect(refused, JSON.stringify(key)).toMatchObject({ error: { error_type: 'ValidationError' } })
      expect(refused.error?.error_message).toContain('myrmex/idempotencyKey')
    }
    expect(number.ran).toHaveLength(0)
    expect(await call(server, 'shop.number', {}, { key: 'x'.repeat(200) })).toMatchObject({ status: 'success' })
  })

  test('that has had its time is free again', async () => {
    const number = numberTool()
    const { server, file } = await serve([number])
    await call(server, 'shop.number', {}, { key: 'k' })
    file.exec('UPDATE once SET expires_at = started_at')
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject({ data: { run: 2 } })
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject({ data: { run: 2 } })
  })

  test('is not handed on to what the tool calls in turn', async () => {
    const number = numberTool()
    const outer = tool({
      ...toolDefaults,
      name: 'shop.outer',
      input: z.object({}),
      output: z.object({ runs: z.array(z.unknown()) }),
      run: async (_input, ctx) => {
        const calls = [await ctx.call('shop.number', {}), await ctx.call('shop.number', {})]
        return { runs: calls.map(({ data }) => data?.run) }
      },
    })
    const { server } = await serve([number, { tool: outer, ran: [] }])
    const inRun = { 'myrmex/context': { run: 'r', step: 's' } }
    expect(await call(server, 'shop.outer', {}, { key: 'k', meta: inRun })).toMatchObject({ data: { runs: [1, 2] } })
    expect(await call(server, 'shop.outer', {}, { key: 'k', meta: inRun })).toMatchObject({ data: { runs: [1, 2] } })
    expect(number.ran).toHaveLength(2)
  })

  test('of a tool that asks its client is free for the next round, and then used', async () => {
    const question = {
      method: 'elicitation/create',
      params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
    }
    let finished = 0
    const number = numberTool({
      run: async (_input, ctx) => {
        await ctx.ask({ sure: question as never })
        return { run: ++finished }
      },
    })
    const { server } = await serve([number])
    const peer = modernPeer(server, { elicitation: { form: {} } })
    const request = { name: 'number', arguments: {}, _meta: { 'myrmex/idempotencyKey': 'k' } }
    const first = (await peer.request('tools/call', request)).result
    expect(first.resultType).toBe('input_required')
    const answers = { requestState: first.requestState, inputResponses: { sure: { action: 'accept', content: {} } } }
    for (let n = 0; n < 2; n++) {
      const { result } = await peer.request('tools/call', { ...request, ...answers })
      expect(result).toMatchObject({ resultType: 'complete', structuredContent: { run: 1 } })
    }
  })

  test('whose result cannot be written down is not held for ever', async () => {
    const number = numberTool({
      run: () => Promise.reject(new ToolError('ValidationError', 'odd', { big: 1n as never })),
      timeout: 20_000,
    })
    const { server, file } = await serve([number])
    await call(server, 'shop.number', {}, { key: 'k' }).catch(() => {})
    const again = await call(server, 'shop.number', {}, { key: 'k' })
    expect(again.error?.error_type).not.toBe('TimeoutError')
    expect(number.ran).toHaveLength(1)
    expect(file.lines()).toHaveLength(2)
  })
})

describe('the place in a run', () => {
  const place = (run: unknown, step: unknown) => ({ meta: { 'myrmex/context': { run, step } } })

  test('is a key', async () => {
    const number = numberTool()
    const { server } = await serve([number])
    for (let n = 0; n < 2; n++)
      expect(await call(server, 'shop.number', {}, place('r1', 's1'))).toMatchObject({ data: { run: 1 } })
    expect(await call(server, 'shop.number', {}, place('r1', 's2'))).toMatchObject({ data: { run: 2 } })
    expect(await call(server, 'shop.number', {}, place('r2', 's1'))).toMatchObject({ data: { run: 3 } })
  })

  test('is one only where both are there', async () => {
    const number = numberTool()
    const { server } = await serve([number])
    const places = [place('r1', undefined), place(undefined, 's1'), place('', ''), place('r', ''), place('', 's')]
    for (const options of [...places, ...places]) await call(server, 'shop.number', {}, options)
    expect(number.ran).toHaveLength(places.length * 2)
  })

  test('is never taken for another place', async () => {
    const number = numberTool()
    const { server } = await serve([number])
    const places = [place('r', 's/t'), place('r/s', 't'), place('r~1s', 't'), place('r~', '1s/t'), place('r/', '/t')]
    for (const options of places) await call(server, 'shop.number', {}, options)
    expect(number.ran).toHaveLength(places.length)
  })

  test('gives way to a key of the caller', async () => {
    const number = numberTool()
    const { server } = await serve([number])
    await call(server, 'shop.number', {}, { ...place('r', 's'), key: 'a' })
    await call(server, 'shop.number', {}, { ...place('r', 's'), key: 'b' })
    expect(number.ran).toHaveLength(2)
  })
})

describe('a deadline', () => {
  test('that passes while the tool goes on: the repeat gets the late result', async () => {
    const { open, opened } = latch()
    const number = numberTool({ timeout: 500, run: () => opened.then(() => ({ run: number.ran.length })) })
    const { server, file } = await serve([number])
    const late = { error: { error_type: 'TimeoutError' } }
    const first = await call(server, 'shop.number', {}, { key: 'k' })
    expect(first).toMatchObject(late)
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject(late)
    open()
    expect(await call(server, 'shop.number', {}, { key: 'k' })).toMatchObject({ status: 'success', data: { run: 1 } })
    expect(number.ran).toHaveLength(1)
    expect(file.lines()).toMatchObject([
      { error_type: 'TimeoutError' },
      { error_type: 'TimeoutError' },
      { outcome: 'success', repeat_of: first.call_id },
    ])
  })

  test('does not hold a caller who gives up waiting for somebody else', async () => {
    const number = numberTool({ run: () => new Promise(() => {}) })
    const { server } = await serve([number])
    void call(server, 'shop.number', {}, { key: 'k' })
    await eventually(() => expect(number.ran).toHaveLength(1))
    const peer = modernPeer(server)
    const waiting = peer.request(
      'tools/call',
      { name: 'number', arguments: {}, _meta: { 'myrmex/idempotencyKey': 'k' } },
      9,
    )
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } })
    expect(await waiting).toBeUndefined()
    expect(number.ran).toHaveLength(1)
  })
})

test('secret results are answered the first time and never kept', async () => {
  const output = z.object({ user: z.string(), token: z.string().meta({ 'x-secret': true }) })
  const login = numberTool({ output, run: () => ({ user: 'ada', token: 'tok-9f3a-very-secret' }) }, 'shop.login')
  const { server, ledger, file } = await serve([login])
  expect(await call(server, 'shop.login', {}, { key: 'k' })).toMatchObject({ data: { token: 'tok-9f3a-very-secret' } })
  const again = await call(server, 'shop.login', {}, { key: 'k' })
  expect(again).toMatchObject({ status: 'success', data: { user: 'ada', token: '[secret]' } })
  expect(again.explanation).toMatch(/secret/)
  expect(login.ran).toHaveLength(1)
  await ledger.close()
  expect(file.bytes().includes('tok-9f3a-very-secret')).toBe(false)
})
