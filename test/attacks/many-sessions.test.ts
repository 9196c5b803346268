/**
 * A legacy session costs memory until it ends, and its number is limited.
 *
 * Attacker: a remote caller
 * Attack: without any right, opens all legacy sessions of a server, so that nobody else can open one.
 * Stopped by: if all are taken, the principal with the most loses the one that it has not used for the longest time.
 *
 * Attack: opens sessions whose `clientInfo` and capabilities have megabytes, which the server keeps, until its memory is full.
 * Stopped by: of a long description only the names are kept, and long capabilities are refused.
 */
import { createHash } from 'node:crypto'
import { type HttpAnswer, post, send } from '@myrmex/testing/http-server'
import { createServer, listenHttp, parsePolicy, tool } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

const bearer = (id: string) => ({ authorization: `Bearer ${id}` })
const principal = (id: string, ...scopes: string[]) => {
  const token_sha256 = createHash('sha256').update(id).digest('hex')
  return { id, token_sha256, scopes }
}

async function serve(maxSessions: number) {
  const release = Promise.withResolvers<void>()
  const wait = tool({
    name: 'shop.wait',
    version: '1.0.0',
    description: 'Waits.',
    input: z.object({}),
    output: z.object({ client: z.any() }),
    errors: {},
    idempotent: true,
    destructive: false,
    security: 'None.',
    examples: [],
    run: async (_input, { signal, client }) => {
      await Promise.race([release.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))])
      return { client }
    },
  })
  const policy = parsePolicy({ principals: [principal('mallory', 'shop.*'), principal('ada'), principal('bob')] })
  const listening = await listenHttp(createServer({ name: 's', version: '1.0.0', tools: [wait], policy }), {
    port: 0,
    maxSessions,
  })
  onTestFinished(() => listening.close())
  onTestFinished(() => release.resolve())
  const url = `http://127.0.0.1:${listening.port}/mcp`
  const open = (who: string, description: object = {}): Promise<HttpAnswer> => {
    const clientInfo = { name: 'c', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...description }
    return post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, bearer(who))
  }
  const inSession = (who: string, { headers }: HttpAnswer, method = 'ping', params = {}): Promise<HttpAnswer> =>
    post(
      url,
      { jsonrpc: '2.0', id: 2, method, params },
      { ...bearer(who), 'mcp-session-id': String(headers['mcp-session-id']) },
    )
  const end = (who: string, { headers }: HttpAnswer): Promise<HttpAnswer> =>
    send(url, 'DELETE', { ...bearer(who), 'mcp-session-id': String(headers['mcp-session-id']) })
  return { open, inSession, end, release: () => release.resolve() }
}

describe('one caller takes all sessions', () => {
  test('others still open theirs, and keep them', async () => {
    const { open, inSession } = await serve(5)
    const ada = await open('ada')
    const first = await open('mallory')
    for (let n = 0; n < 20; n++) expect((await open('mallory')).status).toBe(200)
    const bob = await open('bob')
    expect(bob.status).toBe(200)
    for (let n = 0; n < 20; n++) await open('mallory')
    expect((await inSession('ada', ada)).status).toBe(200)
    expect((await inSession('bob', bob)).status).toBe(200)
    expect((await inSession('mallory', first)).status).toBe(404)
  })

  test('also if all of them are busy; the caller itself gets no more of them then', async () => {
    const { open, inSession, release } = await serve(2)
    const calls = []
    for (let n = 0; n < 2; n++) {
      const session = await open('mallory')
      calls.push(inSession('mallory', session, 'tools/call', { name: 'wait', arguments: {} }))
      await inSession('mallory', session)
    }
    expect((await open('mallory')).status).toBe(503)
    expect((await open('ada')).status).toBe(200)
    release()
    const [first, second] = await Promise.all(calls)
    expect(first?.body).not.toContain('structuredContent')
    expect(second?.json.result.structuredContent).toBeDefined()
  })
})

describe('a session keeps megabytes that its client says about itself', () => {
  const LONG = 'n'.repeat(1_000_000)

  test('only the names are kept, cut', async () => {
    const { open, inSession, release } = await serve(5)
    release()
    const icons = [{ src: `data:image/png;base64,${LONG}` }]
    const session = await open('mallory', { clientInfo: { name: LONG, version: '1', icons, more: LONG } })
    const { json } = await inSession('mallory', session, 'tools/call', { name: 'wait', arguments: {} })
    expect(json.result.structuredContent.client.info).toEqual({ name: LONG.slice(0, 200), version: '1' })
  })

  test('long capabilities are refused, and open no session', async () => {
    const { open } = await serve(5)
    let deep: object = {}
    for (let depth = 0; depth < 2000; depth++) deep = { deep }
    for (const experimental of [{ more: LONG }, deep]) {
      const refused = await open('mallory', { capabilities: { experimental } })
      expect(refused.json.error.message).toMatch(/^capabilities has more than/)
      expect(refused.headers['mcp-session-id']).toBeUndefined()
    }
  })
})
