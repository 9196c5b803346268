/**
 * Attacker: a remote caller
 * Attack: guesses tokens, and learns from answers or their times which ones are nearly right.
 * Stopped by: a token has 238 random bits, is looked up by its hash and compared in constant time, and every wrong one gets the same answer.
 *
 * Attack: presents the token of one profile at the URL of another, or takes the session or the task of another profile over.
 * Stopped by: a token has its profile wherever it connects. Sessions, tasks and recorded results belong to the caller in its profile.
 *
 * Attack: writes the name of a profile in another way (escapes, case, dots, other letters) to reach one that its own rules do not cover.
 * Stopped by: the name in the URL is compared byte for byte, and nothing in it is decoded.
 *
 * Attack: sends headers, metadata or parameters that name another profile.
 * Stopped by: the profile comes from the token and the URL alone.
 */
import { connect } from 'node:net'
import { destructiveTool, serve, trust } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { post, postModern } from '@myrmex/testing/http-server'
import { LONG } from '@myrmex/testing/long'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { callerIn, twoServers } from '@myrmex/testing/profiles/two-servers'
import { describe, expect, test } from 'vitest'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const BEES = { tool_name: 'bees.read_bees', arguments: {} }

/** A request line as it is typed: URL parsers would tidy it up. */
async function raw(origin: string, path: string, token: string): Promise<{ status: number; body: string }> {
  const { hostname, port, host } = new URL(origin)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta() } })
  const socket = connect(Number(port), hostname)
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      'MCP-Protocol-Version: 2026-07-28',
      'MCP-Method: tools/list',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), body: text }
}

describe('a token', () => {
  test('that is wrong gets the same answer, however near it is', async () => {
    const { ledger, origin } = await twoServers({ requireToken: true })
    const { token } = await ledger.tokens.create('ci', { scopes: ['*'], profile: 'ants' }, 'ada')
    const swapped = token.replace(/^(myx_)(.)(.)/, '$1$3$2')
    const { token: revoked } = await ledger.tokens.create('old', { scopes: ['*'] }, 'ada')
    await ledger.tokens.revoke('old', 'ada')
    const wrong = [
      ...[swapped, revoked, token.slice(0, -1), `${token}0`, token.toUpperCase(), token.toLowerCase()],
      ...['myx_', 'myx_'.padEnd(50, '0'), `${token} ${token}`, `${token},${token}`, 'null', '[object Object]'],
    ].filter((one) => one !== token)
    const answers = await Promise.all(wrong.map((one) => post(`${origin}/call`, BEES, bearer(one))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set(answers.map(({ body }) => body.replace(/"call_id":"[^"]*"/, ''))).size).toBe(1)
    for (const { body, headers } of answers) expect(body + JSON.stringify(headers)).not.toContain(token.slice(4, 12))
  })

  test('is accepted in the header only, and once', async () => {
    const { ledger, origin } = await twoServers({ requireToken: true })
    const { token } = await ledger.tokens.create('ci', { scopes: ['*'] }, 'ada')
    const call = (path: string, headers: Record<string, string>) => post(`${origin}${path}`, BEES, headers)
    expect((await call('/call', bearer(token))).status).toBe(200)
    for (const path of [`/call?access_token=${token}`, `/call?token=${token}`])
      expect((await call(path, {})).status).toBe(400)
    const others: Record<string, string>[] = [
      { 'x-api-key': token },
      { cookie: `token=${token}` },
      { authorization: token },
    ]
    for (const headers of others) expect((await call('/call', headers)).status).toBe(401)
  })

  test('is in no file of the ledger, in no answer that lists tokens, and in no line of the journal', async () => {
    const { ledger, file, origin } = await twoServers()
    const { token } = await ledger.tokens.create('ci', { scopes: ['*'], profile: 'ants' }, 'ada')
    await post(`${origin}/call`, { tool_name: 'ants.read_ants', arguments: {} }, bearer(token))
    await ledger.journal.flush()
    const secret = token.slice(4, 44)
    expect(JSON.stringify(await ledger.tokens.list())).not.toContain(secret)
    expect(file.bytes().includes(secret)).toBe(false)
  })
})

describe('a caller of one profile', () => {
  const NAMES = [
    ...['bees', '%62ees', 'bees%2f', 'bee%73', 'BEES', 'Bees', 'bees%20', 'bees%00', 'bees.', './bees'],
    ...['ants/../bees', 'ants%2f..%2fbees', '..%2fp%2fbees', '%2e%2e/p/bees', 'ants/bees', 'ants;bees', 'ants,bees'],
    ...[
      'ants%23bees',
      'ants&profile=bees',
      'be\u0435s',
      'b\u200bees',
      'ｂees',
      'be%C4%93s',
      '__proto__',
      'constructor',
      '*',
      '',
    ],
  ]

  test.each(['with a token', 'without one'])('reaches no other by any spelling of its name, %s', async (how) => {
    const { ledger, origin } = await twoServers()
    const { token } = await ledger.tokens.create('ci', { scopes: ['*'], profile: 'ants' }, 'ada')
    for (const name of NAMES) {
      const whole = [`/mcp/p/${name}`, `/p/${name}/call`]
      for (const path of LONG ? [...whole, `//mcp/p/${name}`, `/mcp//p/${name}`, `/mcp/p/${name}/`] : whole) {
        const sent = Buffer.from(path, 'utf8').toString('latin1')
        const { status, body } = await raw(origin, sent, how === 'with a token' ? token : '')
        // Without a token everybody on loopback may use every profile, by its own name.
        const isAllowed = how === 'without one' && (path === '/mcp/p/bees' || path === '/p/bees/call')
        if (isAllowed) continue
        expect(status, path).toBeGreaterThanOrEqual(400)
        expect(body, path).not.toMatch(/read_bees|write_bees/)
      }
    }
  })

  test('names another in no header, parameter or metadata', async () => {
    const { ledger, origin } = await twoServers()
    const { token } = await ledger.tokens.create('ci', { scopes: ['*'], profile: 'ants' }, 'ada')
    const headers = { ...bearer(token), 'x-profile': 'bees', 'mcp-profile': 'bees', 'x-original-url': '/mcp/p/bees' }
    const params = { profile: 'bees', _meta: { 'myrmex/profile': 'bees', profile: 'bees' } }
    for (const path of ['/mcp', '/mcp?profile=bees', '/mcp/p/ants?profile=bees', '/mcp/p/ants']) {
      const { body } = await postModern(`${origin}${path}`, 'tools/list', params, headers)
      expect(body).toContain('read_ants')
      expect(body).not.toContain('bees')
    }
    const call = await post(`${origin}/call`, { ...BEES, profile: 'bees' }, headers)
    expect(call.json).toMatchObject({ status: 'failure' })
  })

  test('has no session of another, and ends none', async () => {
    const { ledger, origin } = await twoServers()
    const [ants, bees] = await Promise.all(
      ['ants', 'bees'].map((name) => ledger.tokens.create(name, { scopes: ['*'], profile: name }, 'ada')),
    )
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const opened = await post(
      `${origin}/mcp/p/bees`,
      { jsonrpc: '2.0', id: 0, method: 'initialize', params },
      bearer(bees?.token ?? ''),
    )
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    const { token = '' } = ants ?? {}
    const list = (path: string, own: string) =>
      post(`${origin}${path}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { ...session, ...bearer(own) })
    for (const path of ['/mcp', '/mcp/p/ants']) expect((await list(path, token)).status).toBe(404)
    for (const method of ['GET', 'DELETE'])
      expect(
        (
          await fetch(`${origin}/mcp`, {
            method,
            headers: { ...session, ...bearer(token), accept: 'text/event-stream' },
          })
        ).status,
      ).toBe(404)
    expect((await list('/mcp', bees?.token ?? '')).status).toBe(200)
  })
})

describe('what is open for long', () => {
  test('a subscription covers no resource of another profile, and does not say that it is there', async () => {
    const { origin } = await twoServers()
    const uris = ['bees://note', 'bexx://note', 'bees+bees://note', 'ants://note']
    const listening = await fetch(`${origin}/mcp/p/ants`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
        params: { notifications: { resourceSubscriptions: uris }, _meta: modernMeta() },
      }),
    })
    const reader = listening.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('acknowledged')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    expect(text).toContain('resourceSubscriptions')
    expect(text).not.toMatch(/be[ex][sx]/)
  })

  test('a task is there for its caller in its profile only', async () => {
    const wait = destructiveTool('shop.wait', { task: true })
    const { server, ledger } = await serve([wait])
    await trust(ledger, wait)
    server.pipeline.profiles.replace([
      { name: 'shop', tools: ['shop.*'], readOnly: false },
      { name: 'other', tools: ['other.*'], readOnly: false },
    ])
    const meta = modernMeta({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
    const of = (profile: string) => rawClient(server, { era: 'modern', principal: callerIn(profile) })
    const [shop, other] = [await of('shop'), await of('other')]
    const { taskId } = await shop.once('tools/call', { name: 'shop.wait', arguments: { n: 1 } }, meta)
    expect(taskId).toBeTypeOf('string')
    expect(await shop.once('tasks/get', { taskId }, meta)).toMatchObject({ taskId })
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const asked = (id: unknown) =>
        other.once(method, { taskId: id, inputResponses: {} }, meta).catch((error: unknown) => JSON.stringify(error))
      const [real, invented] = [await asked(taskId), await asked('task-of-nobody')]
      expect(String(real).replaceAll(String(taskId), 'x')).toBe(String(invented).replaceAll('task-of-nobody', 'x'))
    }
  })
})

test('a token whose profile is gone reaches nothing, on no URL', async () => {
  const { ledger, origin, host } = await twoServers()
  const { token } = await ledger.tokens.create('ci', { scopes: ['*'], profile: 'ants' }, 'ada')
  host.server.pipeline.profiles.replace([{ name: 'bees', readOnly: false }])
  for (const path of ['/mcp', '/mcp/p/ants', '/mcp/p/bees']) {
    const { status, body } = await postModern(`${origin}${path}`, 'tools/list', {}, bearer(token))
    expect(status, path).toBe(403)
    expect(body).not.toContain('bees.')
  }
})
