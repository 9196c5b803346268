/** Every call that failed has its cause in its record. The caller learns no more than before, and the record has no secret. */
import { call, countedTool, destructiveTool, grant, serve, trust } from '@myrmex/testing/gated-server'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { createServer } from '../../server/server.ts'
import { connectDirect } from '../../transport/direct.ts'
import type { ObservedError } from '../pipeline.ts'

const SECRET = 'hunter2-9f3a'

describe('the record of a failed call', () => {
  const recorded = async (changes: Parameters<typeof countedTool>[1], args: object = {}) => {
    const { server, file } = await serve([countedTool('shop.open', changes)])
    const told = await call(server, 'shop.open', args).catch((thrown: Error) => thrown.message)
    const [line] = file.lines()
    return { line, told: JSON.stringify(told) }
  }

  test('has what an undeclared error said, with its causes, and the caller only a reference', async () => {
    const run = () => {
      throw new TypeError('no connection\n  to the database', { cause: new Error('connect ECONNREFUSED') })
    }
    const { line, told } = await recorded({ run })
    expect(line).toMatchObject({
      outcome: 'failure',
      error_type: 'ToolExecutionError',
      cause: 'TypeError: no connection to the database, caused by Error: connect ECONNREFUSED',
    })
    expect(told).toContain(line?.call_id)
    expect(told).not.toContain('database')
  })

  test.each<[string, unknown, string]>([
    ['a text', 'just a text', 'just a text'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object', { a: 1 }, '[object Object]'],
    ['an object without a prototype', Object.create(null), 'something that cannot be shown'],
    ['an endless text', new Error('x'.repeat(1_000_000)), `Error: ${'x'.repeat(1993)}…`],
  ])('has a cause where %s was thrown', async (_what, thrown, cause) => {
    const { line } = await recorded({
      run: () => {
        throw thrown
      },
    })
    expect(line).toMatchObject({ outcome: 'failure', cause })
  })

  test('that broke in our own code is a fault, with what was thrown', async () => {
    const input = z.object({ n: z.number() }).refine(() => {
      throw new RangeError('the schema broke')
    })
    const { line, told } = await recorded({ input: input as never }, { n: 1 })
    expect(line).toMatchObject({
      outcome: 'fault',
      error_type: 'InternalError',
      cause: 'RangeError: the schema broke',
      error: { error_type: 'InternalError', error_details: { code: -32603 } },
    })
    expect(told).toMatch(/Internal error.*under/)
    expect(told).not.toContain('schema broke')
  })

  test.each<[string, RpcError, object]>([
    ['an internal error of its own', new RpcError(-32603, 'It is broken.'), { code: -32603 }],
    ['a code of its own', new RpcError(-32042, 'Not so.', { hint: 1 }), { code: -32042, data: { hint: 1 } }],
  ])('that ended with a protocol error has its code and message: %s', async (_what, thrown, error_details) => {
    const { line } = await recorded({ run: () => Promise.reject(thrown) })
    expect(line).toMatchObject({
      outcome: 'failure',
      error_type: 'ToolExecutionError',
      error: { error_type: 'ToolExecutionError', error_message: thrown.message, error_details },
    })
  })

  test('has type and message of an error type that nobody can bound', async () => {
    const thrown = new RpcError(-32000, 'm', { error_type: 'E'.repeat(100_000) })
    const { line } = await recorded({ run: () => Promise.reject(thrown) })
    expect(line?.error_type).toHaveLength(200)
    expect(JSON.stringify(line?.error).length).toBeLessThan(66_000)
  })

  test('that asked for something that does not exist, or was malformed, says so', async () => {
    const { server, file } = await serve([countedTool('shop.open')])
    const connection = connectDirect(server, () => {})
    const send = (params: object) => connection.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    await call(server, 'shop.opn').catch(() => {})
    await call(server, 'shop.open', {}, { meta: { 'myrmex/version': '^9.0.0' } }).catch(() => {})
    const clientInfo = { name: 'test', version: '1.0.0' }
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    await connection.send({ jsonrpc: '2.0', id: 2, method: 'initialize', params: opening })
    await send({ name: 'shop.open', arguments: [SECRET] })
    expect(file.lines()).toMatchObject([
      {
        outcome: 'failure',
        error_type: 'ToolNotFoundError',
        error: { error_message: expect.stringMatching(/Did you mean shop\.open/), error_details: { code: -32602 } },
      },
      { outcome: 'failure', error_type: 'ToolNotFoundError', error: { error_message: expect.stringMatching(/\^9/) } },
      {
        outcome: 'failure',
        error_type: 'ValidationError',
        error: { error_type: 'ValidationError', error_message: '/arguments: must be an object' },
      },
    ])
  })

  test('has no secret in cause, message, details or log', async () => {
    const input = z.object({ password: z.string().meta({ 'x-secret': true }) })
    const seen: ObservedError[] = []
    for (const thrown of [
      new Error(`no ${SECRET}`, { cause: new Error(`inside ${SECRET}`) }),
      // The secret is where the text is cut.
      new Error(`${SECRET} ${'x'.repeat(1975)} ${SECRET}`),
      new RpcError(-32000, `no ${SECRET}`, { url: `https://x/?p=${SECRET}`, error_type: SECRET }),
      new ToolError('FullError', `no ${SECRET}`, { tried: SECRET }),
      `just ${SECRET}`,
    ]) {
      const login = countedTool('shop.login', {
        input: input as never,
        run: () => {
          throw thrown
        },
      })
      const { ledger, file } = await serve([])
      const server = createServer({
        name: 's',
        version: '1.0.0',
        tools: [login.tool],
        ledger,
        observe: (observed) => seen.push(observed),
      })
      await call(server, 'shop.login', { password: SECRET }).catch(() => {})
      const [line] = file.lines()
      expect(line?.error?.error_type).toBeTypeOf('string')
      expect(`${line?.cause} ${line?.error?.error_message}`).toContain('[secret]')
      await ledger.close()
      expect(file.bytes().includes(SECRET.slice(0, 4))).toBe(false)
    }
    expect(seen).toHaveLength(3)
    const [{ thrown } = { thrown: undefined }] = seen
    expect(thrown).toBeInstanceOf(Error)
    const { message, stack, cause } = thrown as Error
    expect(`${message} ${stack} ${cause}`).not.toContain(SECRET)
    expect(`${message} ${cause}`).toBe('no [secret] Error: inside [secret]')
  })
})

describe('a call that waits for approval', () => {
  test('is no failure, in the audit and in the metrics', async () => {
    const pay = destructiveTool('shop.pay')
    const { server, ledger, file } = await serve([pay])
    await trust(ledger, pay)
    for (let times = 0; times < 7; times++)
      expect(await call(server, 'shop.pay', { n: times })).toMatchObject({
        status: 'failure',
        error: { error_type: 'PermissionError', error_details: { status: 'waiting' } },
      })
    expect(file.lines().map(({ outcome, error_type }) => [outcome, error_type])).toEqual(
      new Array(7).fill(['waiting', undefined]),
    )
    expect(server.measures.of(pay.tool).outcomes).toEqual([{ outcome: 'waiting', error_type: '', count: 7 }])
    // The breaker is closed.
    await grant(ledger, pay)
    expect(await call(server, 'shop.pay')).toMatchObject({ status: 'success' })
    expect(file.lines().at(-1)).toMatchObject({ outcome: 'success' })
  })
})
