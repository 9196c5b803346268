/** Calls held open for the official clients of both eras, for plain requests and on stdio: answered at once, or ended with their connection. */
import { request } from 'node:http'
import { StreamableHTTPClientTransport as Http2, Client as Sdk2 } from '@modelcontextprotocol/client'
import { Client as Sdk1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { eventually, type GatedServer, latch, serveRefundTool } from '@myrmex/testing/gated-server'
import { openSession, post, readEvents, send } from '@myrmex/testing/http-server'
import { longTest } from '@myrmex/testing/long'
import { listenHttp } from 'myrmex'
import { expect, onTestFinished, test, vi } from 'vitest'

type Served = GatedServer & { refund: { ran: unknown[] }; url: string; origin: string }

async function served(hold = '60 s', changes = {}): Promise<Served> {
  const gated = await serveRefundTool(changes, { waiting: { hold } })
  const listening = await listenHttp(gated.server, { drainMs: 200 })
  onTestFinished(() => listening.close())
  return { ...gated, url: listening.url, origin: `http://127.0.0.1:${listening.port}` }
}

const waiting = ({ file }: GatedServer, count = 1): Promise<string[]> =>
  eventually(() => {
    const ids = file.rows<{ id: string }>("SELECT id FROM approvals WHERE status = 'waiting'").map(({ id }) => id)
    expect(ids).toHaveLength(count)
    return ids
  })

interface Caller {
  refund(n: number, options?: object): Promise<unknown>
}

async function sdk1({ url }: Served): Promise<Caller> {
  const client = new Sdk1({ name: 'sdk1', version: '1.0.0' })
  await client.connect(new Http1(new URL(url)) as never)
  onTestFinished(() => client.close())
  return { refund: (n, options) => client.callTool({ name: 'shop.refund', arguments: { n } }, undefined, options) }
}

async function sdk2({ url }: Served): Promise<Caller> {
  const client = new Sdk2({ name: 'sdk2', version: '2.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new Http2(new URL(url)))
  onTestFinished(() => client.close())
  expect(client.getProtocolEra()).toBe('modern')
  return { refund: (n, options) => client.callTool({ name: 'shop.refund', arguments: { n } }, options) }
}

test.each([
  ['legacy', sdk1],
  ['modern', sdk2],
])(
  'the official %s client hears that its call waits, and gets the result once another process approves',
  async (_era, connect) => {
    const gated = await served()
    const client = await connect(gated)
    const heard: unknown[] = []
    const held = client.refund(1, { onprogress: (said: unknown) => heard.push(said) })
    const [id = ''] = await waiting(gated)
    await eventually(() =>
      expect(heard).toMatchObject([{ message: `Waiting for a human: approval ${id} (it changes state).` }]),
    )
    await (await gated.file.open()).approvals.approve(id, 'ada')
    expect(await held).toMatchObject({ _meta: { 'myrmex/result': { status: 'success' } } })
    expect(gated.refund.ran).toEqual([{ n: 1 }])
  },
)

longTest('a client with a timeout of seven seconds is kept waiting for twelve', { timeout: 30_000 }, async () => {
  const gated = await served()
  const client = await sdk1(gated)
  const held = client.refund(1, { timeout: 7000, resetTimeoutOnProgress: true, onprogress: () => {} })
  const [id = ''] = await waiting(gated)
  await new Promise((resolve) => setTimeout(resolve, 12_000))
  await gated.ledger.approvals.approve(id, 'ada')
  expect(await held).toMatchObject({ _meta: { 'myrmex/result': { status: 'success' } } })
})

test('plain calls and batches are held, and those that are decided are answered', async () => {
  const gated = await served()
  const one = { tool_name: 'shop.refund', arguments: { n: 1 } }
  const two = { tool_name: 'shop.refund', arguments: { n: 2 } }
  const single = post(`${gated.origin}/call`, one)
  await waiting(gated)
  const batch = post(`${gated.origin}/batch`, { calls: [two, { ...two, arguments: { n: 3 } }] })
  await waiting(gated, 3)
  for (const { id, args } of await gated.ledger.approvals.list('waiting'))
    await gated.ledger.approvals[args === '{"n":3}' ? 'deny' : 'approve'](id, 'ada')
  expect((await single).json.status).toBe('success')
  expect((await batch).json).toMatchObject({
    status: 'partial_success',
    results: [{ status: 'success' }, { status: 'failure' }],
  })
  expect(gated.refund.ran).toHaveLength(2)
})

test.each(['/call', '/batch'])(
  'a plain request to %s whose client leaves is held no longer, and runs nothing',
  async (path) => {
    const gated = await served()
    const leaving = new AbortController()
    const call = { tool_name: 'shop.refund', arguments: { n: 1 } }
    const request = fetch(`${gated.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path === '/call' ? call : { calls: [call] }),
      signal: leaving.signal,
    }).catch(() => 'left')
    const [id = ''] = await waiting(gated)
    leaving.abort()
    expect(await request).toBe('left')
    await eventually(() => expect(gated.server.pipeline.heldCalls.size).toBe(0))
    await gated.ledger.approvals.approve(id, 'ada')
    expect(await gated.ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
    expect(gated.refund.ran).toEqual([])
  },
)

test.each(['/call', '/batch', '/mcp'])(
  'a request to %s whose client left before its calls have to wait is not held',
  async (path) => {
    const rehearsal = latch()
    let rehearsals = 0
    const dryRun = async () => {
      rehearsals++
      await rehearsal.opened
      return {}
    }
    const gated = await served('60 s', { dryRun })
    const calls = [1, 2].map((n) => ({ tool_name: 'shop.refund', arguments: { n } }))
    const batch = { jsonrpc: '2.0', id: 1, method: 'myrmex/batch', params: { calls } }
    const leaving = new AbortController()
    const closed = fetch(`${gated.origin}${path}`, {
      method: 'POST',
      headers: {
        ...(path === '/mcp' && (await openSession(gated.url))),
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      },
      body: JSON.stringify(path === '/call' ? calls[0] : path === '/batch' ? { calls } : batch),
      signal: leaving.signal,
    }).catch(() => 'left')
    const count = path === '/call' ? 1 : 2
    await eventually(() => expect(rehearsals).toBe(count))
    leaving.abort()
    expect(await closed).toBe('left')
    // The server has seen it once it answers what came later.
    for (let n = 0; n < 2; n++) await send(`${gated.origin}/healthz`, 'GET')
    rehearsal.open()
    await waiting(gated, count)
    await eventually(() => expect(gated.server.pipeline.heldCalls.size).toBe(0))
    for (const { id } of await gated.ledger.approvals.list('waiting')) await gated.ledger.approvals.approve(id, 'ada')
    expect(gated.refund.ran).toEqual([])
  },
)

/** A legacy client that leaves while its call is held. Returns its session and what it has seen. */
async function leftWhileHeld(gated: Served, meta: object, method = 'tools/call') {
  const session = await openSession(gated.url)
  const call = { name: 'shop.refund', arguments: { n: 1 } }
  const params = { ...(method === 'tools/call' ? call : { calls: [call] }), _meta: meta }
  const outgoing = request(gated.url, { method: 'POST', headers: { ...session, 'content-type': 'application/json' } })
  let seen = ''
  outgoing.on('error', () => {})
  outgoing.on('response', (response) => {
    response.on('error', () => {})
    response.setEncoding('utf8').on('data', (chunk) => (seen += chunk))
  })
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const [id = ''] = await waiting(gated)
  if ('progressToken' in meta) await eventually(() => expect(seen).toContain('Waiting for a human'))
  const closed = new Promise((resolve) => outgoing.once('close', resolve))
  outgoing.destroy()
  await closed
  // The server has seen it once it answers what came later.
  for (let n = 0; n < 2; n++) await send(`${gated.origin}/healthz`, 'GET')
  return { session, id, events: readEvents(seen) }
}

test.each(['tools/call', 'myrmex/batch'])(
  'a legacy client of %s that leaves without a stream to resume is held no longer, and runs nothing',
  async (method) => {
    const gated = await served()
    const { id } = await leftWhileHeld(gated, {}, method)
    await eventually(() => expect(gated.server.pipeline.heldCalls.size).toBe(0))
    await gated.ledger.approvals.approve(id, 'ada')
    expect(await gated.ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
    expect(gated.refund.ran).toEqual([])
  },
)

test('a legacy client that lost its stream runs nothing until it has resumed it', async () => {
  const gated = await served()
  const { session, id, events } = await leftWhileHeld(gated, { progressToken: 'p' })
  await gated.ledger.approvals.approve(id, 'ada')
  // It looks at once when somebody decides, and again after this.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(await gated.ledger.approvals.find(id)).toMatchObject({ status: 'approved' })
  expect(gated.refund.ran).toEqual([])
  const rest = await send(gated.url, 'GET', { ...session, 'last-event-id': String(events.at(-1)?.id) })
  expect(rest.events.at(-1)?.data).toMatchObject({ id: 1, result: { structuredContent: {} } })
  expect(gated.refund.ran).toEqual([{ n: 1 }])
})

longTest(
  'a legacy client that lost its stream and does not resume it is held no longer',
  { timeout: 30_000 },
  async () => {
    const gated = await served()
    await leftWhileHeld(gated, { progressToken: 'p' })
    expect(gated.server.pipeline.heldCalls.size).toBe(1)
    await vi.waitFor(() => expect(gated.server.pipeline.heldCalls.size).toBe(0), { timeout: 20_000 })
    expect(gated.refund.ran).toEqual([])
  },
)
