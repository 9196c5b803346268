/** `POST /call` and `POST /batch` on real sockets: every answer is a ToolResult, whatever was sent, and a tool has all its names. */
import { createHash } from 'node:crypto'
import { type HttpAnswer, post, send, serveHttp } from '@myrmex/testing/http-server'
import { add, echo } from '@myrmex/testing/sample-tools'
import { createServer, type HttpOptions, listenHttp, ToolResultSchema } from 'myrmex'
import { afterEach, describe, expect, test } from 'vitest'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function serve(options: HttpOptions = {}, policy: object = {}): Promise<string> {
  const server = createServer({
    name: 'plain',
    version: '1.0.0',
    tools: [add, echo],
    policy: parsePolicy(policy),
    observe: () => {},
  })
  const listening = await listenHttp(server, options)
  open.push(listening)
  return `http://127.0.0.1:${listening.port}`
}

const JSON_TYPE = { 'content-type': 'application/json' }
const ADD = JSON.stringify({ tool_name: 'math.add', arguments: { a: 1, b: 2 } })
const brokenPages = {
  has: () => {
    throw new Error('broken')
  },
  serve: async () => {},
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Refused {
  readonly options?: HttpOptions
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly status: number
  readonly error_type: string
  readonly says: RegExp
  readonly answerHeaders?: Record<string, unknown>
}

const REFUSED: Record<string, Refused> = {
  'a body that is not JSON': { body: '{oops', status: 400, error_type: 'ValidationError', says: /not JSON/ },
  'no body': { body: '', status: 400, error_type: 'ValidationError', says: /not JSON/ },
  'a body that is a number': { body: '7', status: 400, error_type: 'ValidationError', says: /ToolCall/ },
  'a body that is too large': {
    options: { maxBodyBytes: 20 },
    status: 413,
    error_type: 'ValidationError',
    says: /larger than 20 bytes/,
  },
  'another type of content': {
    headers: { 'content-type': 'text/plain' },
    status: 415,
    error_type: 'ValidationError',
    says: /Content-Type must be application\/json/,
  },
  'another method': {
    method: 'PUT',
    status: 405,
    error_type: 'ValidationError',
    says: /use POST/,
    answerHeaders: { allow: 'POST' },
  },
  'a dry run that is neither true nor false': {
    headers: { 'myrmex-dry-run': '1' },
    status: 400,
    error_type: 'ValidationError',
    says: /^The header Myrmex-Dry-Run must be true or false, not "1"\. Nothing was run\.$/,
  },
  'no token': {
    options: { token: 'secret' },
    status: 401,
    error_type: 'AuthenticationError',
    says: /bearer token is required/,
    answerHeaders: { 'www-authenticate': 'Bearer realm="myrmex"' },
  },
  'a wrong token': {
    options: { token: 'secret' },
    headers: { authorization: 'Bearer wrong' },
    status: 401,
    error_type: 'AuthenticationError',
    says: /Unknown token/,
    answerHeaders: { 'www-authenticate': expect.stringContaining('error="invalid_token"') },
  },
  'another host': {
    headers: { host: 'evil.example' },
    status: 403,
    error_type: 'PermissionError',
    says: /evil\.example is not served here/,
  },
  'another origin': {
    headers: { origin: 'https://evil.example' },
    status: 403,
    error_type: 'PermissionError',
    says: /not allowed/,
  },
  'a fault of ours': {
    options: { pages: brokenPages },
    status: 500,
    error_type: 'ToolExecutionError',
    says: /The log has the cause/,
  },
}

describe.each(['/call', '/batch'])('POST %s', (path) => {
  test.each(Object.entries(REFUSED))('with %s answers a ToolResult', async (_what, given) => {
    const origin = await serve(given.options)
    const headers = { ...JSON_TYPE, ...given.headers }
    const got = await send(`${origin}${path}`, given.method ?? 'POST', headers, given.body ?? ADD)
    expect(got).toMatchObject({ status: given.status, headers: given.answerHeaders ?? {} })
    expect(got.headers['content-type']).toBe('application/json')
    const result = failureIn(got)
    expect(result.error).toMatchObject({ error_type: given.error_type })
    if (!(path === '/batch' && given.body === '7')) expect(result.error?.error_message).toMatch(given.says)
  })

  test('with too many calls answers a ToolResult that says when to try again', async () => {
    const origin = await serve({}, { limits: { all: { calls: 1, per_ms: 60_000 } } })
    const body = path === '/call' ? ADD : `[${ADD}]`
    const results = [
      await send(`${origin}${path}`, 'POST', JSON_TYPE, body),
      await send(`${origin}${path}`, 'POST', JSON_TYPE, body),
    ]
    const last = path === '/call' ? results[1]?.json : results[1]?.json.results[0]
    expect(last).toMatchObject({
      status: 'failure',
      error: { error_type: 'ApiLimitExceeded', error_details: { retry_after_ms: expect.any(Number) } },
    })
  })
})

function failureIn({ json }: HttpAnswer) {
  const result = ToolResultSchema.parse(json)
  expect(Object.keys(json)).toEqual(['status', 'data', 'error', 'explanation'])
  expect(result.status).toBe('failure')
  return result
}

test('a batch keeps its shape where its calls can be told apart', async () => {
  const origin = await serve()
  const { status, json } = await post(`${origin}/batch`, {
    calls: [JSON.parse(ADD), 7, { tool_name: 'nothing', arguments: {} }],
  })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'partial_success',
    results: [
      { status: 'success', data: { sum: 3 } },
      { error: { error_type: 'ValidationError' } },
      { error: { error_type: 'ToolNotFoundError' } },
    ],
  })
})

describe('a tool is called by each of its names', () => {
  test.each(['math.add', 'math_add', 'add'])('%s', async (tool_name) => {
    const origin = await serve()
    const call = { tool_name, arguments: { a: 1, b: 2 } }
    expect(await post(`${origin}/call`, call)).toMatchObject({ status: 200, json: { data: { sum: 3 } } })
    expect((await post(`${origin}/batch`, [call])).json.results[0]).toMatchObject({ data: { sum: 3 } })
  })

  test('a bare name that two modules have is none', async () => {
    const server = createServer({
      name: 'two',
      version: '1.0.0',
      tools: [add, { ...add, name: 'other.add', module: 'other' }],
    })
    const listening = await listenHttp(server)
    open.push(listening)
    const { status, json } = await post(`http://127.0.0.1:${listening.port}/call`, { tool_name: 'add', arguments: {} })
    expect(status).toBe(404)
    expect(json.error).toMatchObject({
      error_type: 'ToolNotFoundError',
      error_details: { nearest: ['math.add', 'other.add'] },
    })
  })

  test('scopes are those of the canonical name', async () => {
    const origin = await serve({}, { principals: [{ id: 'ci', token_sha256: sha256('one'), scopes: ['text.*'] }] })
    for (const tool_name of ['math.add', 'math_add', 'add']) {
      const headers = { authorization: 'Bearer one' }
      const { json } = await post(`${origin}/call`, { tool_name, arguments: { a: 1, b: 2 } }, headers)
      expect(json.error).toMatchObject({ error_type: 'PermissionError', error_details: { missing_scope: 'math.add' } })
    }
  })
})

test('the same errors on /mcp stay JSON-RPC errors', async () => {
  const served = await serveHttp({ token: 'secret' })
  open.push(served)
  const got = await send(served.url, 'POST', JSON_TYPE, '{oops')
  expect(got.json).toMatchObject({ jsonrpc: '2.0', error: { data: { error_type: 'AuthenticationError' } } })
})
