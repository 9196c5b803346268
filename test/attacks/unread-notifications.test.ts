/**
 * Attacker: a remote caller
 * Attack: does not read what comes back, while a tool or an upstream floods it with progress, logs and results.
 * Stopped by: every queue towards a peer is bounded. Only the latest progress is kept, no further requests are read, and a peer
 * that does not read is dropped with a reason.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from '@myrmex/testing/http-server'
import { LONG, longTest } from '@myrmex/testing/long'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { residentMegabytes, type ServedProcess, serveProcess } from '@myrmex/testing/served-process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startHost } from '../host/host-process.ts'

const TOOLS = fixturePath('attacked-tools.ts')
const FLOOD_MS = LONG ? 4000 : 800
const MAX_GROWTH_MB = 150
/** Memory that a process may keep until its next collection does not count. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=400 --max-semi-space-size=8' }
const META = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }

const callOf = (name: string, args: object, meta: object = META, id: number | string = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta } })

/** A POST on a socket of its own, of which nothing is read. */
function postUnread({ origin }: { origin: string }, body: string, headers: Record<string, string>): Socket {
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => {})
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  onTestFinished(() => void socket.destroy())
  return socket
}

const MODERN_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
const modernCall = (name: string, args: object, id = 1): [string, Record<string, string>] => [
  callOf(name, args, modernMeta({}, META), id),
  { ...MODERN_HEADERS, 'mcp-name': name },
]

/** The most memory above what it had, while something goes on. */
async function growth(pid: number, ms: number): Promise<number> {
  const before = residentMegabytes(pid)
  let most = before
  for (const end = performance.now() + ms; performance.now() < end; ) {
    most = Math.max(most, residentMegabytes(pid))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return most - before
}

const text = (socket: Socket, until: RegExp): Promise<string> =>
  new Promise((resolve) => {
    let all = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk
      if (until.test(chunk) || until.test(all.slice(-2000))) resolve(all)
    })
    socket.on('close', () => resolve(all))
  })

const serve = (): Promise<ServedProcess> => serveProcess([TOOLS], {}, SMALL_HEAP)

describe('A flood of progress to a client that does not read fills the memory', () => {
  test('over HTTP, of a modern request: memory stays flat, and the result still arrives', async () => {
    const served = await serve()
    const socket = postUnread(served, ...modernCall('attacked.flood', { ms: FLOOD_MS }))
    expect(await growth(served.process.pid ?? 0, FLOOD_MS)).toBeLessThan(MAX_GROWTH_MB)
    const all = await text(socket, /"reports":\d+/)
    expect(all).toMatch(/"reports":\d+/)
    // The latest progress came before the result, and most of it never.
    expect(all.match(/notifications\/progress/g)?.length).toBeLessThan(20_000)
  })

  longTest('over HTTP, of a legacy session: memory stays flat, and the result still arrives', async () => {
    const served = await serve()
    const session = await openSession(served.url)
    const socket = postUnread(served, callOf('attacked.flood', { ms: FLOOD_MS }), session)
    expect(await growth(served.process.pid ?? 0, FLOOD_MS)).toBeLessThan(MAX_GROWTH_MB)
    expect(await text(socket, /"reports":\d+/)).toMatch(/"reports":\d+/)
  })

  longTest('over stdio: memory stays flat, and every result arrives after its progress', async () => {
    const child = spawn(process.execPath, [CLI, 'serve', TOOLS], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ...SMALL_HEAP },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: opening })}\n`)
    child.stdout.pause()
    await once(child.stdout, 'readable')
    for (let id = 1; id <= 3; id++)
      child.stdin.write(`${callOf('attacked.flood', { ms: FLOOD_MS }, { progressToken: id }, id)}\n`)
    expect(await growth(child.pid ?? 0, FLOOD_MS)).toBeLessThan(MAX_GROWTH_MB)
    const lines: string[] = []
    let rest = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const whole = (rest + chunk).split('\n')
      rest = whole.pop() ?? ''
      lines.push(...whole)
      if (lines.filter((line) => /"id":[123],"result"/.test(line)).length === 3) break
    }
    for (const id of [1, 2, 3]) {
      const result = lines.findIndex((line) => line.includes(`"id":${id},"result"`))
      const last = lines.findLastIndex((line) => line.includes(`"progressToken":${id},`))
      expect(last).toBeGreaterThan(0)
      expect(last).toBeLessThan(result)
    }
  })

  test("of an upstream, through the host: the host's memory stays flat", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-flood-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [shape, stop] = [join(folder, 'shape.json'), join(folder, 'stop')]
    const tools = [{ name: 'flood', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]
    writeFileSync(shape, JSON.stringify({ tools, floods: ['flood'] }))
    const command = { command: process.execPath, args: [fixturePath('host/hostile-upstream.mjs')] }
    const servers = { hostile: { ...command, env: { SHAPE: shape, STOP: stop }, trust: 'trusted' as const } }
    const host = await startHost(folder, servers, SMALL_HEAP)
    onTestFinished(() => host.end())
    const socket = postUnread({ origin: host.url }, ...modernCall('hostile.flood', {}))
    expect(await growth(host.pid, FLOOD_MS)).toBeLessThan(MAX_GROWTH_MB)
    writeFileSync(stop, '')
    expect(existsSync(stop)).toBe(true)
    expect(await text(socket, /"myrmex\/result"/)).toMatch(/"status":"success"/)
  })
})

describe('Results that are not read fill the memory', () => {
  test('over HTTP: clients that do not read large results are dropped, with a reason in the log', async () => {
    const served = await serveProcess([TOOLS], {}, { ...SMALL_HEAP, MYRMEX_LOG_LEVEL: 'info' })
    // Each result has its data twice. More waits to be read than may wait, and less than the heap has.
    for (let id = 0; id < 16; id++) postUnread(served, ...modernCall('attacked.large', { megabytes: 6 }, id))
    await expect.poll(() => served.stderr()).toMatch(/does not read/)
    expect(served.isAlive()).toBe(true)
  })

  const openStdio = () => {
    const child = spawn(process.execPath, [CLI, 'serve', TOOLS], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...SMALL_HEAP },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin.on('error', () => {})
    child.stdout.pause()
    return child
  }

  test('over stdio: no further requests are served until it reads, and then every result arrives', async () => {
    const child = openStdio()
    const count = LONG ? 30 : 6
    const calls = Array.from({ length: count }, (_, id) =>
      callOf('attacked.large', { megabytes: 10 }, modernMeta(), id),
    )
    child.stdin.end(`${calls.join('\n')}\n`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await growth(child.pid ?? 0, 2000)).toBeLessThan(MAX_GROWTH_MB)
    let results = 0
    for await (const chunk of child.stdout.setEncoding('utf8')) results += chunk.split('"jsonrpc"').length - 1
    expect(results).toBe(count)
  })

  longTest('over stdio: a client that never reads is dropped, with a reason in the log', async () => {
    const child = openStdio()
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    const args = { megabytes: 5, later: true }
    const calls = Array.from({ length: 10 }, (_, id) => callOf('attacked.large', args, modernMeta(), id))
    child.stdin.write(`${calls.join('\n')}\n`)
    await once(child, 'exit')
    expect(said).toMatch(/does not read/)
    expect(child.signalCode).toBeNull()
  })
})
