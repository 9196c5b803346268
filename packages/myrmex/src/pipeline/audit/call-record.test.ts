/** What the audit keeps of a call: a line whatever comes, and no secret, wherever it stands. Read back from the file's bytes. */

import {
  type CountedTool,
  call,
  countedTool,
  destructiveTool,
  grant,
  principalNamed,
  serve,
} from '@myrmex/testing/gated-server'
import { modernPeer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { verifyLedger } from '../../ledger/journal/verify.ts'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { answer } from '../../tool/answer.ts'
import type { Context } from '../../tool/context.ts'
import { tool } from '../../tool/tool.ts'

const SECRET = 'hunter2-9f3a'
const marked = { 'x-secret': true }
const INPUT = z.looseObject({ user: z.string(), password: z.string().meta(marked) })

const recorded = async (...counted: CountedTool[]) => {
  const served = await serve(counted)
  /** Everything is in the file, and the file is all there is. */
  const bytes = async () => {
    await served.ledger.close()
    return served.file.bytes()
  }
  return { ...served, bytes }
}

/** A tool that gets a password and an instruction what to do with it. */
const login = (run: (input: { user: string; password: string }, ctx: Context) => unknown = () => ({}), changes = {}) =>
  countedTool('shop.login', { input: INPUT, errors: { FullError: 'when full' }, run: run as never, ...changes })

const ARGS = { user: 'ada', password: SECRET }

describe('a secret never reaches the file', () => {
  test.each<[string, (input: { password: string }) => unknown]>([
    ['in the arguments alone', () => ({})],
    ['in a result', ({ password }) => ({ got: password })],
    ['in a text of a result', ({ password }) => ({ got: `it was ${password}, was it not?` })],
    ['deep in a result', ({ password }) => ({ a: [{ b: { c: [`${password}`] } }] })],
    ['under the same name in a result', ({ password }) => ({ a: [{ password: { old: [password] } }] })],
    [
      'in an explanation and in blocks',
      ({ password }) => answer({ a: 1 }, { explanation: password, content: [{ type: 'text', text: password }] }),
    ],
    ['in a declared error', ({ password }) => Promise.reject(new ToolError('FullError', `no room for ${password}`))],
    [
      'in the details of an error',
      ({ password }) => Promise.reject(new ToolError('FullError', 'no', { tried: [`x${password}x`], password })),
    ],
    ['in details that are a text', ({ password }) => Promise.reject(new ToolError('FullError', 'no', password))],
    ['in an error nobody declared', ({ password }) => Promise.reject(new Error(password))],
    ['in a broken promise of the output', ({ password }) => password],
    ['in a protocol error', ({ password }) => Promise.reject(new RpcError(-32602, password, { password }))],
  ])('%s', async (_where, run) => {
    const { server, file, bytes } = await recorded(login(run as never))
    await call(server, 'shop.login', ARGS).catch(() => {})
    await call(server, 'shop.login', ARGS, { key: 'k' }).catch(() => {})
    await call(server, 'shop.login', ARGS, { key: 'k' }).catch(() => {})
    const lines = file.lines()
    expect(lines).toHaveLength(3)
    for (const line of lines)
      expect(line).toMatchObject({ tool: 'shop.login', args: { user: 'ada', password: '[secret]' } })
    const all = await bytes()
    expect(all.includes('ada')).toBe(true)
    expect(all.includes(SECRET)).toBe(false)
  })

  test.each<[string, object]>([
    ['under a misspelt name', { user: 'ada', passwrd: SECRET }],
    ['under a name in another case', { user: 'ada', Password: SECRET }],
    ['in a list where a text should be', { user: 'ada', password: [SECRET] }],
    ['in an object where a text should be', { user: 'ada', password: { value: SECRET } }],
    ['where the user should be', { user: { name: SECRET }, password: 1 }],
    ['one level too deep', { login: { user: 'ada', pass: SECRET } }],
    ['beside an argument nobody knows', { user: 'ada', password: 'other-secret-1', extra: [SECRET] }],
  ])('%s, in arguments that break the schema', async (_where, args) => {
    const strict = { input: z.strictObject({ user: z.string(), password: z.string().meta(marked) }) }
    const { server, file, bytes } = await recorded(login(undefined, strict))
    const refused = await call(server, 'shop.login', args)
    expect(refused).toMatchObject({ error: { error_type: 'SchemaError' } })
    const [line] = file.lines()
    expect(line).toMatchObject({
      tool: 'shop.login',
      outcome: 'failure',
      error_type: 'SchemaError',
      call_id: refused.call_id,
    })
    expect(line?.error?.error_message).toMatch(/do not fit shop\.login/)
    expect((await bytes()).includes(SECRET)).toBe(false)
  })

  test('in nested fields and lists of a JSON Schema', async () => {
    const input = {
      type: 'object',
      properties: {
        user: { type: 'string' },
        accounts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { pin: { type: 'string', 'x-secret': true }, bank: { type: 'string' } },
          },
        },
      },
    } as const
    const bank = countedTool('shop.bank', { input, run: (given: object) => given } as never)
    const { server, file, bytes } = await recorded(bank)
    await call(server, 'shop.bank', { user: 'ada', accounts: [{ bank: 'one', pin: SECRET }, { pin: `${SECRET}-2` }] })
    expect(file.lines()[0]?.args).toEqual({
      user: 'ada',
      accounts: [{ bank: 'one', pin: '[secret]' }, { pin: '[secret]' }],
    })
    expect((await bytes()).includes(SECRET)).toBe(false)
  })

  test('as the schema made it', async () => {
    const input = z.object({ user: z.string(), password: z.string().trim().toLowerCase().meta(marked) })
    const { server, bytes } = await recorded(
      login(({ password }) => Promise.reject(new ToolError('FullError', `no room for ${password}`)), { input }),
    )
    await call(server, 'shop.login', { user: 'ada', password: '  HUNTER2-9F3A ' })
    expect((await bytes()).toString('latin1')).not.toMatch(/hunter2-9f3a/i)
  })

  test('of a result, sent to the caller and to nobody else', async () => {
    const output = z.object({ token: z.string().meta(marked), hint: z.string() })
    const { server, file, bytes } = await recorded(
      login(() => ({ token: SECRET, hint: `starts like ${SECRET}` }), { output }),
    )
    expect(await call(server, 'shop.login', ARGS)).toMatchObject({ data: { token: SECRET } })
    expect(file.lines()[0]?.data).toEqual({ token: '[secret]', hint: 'starts like [secret]' })
    expect((await bytes()).includes(SECRET)).toBe(false)
  })

  test('of a call that waits for a human, runs as a task, and asks', async () => {
    const question = {
      method: 'elicitation/create',
      params: { message: SECRET, requestedSchema: { type: 'object', properties: {} } },
    }
    const pay = destructiveTool('shop.pay', {
      input: INPUT as never,
      task: true,
      run: (async ({ password }: { password: string }, ctx: Context) => {
        const { sure } = await ctx.ask({ sure: question as never })
        return { sure: sure.action, password }
      }) as never,
    })
    const broken = login(({ password }) => Promise.reject(new RpcError(-32603, password, { password })), { task: true })
    const { server, ledger, file, bytes } = await recorded(pay, broken)
    await grant(ledger, pay)
    const peer = modernPeer(server, { ...TASKS_CAPABILITY, elicitation: {} })
    const ended = async (name: string) => {
      const { taskId } = (await peer.request('tools/call', { name, arguments: ARGS })).result
      let task = (await peer.request('tasks/get', { taskId })).result
      while (!['completed', 'failed'].includes(task.status)) {
        await peer.request('tasks/update', {
          taskId,
          inputResponses: { sure: { action: 'accept', content: { a: SECRET } } },
        })
        task = (await peer.request('tasks/get', { taskId })).result
      }
      return task.status
    }
    expect([await ended('pay'), await ended('login')]).toEqual(['completed', 'failed'])
    expect(file.rows('SELECT id FROM tasks')).toHaveLength(2)
    expect((await bytes()).includes(SECRET)).toBe(false)
  })

  test('and a guess at it cannot be checked against what is kept of its arguments', async () => {
    const { server, file } = await recorded(login())
    await call(server, 'shop.login', ARGS)
    const { createHash } = await import('node:crypto')
    const guess = createHash('sha256')
      .update(JSON.stringify({ password: SECRET, user: 'ada' }))
      .digest('hex')
    expect(file.lines()[0]?.args_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(file.lines()[0]?.args_hash).not.toBe(guess)
    await call(server, 'shop.login', { password: SECRET, user: 'ada' })
    const [one, two] = file.lines()
    expect(one?.args_hash).toBe(two?.args_hash)
  })

  test('of arguments sent to a tool that is not there', async () => {
    const { server, bytes, file } = await recorded(login())
    await expect(call(server, 'shop.logn', ARGS)).rejects.toThrow(/Unknown tool/)
    expect(file.lines()).toMatchObject([{ tool: 'shop.logn', version: null, error_type: 'ToolNotFoundError' }])
    expect((await bytes()).includes(SECRET)).toBe(false)
  })
})

describe('a line is written whatever comes', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle

  test.each<[string, object]>([
    ['nested too deeply', { junk: nested(20_000) }],
    ['too long to be kept', { junk: 'x'.repeat(100_000) }],
    ['with members of every name', JSON.parse('{"toJSON":1,"constructor":2,"":3,"\\u0000":4}')],
    ['with halves of surrogates and line ends', { junk: '\ud800\u2028\n\r"\\' }],
  ])('arguments %s', async (_what, junk) => {
    const one = login()
    const two = countedTool('shop.open')
    const { server, ledger, file } = await recorded(one, two)
    const first = await call(server, 'shop.login', { ...ARGS, ...junk })
    const second = await call(server, 'shop.open', { ...junk })
    expect([one.ran.length, two.ran.length]).toEqual([1, 1])
    expect([first.status, second.status]).toEqual(['success', 'success'])
    expect(file.lines()).toMatchObject([
      { call_id: first.call_id, tool: 'shop.login', outcome: 'success' },
      { call_id: second.call_id, tool: 'shop.open', outcome: 'success' },
    ])
    await ledger.journal.flush()
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: 2 })
  })

  test.each<[string, object]>([
    ['with a member named __proto__', JSON.parse('{"junk":[{"__proto__":{"a":1}}]}')],
    ['with a number too large to be one', JSON.parse('{"junk":1e400}')],
    ['with a BigInt', { junk: 1n }],
    ['that contain themselves', { junk: cycle }],
    ['that throw', { junk: new Proxy({}, { ownKeys: () => expect.unreachable() }) }],
  ])('arguments %s, which never reach a tool', async (_what, junk) => {
    const one = login()
    const two = countedTool('shop.open')
    const { server, file } = await recorded(one, two)
    for (const name of ['shop.login', 'shop.open'])
      expect(await call(server, name, { ...ARGS, ...junk })).toMatchObject({
        error: { error_type: 'SerializationError', error_details: { path: expect.stringMatching(/^\/junk/) } },
      })
    expect([one.ran, two.ran]).toEqual([[], []])
    expect(file.lines()).toMatchObject([
      { tool: 'shop.login', outcome: 'failure', error_type: 'SerializationError' },
      { tool: 'shop.open', outcome: 'failure', error_type: 'SerializationError' },
    ])
  })

  test.each<[string, unknown]>([
    ['a BigInt', { n: 1n }],
    ['a cycle', cycle],
    ['a function', { f: () => {} }],
    ['something nested too deeply', { deep: nested(20_000) }],
  ])('an error that holds %s', async (_what, details) => {
    const fails = () => Promise.reject(new ToolError('FullError', 'It is full.', details as never))
    const one = login(fails)
    const two = countedTool('shop.open', { errors: { FullError: 'when full' }, run: fails })
    const { server, file } = await recorded(one, two)
    for (const name of ['shop.login', 'shop.open']) await call(server, name, ARGS).catch(() => {})
    expect([one.ran.length, two.ran.length]).toEqual([1, 1])
    expect(file.lines()).toMatchObject([
      { tool: 'shop.login', outcome: 'failure', error_type: 'FullError' },
      { tool: 'shop.open', outcome: 'failure', error_type: 'FullError' },
    ])
  })

  test('a run and a step of any kind', async () => {
    const { server, file } = await recorded(countedTool('shop.open'))
    for (const context of [
      { run: 'r'.repeat(500), step: '\ud800' },
      { run: 1, step: {} },
      { run: null },
      'x',
      ['r', 's'],
      null,
    ]) {
      // A malformed context is refused, and recorded all the same.
      await call(server, 'shop.open', {}, { meta: { 'myrmex/context': context } }).catch(() => {})
    }
    expect(file.lines().map(({ run, step }) => [run?.length, step])).toEqual([
      [200, '\ud800'],
      ...Array.from({ length: 5 }, () => [undefined, undefined]),
    ])
  })

  test('who, how, what and which: as it was', async () => {
    const { server, file } = await recorded(countedTool('shop.open'), countedTool('shop.open', { version: '2.0.0' }))
    const meta = { 'myrmex/version': '^1.0.0', 'myrmex/context': { run: 'r1', step: 's1' } }
    const before = Date.now()
    const { call_id } = await call(server, 'open', { n: 1 }, { principal: principalNamed('ada'), meta })
    const [line] = file.lines()
    expect(line).toMatchObject({
      record: expect.stringMatching(/^\w{12}\/\d+\/0$/),
      call_id,
      principal: 'ada',
      transport: 'direct',
      tool: 'shop.open',
      version: '1.0.0',
      outcome: 'success',
      run: 'r1',
      step: 's1',
      args: { n: 1 },
      data: {},
    })
    expect(line?.time).toBeGreaterThanOrEqual(before)
    expect(line?.time).toBeLessThanOrEqual(Date.now())
  })

  test('a tool that calls a tool leaves a line for each, the inner one first', async () => {
    const inner = countedTool('shop.open')
    const outer = tool({
      ...toolDefaults,
      name: 'shop.outer',
      input: z.object({}),
      output: z.looseObject({}),
      run: async (_input, ctx) => ({ ...(await ctx.call('shop.open', { n: 7 })) }),
    })
    const { server, file } = await recorded(inner, { tool: outer, ran: [] })
    await call(server, 'shop.outer', {}, { principal: principalNamed('ada') })
    expect(file.lines()).toMatchObject([
      { tool: 'shop.open', principal: 'ada', args: { n: 7 } },
      { tool: 'shop.outer', principal: 'ada' },
    ])
  })
})
