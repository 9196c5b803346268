import { DatabaseSync } from 'node:sqlite'
import { definitionOf } from '@myrmex/testing/gated-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { openSession, post, postModern } from '@myrmex/testing/http-server'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { callTool, connectDirect, createServer, listenHttp, tool } from 'myrmex'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { approvalJson } from '../decisions/approval-view.ts'
import { verifyLedger } from '../journal/verify.ts'
import type { Ledger } from '../ledger.ts'
import { openSqliteIndex } from '../sqlite/db.ts'
import { type CallRecord, expandRecord, renderRecord } from './call-record.ts'
import type { RecordedClient } from './recorded-client.ts'

const definition = (name: string, destructive: boolean) =>
  tool({
    name,
    version: '1.0.0',
    description: 'Returns its input.',
    input: { type: 'object' },
    output: { type: 'object' },
    errors: {},
    idempotent: !destructive,
    destructive,
    security: 'None.',
    examples: [],
    run: (input) => ({ ...(input as object) }),
  })
const [echo, pay] = [definition('x.echo', false), definition('x.pay', true)]

describe.each(ENGINES)('the client of a call on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return () => store.remove()
  })
  const records = async (filter: object = {}) => {
    await ledger.journal.flush()
    return Array.fromAsync(ledger.index.search({ order: 'oldest', ...filter }))
  }

  test('is in the record and in the approval, with its session, of either era, and is searched by', async () => {
    const server = createServer({ name: 'x', version: '1.0.0', tools: [echo, pay], ledger })
    await ledger.trust.set(definitionOf(pay), 'trusted', 'ada')
    const old = await rawClient(server, { era: 'legacy' })
    const modern = await rawClient(server, { era: 'modern' })
    const call = { name: 'x.echo', arguments: {} }
    await old.request('tools/call', call)
    await modern.request('tools/call', call)
    await old.request('tools/call', call)
    await callTool(server, { tool_name: 'x.echo', arguments: {} })
    await old.request('tools/call', { name: 'x.pay', arguments: {} })
    const all = await records()
    const [first, second, third] = all
    expect(first).toMatchObject({ client: 'raw', client_version: '1', session: expect.stringMatching(/^[\w-]{12}$/) })
    expect(third?.session).toBe(first?.session)
    expect(second).toMatchObject({ client: 'raw', client_version: '1' })
    expect(second?.session).not.toBe(first?.session)
    const [approval] = await ledger.approvals.list()
    expect(approvalJson(approval as never).client).toEqual({ name: 'raw', version: '1', session: first?.session })
    expect((await records({ client: 'raw' })).length).toBe(4)
    expect(await records({ client: 'another' })).toEqual([])
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true })
  })

  test('hostile names are cut and shown whole; no credential is recorded', async () => {
    const server = createServer({ name: 'x', version: '1.0.0', tools: [echo], ledger })
    const info = { name: `a\u202eb\u0007\n ${'x'.repeat(5000)}`, version: { toString: 'no' } }
    const connection = connectDirect(server)
    await connection.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
    })
    await connection.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x.echo', arguments: {} } })
    const record = (await records()).at(-1)
    expect(record?.client?.length).toBeLessThanOrEqual(200)
    expect(record?.client).toMatch(/^a.{1,12}b/)
    expect(record?.client).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(record).not.toHaveProperty('client_version')
    const listener = await listenHttp(server)
    onTestFinished(() => listener.close())
    const headers = await openSession(listener.url)
    const params = { name: 'x.echo', arguments: {} }
    await post(listener.url, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, headers)
    const handle = 'a-handle-that-is-a-secret-of-its-client'
    await postModern(listener.url, 'tools/call', params, {}, { 'myrmex/session': handle })
    const [legacy, modern] = (await records()).slice(-2)
    expect([legacy?.session, modern?.session]).toEqual([expect.any(String), expect.any(String)])
    const text = JSON.stringify(await records())
    expect(text).not.toContain(headers['mcp-session-id'])
    expect(text).not.toContain(handle)
  })
})

test('records without a client, before and after others, are read as they were', () => {
  const [ann, bob]: RecordedClient[] = [
    { name: 'ann', version: '1', session: 's1' },
    { name: 'bob', version: null, session: null },
  ]
  const line = (client_record: RecordedClient | null | undefined): CallRecord => ({
    call_id: 'c',
    time: 1,
    principal: 'p',
    transport: 'stdio',
    client_record: client_record as RecordedClient,
    tool: 't',
    version: '1.0.0',
    outcome: 'success',
    error_type: null,
    duration_ms: 0,
    run: null,
    step: null,
    approval: null,
    repeat_of: null,
    args: {},
    args_hash: null,
    data: {},
    error: null,
  })
  const given = [undefined, ann, ann, null, bob, ann, bob]
  const lines = given.map(line)
  const texts = lines.map((one, index) => renderRecord(one, lines[index - 1]))
  // As an earlier version wrote it.
  expect(texts[0]).not.toContain('client')
  let before: object | undefined
  const read = texts.map((text) => {
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(text)).toSorted())
    before = expandRecord<object>(JSON.parse(text), before)
    const { client = null, client_version = null, session = null } = before as Record<string, string | null>
    return { name: client, version: client_version, session }
  })
  const none = { name: null, version: null, session: null }
  expect(read).toEqual(given.map((client) => client ?? none))
})

test('an index of an earlier version gets the column', async () => {
  const store = await freshStore('sqlite')
  onTestFinished(() => store.remove())
  const path = `${store.folder}/index.db`
  await openSqliteIndex(path).close()
  const database = new DatabaseSync(path)
  database.exec('DROP INDEX journal_records_client; ALTER TABLE journal_records DROP COLUMN client')
  database.close()
  const again = openSqliteIndex(path)
  expect(await again.query('SELECT client FROM journal_records')).toEqual([])
  await again.close()
})
