/** GET /metrics as a scraper sees it: every line valid, every number what was really called. */

import { openSession, post } from '@myrmex/testing/http-server'
import { add, behaveTool, waitTool } from '@myrmex/testing/sample-tools'
import { createServer, listenHttp, type Server } from 'myrmex'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const { tool: waiting, seen } = waitTool()
let server: Server
let origin: string
let close: () => Promise<void>
beforeAll(async () => {
  server = createServer({ name: 'm', version: '1.0.0', tools: [add, behaveTool, waiting], observe: () => {} })
  const listening = await listenHttp(server)
  origin = `http://127.0.0.1:${listening.port}`
  close = listening.close
})
afterAll(() => close())

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[+-]?Inf|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

/** Reads the text format strictly: a line that is none fails the test. */
function parse(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true)
  const typed = new Set<string>()
  const samples: Sample[] = []
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line)
    if (comment !== null) {
      if (comment[1] === 'TYPE') {
        expect(typed, line).not.toContain(comment[2])
        typed.add(comment[2] as string)
      }
      continue
    }
    const found = LINE.exec(line)
    expect(found, line).not.toBeNull()
    const [, name = '', written = '', value] = found as RegExpExecArray
    expect(typed.has(name) || typed.has(name.replace(/_(bucket|sum|count)$/, '')), line).toBe(true)
    samples.push({ name, labels: labelsIn(written), value: Number(String(value).replace('Inf', 'Infinity')) })
  }
  return samples
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (LABEL.lastIndex = 0; LABEL.lastIndex < text.length; ) {
    const found = LABEL.exec(text)
    expect(found, text).not.toBeNull()
    const [, name = '', value = ''] = found as RegExpExecArray
    labels[name] = value
  }
  return labels
}

async function scrape(): Promise<Sample[]> {
  const response = await fetch(`${origin}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return parse(await response.text())
}

const metric = (samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined =>
  samples.find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    ?.value

const call = (tool_name: string, args: object) => post(`${origin}/call`, { tool_name, arguments: args })

test('the numbers are those of the calls that were made', async () => {
  for (let n = 0; n < 5; n++) await call('math.add', { a: n, b: 1 })
  for (const how of ['success', 'declared', 'declared', 'partial', 'what?']) await call('test.behave', { how })
  await call('no.such_tool', {})
  await call('no.other_tool', {})
  const samples = await scrape()
  const calls = samples.filter(({ name }) => name === 'myrmex_calls_total')
  expect(calls.map(({ labels, value }) => [...Object.values(labels), value])).toEqual([
    ['math.add', '1.0.0', 'success', '', 5],
    ['test.behave', '1.0.0', 'success', '', 1],
    ['test.behave', '1.0.0', 'failure', 'FullError', 2],
    ['test.behave', '1.0.0', 'partial_success', '', 1],
    ['test.behave', '1.0.0', 'failure', 'SchemaError', 1],
    ['unknown', '', 'failure', 'ToolNotFoundError', 2],
  ])
  expect(Object.keys(calls[0]?.labels ?? {})).toEqual(['tool', 'version', 'outcome', 'error_type'])
  expect(metric(samples, 'myrmex_http_requests_total')).toBe(13)
  expect(metric(samples, 'myrmex_http_refused_total')).toBe(0)
  expect(metric(samples, 'myrmex_build_info', { version: '0.1.0', node: process.version })).toBe(1)
  expect(metric(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test('buckets grow from bound to bound and end with all calls', async () => {
  await call('math.add', { a: 1, b: 1 })
  const samples = await scrape()
  for (const tool of ['math.add', 'test.behave', 'unknown']) {
    const of = (name: string) => samples.filter((one) => one.name === name && one.labels.tool === tool)
    const buckets = of('myrmex_call_duration_seconds_bucket')
    const bounds = buckets.map(({ labels }) => Number(String(labels.le).replace('+Inf', 'Infinity')))
    expect(bounds).toEqual([...bounds].sort((a, b) => a - b))
    expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY)
    const counts = buckets.map(({ value }) => value)
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    const total = of('myrmex_calls_total').reduce((sum, { value }) => sum + value, 0)
    expect(total).toBeGreaterThan(0)
    expect(counts.at(-1)).toBe(total)
    expect(of('myrmex_call_duration_seconds_count')[0]?.value).toBe(total)
    expect(of('myrmex_call_duration_seconds_sum')[0]?.value).toBeGreaterThanOrEqual(0)
  }
})

test('sessions, and what others register, are there too', async () => {
  await openSession(`${origin}/mcp`)
  server.measures.counter('myrmex_test_total', 'Odd "help" with \\ and\nbreak.').inc(3)
  const forget = server.measures.gauge('myrmex_test_level', 'A level.', () => 1.5)
  const samples = await scrape()
  expect(metric(samples, 'myrmex_http_sessions')).toBe(1)
  expect(metric(samples, 'myrmex_test_total')).toBe(3)
  expect(metric(samples, 'myrmex_test_level')).toBe(1.5)
  forget()
  expect(metric(await scrape(), 'myrmex_test_level')).toBeUndefined()
})

test('a call that waits is in flight until it ends', async () => {
  expect(metric(await scrape(), 'myrmex_calls_in_flight')).toBe(0)
  const stop = new AbortController()
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'test.wait',
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'test.wait', _meta } })
  const gone = fetch(`${origin}/mcp`, { method: 'POST', headers, body, signal: stop.signal }).catch(() => {})
  await vi.waitFor(() => expect(seen.started).toBe(1))
  expect(metric(await scrape(), 'myrmex_calls_in_flight')).toBe(1)
  stop.abort()
  await gone
  await vi.waitFor(async () => expect(metric(await scrape(), 'myrmex_calls_in_flight')).toBe(0))
})

test('it is read only, and needs the token where one is set', async () => {
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${origin}/metrics`, { method: 'HEAD' })).status).toBe(200)
  const guarded = createServer({ name: 'g', version: '1.0.0', tools: [add] })
  const own = await listenHttp(guarded, { token: 's3cret' })
  try {
    const url = `http://127.0.0.1:${own.port}/metrics`
    expect((await fetch(url)).status).toBe(401)
    const let_in = await fetch(url, { headers: { authorization: 'Bearer s3cret' } })
    expect(metric(parse(await let_in.text()), 'myrmex_http_refused_total')).toBe(1)
  } finally {
    await own.close()
  }
})
