/** Live events over a real connection, and servers behind a real host in the operator's hands. */

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, countedTool, destructiveTool, eventually, serve, trust } from '@myrmex/testing/gated-server'
import { post } from '@myrmex/testing/http-server'
import { type OperatorClient, serveOperatorApi } from '@myrmex/testing/operator-api'
import { fixturePath } from '@myrmex/testing/paths'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHost } from '../host.ts'
import { readApiFile, writeApiFile } from './api-file.ts'
import { liveEvents, type ReceivedEvent } from './client.ts'
import { EventLog } from './events/event-log.ts'

function folderOfOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Listens until the test is over; resolves when it has begun. */
async function listen({ url, token }: OperatorClient, after?: string) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const told: ReceivedEvent[] = []
  const { promise: opened, resolve, reject } = Promise.withResolvers<string>()
  const ended = (async () => {
    try {
      const options = { signal: stop.signal, onOpen: resolve, ...(after !== undefined && { after }) }
      for await (const one of liveEvents(url, token, options)) {
        resolve(one.id)
        told.push(one)
      }
    } catch (error) {
      if (!stop.signal.aborted) reject(error)
    }
  })()
  const id = await opened
  const saw = (type: string, data: object) =>
    eventually(() => {
      const found = told.find((one) => one.event.type === type)
      expect(told.map(({ event }) => event)).toContainEqual({ type, data: expect.objectContaining(data) })
      return found
    })
  return { told, id, saw, stop: () => stop.abort(), ended }
}

describe('events', () => {
  test('report calls, approvals, trust and tools as they happen, from any process', async () => {
    const price = countedTool('shop.price')
    const refund = destructiveTool('shop.refund')
    const { server, ledger, file } = await serve([price, refund])
    await trust(ledger, refund)
    const api = await serveOperatorApi({ server, ledger })
    const { saw, told } = await listen(api)
    await post(`${api.origin}/call`, { tool_name: 'shop.price', arguments: { n: 1 } })
    await saw('call', { tool: 'shop.price', outcome: 'success', transport: 'http' })
    expect(JSON.stringify(told)).not.toContain('args"')
    const refused = await call(server, 'shop.refund')
    const id = refused.error?.error_details.approval
    await saw('approval', { id, status: 'waiting' })
    // By another process, on the same ledger.
    const elsewhere = await file.open()
    await elsewhere.approvals.approve(id, 'eve')
    await saw('approval', { id, status: 'approved', decided_by: 'eve' })
    await call(server, 'shop.refund')
    await saw('approval', { id, status: 'used' })
    const { name: tool, version, hash } = price.tool
    await elsewhere.trust.set({ tool, version, hash }, 'untrusted', 'eve')
    await saw('trust', { kind: 'decision', tool, level: 'untrusted', by: 'eve' })
    await elsewhere.grants.give({ tool, version, hash }, 'eve')
    await saw('trust', { kind: 'grant', tool, by: 'eve' })
    await elsewhere.grants.revoke(tool, 'eve')
    await saw('trust', { kind: 'revocation', tool })
    const added = countedTool('shop.new')
    server.registry.register(added.tool)
    server.registry.unregister('shop.price')
    await saw('tools', { count: 2, added: ['shop.new'], removed: ['shop.price'], changed: [] })
    await saw('trust', { kind: 'definition', tool: 'shop.new', hash: added.tool.hash })
    // Nothing is reported twice.
    expect(new Set(told.map((one) => one.id)).size).toBe(told.length)
    expect(told.filter(({ event }) => event.type === 'approval')).toHaveLength(3)
  })

  test('a reader that reconnects gets the missed events, or a reset', async () => {
    const price = countedTool('shop.price')
    const { server, ledger } = await serve([price])
    const api = await serveOperatorApi({ server, ledger })
    const first = await listen(api)
    await call(server, 'shop.price', { n: 1 })
    const seen = await first.saw('call', { tool: 'shop.price' })
    first.stop()
    await first.ended
    await call(server, 'shop.price', { n: 2 })
    await call(server, 'shop.price', { n: 3 })
    const second = await listen(api, seen?.id)
    await eventually(() => expect(second.told.filter(({ event }) => event.type === 'call')).toHaveLength(2))
    expect(second.told.map(({ id }) => id)).not.toContain(seen?.id)
    for (const id of ['0123456789ab.7', 'rubbish', `${seen?.id}9999`]) {
      const lost = await listen(api, id)
      await lost.saw('reset', {})
    }
  })

  test('a stream ends with the server, and does not hold it up', async () => {
    const { server, ledger } = await serve([countedTool('shop.price')])
    const api = await serveOperatorApi({ server, ledger })
    const { ended } = await listen(api)
    server.close()
    await ended
  })

  test('a reader that reads nothing is let go, and what is kept stays small', async () => {
    const log = new EventLog()
    const reader = log.stream().getReader()
    const reason = 'x'.repeat(10_000)
    for (let count = 0; count < 1000; count++) log.publish({ type: 'reset', data: { reason } })
    expect(log.readers).toBe(0)
    let bytes = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      bytes += value.length
    }
    expect(bytes).toBeGreaterThan(4 * 1024 * 1024)
    expect(bytes).toBeLessThan(5 * 1024 * 1024)
  })
})

test('a server behind the host is listed, stopped and started, and its changes are reported', async () => {
  const folder = folderOfOwn()
  writeFileSync(join(folder, 'shape.json'), '{}')
  const file = fixturePath('host/scripted-upstream.mjs')
  const { ledger } = await serve([])
  const host = await openHost({
    ledger,
    settings: [
      {
        name: 'far',
        endpoint: {
          where: 'child',
          command: process.execPath,
          args: [file, 'legacy'],
          env: { FOLDER: folder },
          cwd: folder,
        },
        ...{
          start: 'eager',
          idleMs: 0,
          openMs: 20_000,
          timeoutMs: 10_000,
          healthMs: 0,
          hungMs: 5000,
          trust: 'verified',
        },
        ...{ tools: [], roots: [], instructions: false, secrets: [], digest: '1' },
      },
    ],
  })
  onTestFinished(() => host.close())
  const api = await serveOperatorApi({ server: host.server, ledger, host })
  const before = (await api.get('/api/servers')).json.servers
  expect(before).toMatchObject([{ name: 'far', state: 'ready', where: 'child', era: 'legacy' }])
  expect((await api.get('/api/tools?server=far')).json.tools).toContainEqual(
    expect.objectContaining({ name: 'far.echo' }),
  )
  const { saw } = await listen(api)
  expect((await api.post('/api/servers/far/stop')).json).toMatchObject({ state: 'stopped', pid: null })
  await saw('server', { name: 'far', state: 'stopped' })
  expect((await api.post('/api/servers/far/start')).json).toMatchObject({ state: 'ready' })
  await saw('server', { name: 'far', state: 'ready' })
  const again = (await api.post('/api/servers/far/restart')).json
  expect(again.state).toBe('ready')
  expect(again.pid).not.toBe(before[0].pid)
  expect(await api.post('/api/servers/far/refresh')).toMatchObject({ status: 200 })
  expect((await api.get('/api/servers/far')).json).toMatchObject({ name: 'far', state: 'ready' })
  expect((await api.get('/api/host')).json).toMatchObject({ servers: { total: 1, ready: 1 } })
  expect(await api.post('/api/servers/fra/restart')).toMatchObject({
    status: 404,
    json: { error_message: 'Unknown server "fra". Did you mean far?' },
  })
})

test('the address and token of the API are in a file that only its owner can read, until the host ends', async () => {
  const folder = join(folderOfOwn(), '.myrmex', 'host')
  expect(await readApiFile(folder)).toBeUndefined()
  const content = { url: 'http://127.0.0.1:7350/api', token: 't'.repeat(43), pid: process.pid }
  const forget = await writeApiFile(folder, content)
  expect(await readApiFile(folder)).toEqual(content)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'api.json')).mode & 0o777).toBe(0o600)
  // Another host took the place: it is that one's now.
  const other = await writeApiFile(folder, { ...content, token: 'u'.repeat(43) })
  await forget()
  expect((await readApiFile(folder))?.token).toBe('u'.repeat(43))
  await other()
  expect(await readApiFile(folder)).toBeUndefined()
  for (const rubbish of ['', '{', '[]', '{"url":"file:///etc/passwd","token":"x","pid":1}']) {
    writeFileSync(join(folder, 'api.json'), rubbish)
    expect(await readApiFile(folder), rubbish).toBeUndefined()
  }
})
