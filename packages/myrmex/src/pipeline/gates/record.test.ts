import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import {
  call,
  countedTool,
  destructiveTool,
  eventually,
  type GatedServer,
  grant,
  latch,
  serve,
  stopWriting,
  writeAgain,
} from '@myrmex/testing/gated-server'
import { openSession, post, postModern } from '@myrmex/testing/http-server'
import { legacyPeer, modernMeta, modernPeer } from '@myrmex/testing/mcp-peer'
import { add, behaveTool, echo } from '@myrmex/testing/sample-tools'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CallRecord } from '../../ledger/audit/call-record.ts'
import { segmentName, segmentOfName } from '../../ledger/journal/segment.ts'
import { verifyLedger } from '../../ledger/journal/verify.ts'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { connectDirect } from '../../transport/direct.ts'
import { listenHttp } from '../../transport/listen-http.ts'
import { serveStdio } from '../../transport/stdio.ts'
import { MemoryRecorder } from '../audit/memory-recorder.ts'
import { Pipeline } from '../pipeline.ts'

const caller = plainCaller('http', LOCAL)

test('one line a call, whatever came of it', async () => {
  const recorder = new MemoryRecorder()
  const pipeline = new Pipeline(new Registry([add, echo, behaveTool]), { recorder, observe: () => {} })
  await pipeline.call(caller, 'math.add', { a: 1, b: 2 })
  await pipeline.call(caller, 'math.add', { a: 1 })
  await pipeline.call(caller, 'text.echo', { text: 'x' }, { 'myrmex/context': { run: 'r1', step: 's2' } })
  await pipeline.call(caller, 'test.behave', { how: 'throw' })
  expect(recorder.records()).toMatchObject([
    { tool: 'math.add', version: '1.0.0', outcome: 'success', error_type: null, transport: 'http', principal: 'local' },
    { tool: 'math.add', outcome: 'failure', error_type: 'SchemaError' },
    { tool: 'text.echo', outcome: 'success', run: 'r1', step: 's2' },
    { tool: 'test.behave', outcome: 'failure', error_type: 'ToolExecutionError' },
  ])
  for (const line of recorder.records()) expect(line.duration_ms).toBeGreaterThanOrEqual(0)
})

test('the answer waits until the line is kept', async () => {
  let keep: () => void = () => {}
  const lines: CallRecord[] = []
  const recorder = {
    record: (line: CallRecord) => new Promise<void>((done) => (keep = () => done(void lines.push(line)))),
  }
  const answered = Promise.resolve(
    new Pipeline(new Registry([add]), { recorder }).call(caller, 'math.add', { a: 1, b: 2 }),
  )
  let early = true
  answered.then(() => {
    early = lines.length === 0
  })
  await new Promise(setImmediate)
  keep()
  expect(await answered).toMatchObject({ status: 'success' })
  expect(early).toBe(false)
})

test.each([
  [
    'throws',
    () => {
      throw new Error('disk full')
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk full'))],
])('a call that cannot be recorded fails, when the recorder %s', async (_how, record) => {
  const ended = await new Pipeline(new Registry([add]), { recorder: { record } }).call(caller, 'math.add', {
    a: 1,
    b: 2,
  })
  expect(ended).toMatchObject({ status: 'failure', data: null, error: { error_type: 'UnavailableError' } })
})

test('memory keeps the newest lines only', async () => {
  const recorder = new MemoryRecorder(3)
  const pipeline = new Pipeline(new Registry([add]), { recorder })
  for (let i = 0; i < 5; i++)
    await pipeline.call(caller, 'math.add', { a: i, b: 0 }, { 'myrmex/context': { run: `${i}` } })
  expect(recorder.count).toBe(5)
  expect(recorder.records().map(({ run }) => run)).toEqual(['2', '3', '4'])
})

const UNAVAILABLE = { status: 'failure', data: null, error: { error_type: 'UnavailableError' } }
const verified = async ({ ledger }: GatedServer) => {
  await ledger.journal.flush()
  return verifyLedger(ledger, { key: ledger.key })
}

describe('a ledger that cannot write', () => {
  /** Where this server's next segment will be. */
  const nextSegment = ({ file }: GatedServer): string => {
    const newest = segmentOfName(readdirSync(file.journal).sort().at(-1) ?? '')
    if (newest === undefined) throw new Error('there is no segment yet')
    return join(file.journal, segmentName({ ...newest, number: newest.number + 1 }))
  }

  /** Each makes a real write fail, and repairs it. The first two do so before the chain begins, the third in the middle of it. */
  const faults = {
    'is read-only': {
      fail: ({ ledger }) => stopWriting(ledger),
      repair: ({ ledger }) => writeAgain(ledger),
    },
    'has a file in the place of its journal': {
      fail({ file }) {
        renameSync(file.journal, `${file.journal}.away`)
        writeFileSync(file.journal, '')
      },
      repair({ file }) {
        rmSync(file.journal)
        renameSync(`${file.journal}.away`, file.journal)
      },
    },
    'cannot begin its next segment': {
      // Every group is a segment, so that the next one is where it is known to be.
      segments: { segmentBytes: 1 },
      fail: (served) => mkdirSync(nextSegment(served)),
      repair: (served) => rmdirSync(join(served.file.journal, readdirSync(served.file.journal).sort().at(-1) ?? '')),
    },
  } satisfies Record<string, { segments?: object } & Record<'fail' | 'repair', (served: GatedServer) => void>>

  test.each(Object.entries(faults))(
    'because it %s: nothing starts, and what had run is written when it can be',
    async (_name, { fail, repair, ...options }) => {
      const look = countedTool('shop.look')
      const refund = destructiveTool('shop.refund')
      const before = await serve([look, refund])
      const { file } = before
      await grant(before.ledger, refund)
      expect(await call(before.server, 'shop.look', { n: 0 })).toMatchObject({ status: 'success' })
      await before.ledger.close()
      const served = await serve([look, refund], { file, ...options })
      const { server } = served
      const isBegun = 'segments' in options
      if (isBegun) expect(await call(server, 'shop.look', { n: 0 })).toMatchObject({ status: 'success' })
      // A signature would be the next group.
      if (isBegun) await served.ledger.journal.flush()
      fail(served)
      // Nobody knows yet: this one runs, and is not told what came of it.
      const ran = await call(server, 'shop.look', { n: 1 })
      expect(ran).toMatchObject(UNAVAILABLE)
      expect(ran.error?.error_message).toMatch(/ran but could not be recorded/)
      for (const name of ['shop.look', 'shop.refund', 'shop.look']) {
        const refused = await call(server, name, { n: 2 })
        expect(refused).toMatchObject(UNAVAILABLE)
        expect(refused.error?.error_message).toMatch(/not started/)
        expect(refused.error?.error_details.retry_after_ms).toBeGreaterThan(0)
      }
      const expected = isBegun ? [0, 0, 1] : [0, 1]
      expect([look.ran.map(({ n }) => n), refund.ran]).toEqual([expected, []])
      repair(served)
      await eventually(async () =>
        expect(await call(server, 'shop.refund', { n: 3 })).toMatchObject({ status: 'success' }),
      )
      expect(file.lines().map(({ tool, args, outcome }) => [tool, (args as { n: number }).n, outcome])).toEqual([
        ...expected.map((n) => ['shop.look', n, 'success']),
        ['shop.refund', 3, 'success'],
      ])
      expect(await verified(served)).toMatchObject({ ok: true, records: expected.length + 1 })
    },
  )

  test('by way of another connection that holds the lock: the same', async () => {
    const look = countedTool('shop.look')
    const served = await serve([look])
    const { server, file, ledger } = served
    const other = await file.open()
    other.db.query('BEGIN IMMEDIATE')
    expect(await call(server, 'shop.look', { n: 1 })).toMatchObject(UNAVAILABLE)
    expect(await call(server, 'shop.look', { n: 2 })).toMatchObject(UNAVAILABLE)
    expect(look.ran).toEqual([{ n: 1 }])
    other.db.query('ROLLBACK')
    await eventually(async () => expect(await call(server, 'shop.look', { n: 3 })).toMatchObject({ status: 'success' }))
    expect(file.lines().map(({ args }) => args)).toEqual([{ n: 1 }, { n: 3 }])
    expect(ledger.closed).toBe(false)
    expect(await verified(served)).toMatchObject({ ok: true })
  })

  test('tells every way in the same: direct, batch, custom method, HTTP', async () => {
    const look = countedTool('shop.look')
    const { server, ledger } = await serve([look], {
      methods: { 'agent/act': async (_params, ctx) => ({ ...(await ctx.call('shop.look', {})) }) },
    })
    const listening = await listenHttp(server)
    stopWriting(ledger)
    await call(server, 'shop.look', {})
    const peer = await legacyPeer(server)
    const act = { jsonrpc: '2.0', id: 1, method: 'agent/act', params: { _meta: modernMeta() } }
    const acted = (await connectDirect(server).send(act)) as { error: { data: object } }
    const failed = { error: { error_type: 'UnavailableError' } }
    const results = [
      { error: acted.error.data },
      ...(await peer.request('myrmex/batch', { calls: [{ name: 'look', arguments: {} }] })).result.results,
      (await post(`http://127.0.0.1:${listening.port}/call`, { tool_name: 'shop.look', arguments: {} })).json,
      {
        error: (await postModern(listening.url, 'tools/call', { name: 'look', arguments: {} })).json.result
          .structuredContent,
      },
    ]
    for (const result of results) expect(result).toMatchObject(failed)
    expect(look.ran).toHaveLength(1)
    writeAgain(ledger)
    await listening.close()
  })

  test('fails an unknown tool as unavailable too, since nobody can write down who asked', async () => {
    const { server, ledger } = await serve([countedTool('shop.look')])
    stopWriting(ledger)
    await call(server, 'shop.look')
    expect(await call(server, 'shop.nothing')).toMatchObject(UNAVAILABLE)
    writeAgain(ledger)
  })

  test('loses no line of many calls that were under way when it broke', async () => {
    const { open, opened } = latch()
    const look = countedTool('shop.look', { run: () => opened.then(() => ({})) })
    const served = await serve([look])
    const { server, ledger, file } = served
    const calls = Array.from({ length: 50 }, (_, n) => call(server, 'shop.look', { n }))
    await eventually(() => expect(look.ran).toHaveLength(50))
    stopWriting(ledger)
    open()
    for (const ended of await Promise.all(calls)) expect(ended).toMatchObject(UNAVAILABLE)
    writeAgain(ledger)
    await eventually(async () =>
      expect(await call(server, 'shop.look', { n: 50 })).toMatchObject({ status: 'success' }),
    )
    const written = file.lines().map(({ args }) => (args as { n: number }).n)
    expect(written.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 51 }, (_, n) => n))
    expect(await verified(served)).toMatchObject({ ok: true })
  })
})

describe('no answer is seen before its line is durable', () => {
  afterEach(() => vi.restoreAllMocks())
  /** Call ids in what leaves. */
  const idsIn = (text: string): string[] =>
    [...text.matchAll(/call_id\\?":\\?"([^"\\]+)/g)].map(([, id]) => id as string)
  const slow = () => countedTool('shop.slow', { run: () => new Promise((resolve) => setTimeout(resolve, 1, {})) })

  test('on a direct connection, at once or later', async () => {
    const look = countedTool('shop.look')
    const { server, file } = await serve([look, slow()])
    const connection = connectDirect(server)
    const idOf = (reply: unknown): string =>
      (reply as { result: { _meta: { 'myrmex/result': { call_id: string } } } }).result._meta['myrmex/result'].call_id
    for (let id = 1; id <= 20; id++) {
      const request = {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'look', arguments: {}, _meta: modernMeta() },
      }
      const reply = connection.send(request)
      const known = file.lines().map(({ call_id }) => call_id)
      // In the same turn of the event loop: nothing can have been written in between.
      if (!(reply instanceof Promise)) expect(known).toContain(idOf(reply))
      const late = await connection.send({ ...request, id: id + 100, params: { ...request.params, name: 'slow' } })
      expect(file.lines().map(({ call_id }) => call_id)).toContain(idOf(late))
    }
  })

  test('on stdio, however many calls come in one chunk', async () => {
    const { server, file } = await serve([countedTool('shop.look'), slow()])
    const input = new PassThrough()
    const answered: string[] = []
    const output = new Writable({
      write(chunk, _encoding, done) {
        // This is the moment the answers leave.
        const known = new Set(file.lines().map(({ call_id }) => call_id))
        for (const id of idsIn(String(chunk))) {
          expect(known.has(id), id).toBe(true)
          answered.push(id)
        }
        done()
      },
    })
    const { done } = serveStdio(server, { input, output })
    const request = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: id % 2 === 0 ? 'look' : 'slow', arguments: { n: id }, _meta: modernMeta() },
    })
    for (let chunk = 0; chunk < 5; chunk++) {
      const many = Array.from({ length: 40 }, (_, n) => `${JSON.stringify(request(chunk * 40 + n))}\n`).join('')
      input.write(many)
      await new Promise(setImmediate)
    }
    input.end()
    await done
    expect(new Set(answered).size).toBe(200)
    expect(file.lines()).toHaveLength(200)
  })

  test('on HTTP: modern, legacy, /call and /batch', async () => {
    const { server, file } = await serve([countedTool('shop.look'), slow()])
    const listening = await listenHttp(server)
    const left: string[] = []
    const unsafe: string[] = []
    const write = Socket.prototype.write
    vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...given: Parameters<typeof write>) {
      const ids = this.localPort === listening.port ? idsIn(String(given[0])) : []
      const known = ids.length > 0 ? new Set(file.lines().map(({ call_id }) => call_id)) : new Set()
      for (const id of ids) (known.has(id) ? left : unsafe).push(id)
      return write.apply(this, given)
    } as typeof write)
    const session = await openSession(listening.url)
    const origin = `http://127.0.0.1:${listening.port}`
    const legacyCall = (name: string, id: number) =>
      post(listening.url, { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }, session)
    const names = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'look' : 'slow'))
    await Promise.all([
      ...names.map((name) => postModern(listening.url, 'tools/call', { name, arguments: {} })),
      ...names.map((name, n) => legacyCall(name, n + 1)),
    ])
    expect(unsafe).toEqual([])
    expect(new Set(left).size).toBe(40)
    // A ToolResult has no id: here it is the number of lines that must be there.
    for (const name of names) {
      const before = file.lines().length
      let seen = -1
      vi.spyOn(Socket.prototype, 'write').mockImplementation(function (
        this: Socket,
        ...given: Parameters<typeof write>
      ) {
        if (this.localPort === listening.port && seen < 0) seen = file.lines().length
        return write.apply(this, given)
      } as typeof write)
      await post(`${origin}/call`, { tool_name: `shop.${name}`, arguments: {} })
      expect(seen).toBe(before + 1)
      seen = -1
      await post(`${origin}/batch`, { calls: names.map((one) => ({ tool_name: `shop.${one}`, arguments: {} })) })
      expect(seen).toBe(before + 21)
    }
    vi.restoreAllMocks()
    await listening.close()
  })
})

describe('a clock that is set back', () => {
  afterEach(() => vi.useRealTimers())
  const HOUR = 3_600_000

  test('breaks nothing: durations, the chain, limits, trust', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 6, 1) })
    const back = () => vi.setSystemTime(Date.now() - HOUR)
    const odd = countedTool('shop.odd', {
      run: async () => {
        back()
        await new Promise(setImmediate)
        return {}
      },
    })
    const few = countedTool('shop.few', { limit: { calls: 2, per_ms: 1000 } })
    const refund = destructiveTool('shop.refund')
    const served = await serve([odd, few, refund])
    const { server, ledger, file } = served
    await grant(ledger, refund)
    for (let n = 0; n < 3; n++) {
      expect(await call(server, 'shop.odd')).toMatchObject({ status: 'success' })
      expect(await call(server, 'shop.refund')).toMatchObject({ status: 'success' })
    }
    expect([await call(server, 'shop.few'), await call(server, 'shop.few')]).toMatchObject([
      { status: 'success' },
      { status: 'success' },
    ])
    back()
    const refused = await call(server, 'shop.few')
    expect(refused).toMatchObject({ error: { error_type: 'ApiLimitExceeded' } })
    vi.setSystemTime(Date.now() + refused.error?.error_details.retry_after_ms)
    expect(await call(server, 'shop.few')).toMatchObject({ status: 'success' })
    await ledger.trust.set({ tool: 'shop.refund', version: '1.0.0', hash: refund.tool.hash }, 'untrusted', 'ada')
    back()
    expect(await call(server, 'shop.refund')).toMatchObject({ error: { error_type: 'PermissionError' } })
    expect(await call(server, 'shop.odd', {}, { key: 'k' })).toMatchObject({ status: 'success' })
    expect(await call(server, 'shop.odd', {}, { key: 'k' })).toMatchObject({ status: 'success' })
    const lines = file.lines()
    for (const { duration_ms } of lines) expect(duration_ms).toBeGreaterThanOrEqual(0)
    expect(lines.some(({ time }, at) => at > 0 && time < (lines[at - 1]?.time ?? 0))).toBe(true)
    expect(await verified(served)).toMatchObject({ ok: true, records: lines.length, unsigned_records: 0 })
  })

  test('does not keep trust that another process has taken back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const look = countedTool('shop.look')
    const { server, file } = await serve([look])
    expect(await call(server, 'shop.look')).toMatchObject({ status: 'success' })
    const elsewhere = await file.open()
    await elsewhere.trust.set({ tool: 'shop.look', version: '1.0.0', hash: look.tool.hash }, 'untrusted', 'ada')
    vi.setSystemTime(Date.now() - HOUR)
    expect(await call(server, 'shop.look')).toMatchObject({ error: { error_type: 'PermissionError' } })
  })
})

test('calls of unknown tools are recorded, however they are made', async () => {
  const { server, file } = await serve([countedTool('shop.look')])
  const old = await legacyPeer(server)
  const now = modernPeer(server)
  for (const peer of [old, now]) {
    expect(await peer.request('tools/call', { name: 'shop.nothing', arguments: { n: 1 } })).toMatchObject({
      error: { code: -32602, data: { error_type: 'ToolNotFoundError' } },
    })
  }
  await old.request('tools/call', { name: 'shop.look', _meta: { 'myrmex/version': '^9' } })
  await old.request('tools/call', { name: 'x'.repeat(5000) })
  expect(file.lines()).toMatchObject([
    { tool: 'shop.nothing', version: null, outcome: 'failure', error_type: 'ToolNotFoundError' },
    { tool: 'shop.nothing', version: null, outcome: 'failure', error_type: 'ToolNotFoundError' },
    { tool: 'shop.look', version: null, outcome: 'failure', error_type: 'ToolNotFoundError' },
    { tool: 'x'.repeat(200), version: null, outcome: 'failure' },
  ])
})
