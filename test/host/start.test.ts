/** `myrmex host` starts: it answers at once, whatever its servers do, and what is wrong is said before any of them is started. */

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { longTest } from '@myrmex/testing/long'
import { expect, onTestFinished, test, vi } from 'vitest'

const node = (code: string): object => ({ command: process.execPath, args: ['-e', code], trust: 'verified' })
const HANGS = node('setInterval(() => {}, 1e6)')
const CRASHES = node('process.exit(3)')
const FLOODS = node('setInterval(() => { for (let i = 0; i < 500; i++) console.log("x".repeat(99)) }, 5)')
const SHOUTS = node('setInterval(() => { for (let i = 0; i < 500; i++) console.error("x".repeat(99)) }, 5)')

/** One request of the modern era. */
async function rpc(url: string, method: string): Promise<{ tools?: { name: string }[]; instructions?: string }> {
  const protocol = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': protocol,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocol,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } }),
  })
  const { result, error } = (await response.json()) as { result: object; error?: object }
  expect(error).toBeUndefined()
  return result
}
const tools = async (url: string): Promise<string[]> =>
  ((await rpc(url, 'tools/list')).tools ?? []).map(({ name }) => name).filter((name) => !name.startsWith('myrmex_'))

test('the port is open while servers crash and start slowly, and the first list has all that start', async () => {
  const { project, write, start } = hostFolder()
  const gate = join(project, 'go')
  write('project/myrmex.json', {
    mcpServers: {
      ...{ crash1: CRASHES, crash2: CRASHES, missing: { command: 'a-command-that-is-nowhere' } },
      ...{ quick1: gatedServer('q1'), quick2: gatedServer('q2'), slow: gatedServer('late', gate) },
    },
    host: { start_wait_ms: 60_000 },
  })
  const host = start(['--http', '0'])
  const url = await host.says(/listening at (\S+); starting 6 servers/)
  expect(host.said()).not.toContain('tools at')
  // Answered while the slow one is closed.
  expect((await rpc(url, 'server/discover')).tools).toBeUndefined()
  let isListed = false
  const first = tools(url).finally(() => {
    isListed = true
  })
  await host.says(/(crash2: could not connect)/)
  expect(isListed).toBe(false)
  writeFileSync(gate, '')
  expect((await first).sort()).toEqual(['quick1_q1', 'quick2_q2', 'slow_late'])
  // From now on a list waits for nothing.
  expect((await tools(url)).length).toBe(3)
  expect(await host.end()).toBe(0)
})

test('servers that hang and flood hold a list for a bounded time, and others serve meanwhile', async () => {
  const { write, start } = hostFolder()
  write('project/myrmex.json', {
    mcpServers: { hung1: HANGS, hung2: HANGS, flood: FLOODS, shout: SHOUTS, quick: gatedServer('q') },
    host: { start_wait_ms: 1000 },
  })
  const host = start(['--http', '0'])
  const url = await host.says(/listening at (\S+); starting 5 servers/)
  await tools(url)
  await vi.waitFor(async () => expect(await tools(url)).toEqual(['quick_q']), { timeout: 20_000 })
  const { body } = await host.request('/api/servers')
  const states = (body as { servers: { name: string; state: string }[] }).servers
  expect(states.find(({ name }) => name === 'hung1')?.state).toBe('starting')
  expect(await host.end()).toBe(0)
})

longTest('calls of tools that are not listed yet wait for their server, on every way in', async () => {
  const { project, write, start } = hostFolder()
  const gate = join(project, 'go')
  write('project/myrmex.json', { mcpServers: { slow: gatedServer('late', gate) }, host: { start_wait_ms: 30_000 } })
  const host = start(['--http', '0'])
  const url = await host.says(/listening at (\S+);/)
  const call = { tool_name: 'slow.late', arguments: {} }
  let ended = 0
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
    ended++
    return response.json()
  }
  const answers = [ask('/call', call), ask('/batch', { calls: [call] })]
  // They have arrived: later requests are answered.
  expect((await fetch(new URL('/healthz', url))).ok).toBe(true)
  expect(ended).toBe(0)
  writeFileSync(gate, '')
  expect(await Promise.all(answers)).toMatchObject([{ status: 'success' }, { results: [{ status: 'success' }] }])
  expect(await host.end()).toBe(0)
})

longTest('a server that comes later is added, and a client on stdio is notified', async () => {
  const { project, write, start } = hostFolder()
  const gate = join(project, 'go')
  write('project/myrmex.json', {
    mcpServers: { quick: gatedServer('q'), late: gatedServer('l', gate) },
    host: { start_wait_ms: 1000 },
  })
  const { child } = start(['--stdio'])
  const messages: Record<string, never>[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    messages.push(...lines.map((line) => JSON.parse(line)))
  })
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answer = (id: number): Promise<Record<string, never>> =>
    vi.waitFor(() => messages.find((one) => one.id === id) ?? expect.fail(), { timeout: 15_000, interval: 10 })
  const clientInfo = { name: 't', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  expect((await answer(1)).error).toBeUndefined()
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/list' })
  expect(JSON.stringify(await answer(2))).not.toContain('late_l')
  writeFileSync(gate, '')
  await vi.waitFor(
    () => expect(messages).toContainEqual(expect.objectContaining({ method: 'notifications/tools/list_changed' })),
    { timeout: 15_000 },
  )
  await vi.waitFor(async () => {
    const id = 3 + messages.length
    send({ id, method: 'tools/list' })
    expect(JSON.stringify(await answer(id))).toContain('late_l')
  })
  child.stdin?.end()
  await once(child, 'exit')
})

test('what is wrong is said before any server is started', async () => {
  const { project, write, run, env } = hostFolder()
  const mark = join(project, 'started')
  const marks = node(`require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`)
  write('project/myrmex.json', { mcpServers: { one: marks } })
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const refused = async (http: string, more: NodeJS.ProcessEnv): Promise<string> => {
    const { code, stderr } = await run(['--http', http], { env: { ...env, ...more } })
    expect(code).toBe(1)
    return stderr
  }
  expect(await refused('0', { MYRMEX_API_TOKEN: 'short' })).toContain('MYRMEX_API_TOKEN is shorter than 32 characters')
  const same = 'x'.repeat(40)
  expect(await refused('0', { MYRMEX_API_TOKEN: same, MYRMEX_TOKEN: same })).toContain('is also a token for calling')
  expect(await refused('0', { MYRMEX_TOKEN: '' })).toContain('The bearer token is empty')
  expect(await refused(String(port), {})).toContain(`Port ${port} of 127.0.0.1 is in use`)
  expect(() => process.getBuiltinModule('node:fs').statSync(mark)).toThrow(/ENOENT/)
})

test('a variable that is not set stops one server, which says why and starts when the configuration is read again', async () => {
  const { project, write, start, run } = hostFolder()
  const secret = join(project, 'token')
  const needy = { ...gatedServer('needy'), env: { TOKEN: { from_file: './token' } } }
  write('project/myrmex.json', {
    mcpServers: { good: gatedServer('good'), needy, unset: { command: 'x', args: ['$' + '{NOT_SET_ANYWHERE}'] } },
  })
  const host = start(['--http', '0'])
  await host.says(/(good: ready, 1 tool)/)
  await host.says(
    /(needy: failed: myrmex\.json:\d+:\d+: \/mcpServers\/needy\/env\/TOKEN is in a file that does not exist)/,
  )
  const { stdout } = await run(['status'])
  expect(stdout).toMatch(/^needy +failed/m)
  // Where a line is wrapped depends on how long ago it was.
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'unset/args/0 needs the environment variable NOT_SET_ANYWHERE, which is not set',
  )
  writeFileSync(secret, 'abcdefgh\n')
  const { status, body } = await host.request('/api/servers/needy/restart', {})
  expect([status, (body as { state: string }).state]).toEqual([200, 'ready'])
  expect(await host.end()).toBe(0)
})

test('the status of a server that crashed has its error, not the last line that Node prints', async () => {
  const { write, start, run } = hostFolder()
  write('project/myrmex.json', { mcpServers: { broken: node('throw new Error("no key is set")') } })
  const host = start(['--http', '0'])
  await host.says(/(broken: could not connect)/)
  expect(host.said()).toMatch(/broken: .*Error: no key is set/)
  const { stdout } = await run(['status'])
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('last output: Error: no key is set')
  expect(stdout).not.toContain('Node.js v')
  expect(await host.end()).toBe(0)
})
