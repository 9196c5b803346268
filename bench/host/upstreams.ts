// The upstreams of the host benchmark: servers that others wrote, each alone behind a host with its own ledger, and each behind a
// process that only copies bytes, which shows the cost of any process in between.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLedger, type Server } from 'myrmex'
import { readHostFile } from '../../packages/myrmex/src/host/config/read-host-file.ts'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import { ServerProcess } from '../measure/server-process.ts'

export interface Program {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
}

/** Where a client can be connected to: a program to start, a port, or a server in this process. */
export type UpstreamTarget = Program | URL | Server

export interface Upstream {
  readonly name: string
  readonly program: Program
  /** a tool of it, the arguments of its call number n, and whether an answer is right */
  readonly tool: string
  readonly argumentsOf: (n: number) => Record<string, unknown>
  readonly isRight: (n: number, result: Result) => boolean
}

export interface Result {
  readonly isError?: boolean
  readonly content?: readonly { readonly type?: string; readonly text?: string }[]
  readonly structuredContent?: unknown
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const node = (args: string[], env: Record<string, string> = {}): Program => ({
  command: process.execPath,
  args,
  env: { NODE_ENV: 'production', ...env },
})

const sdk2 = path('../peers/sdk2.js')

export const add: Upstream = {
  name: 'sdk2',
  program: node([sdk2]),
  tool: 'add',
  argumentsOf: (n) => ({ a: n, b: 2 * n + 1 }),
  isRight: (n, { isError, content, structuredContent }) =>
    isError !== true &&
    content?.[0]?.text === `{"sum":${3 * n + 1}}` &&
    (structuredContent as { sum?: number } | undefined)?.sum === 3 * n + 1,
}

export const echo: Upstream = {
  name: 'everything',
  program: node([fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')), 'stdio']),
  tool: 'echo',
  argumentsOf: (n) => ({ message: `ant number ${n}` }),
  isRight: (n, { isError, content }) => isError !== true && content?.[0]?.text === `Echo: ant number ${n}`,
}

/** Its tools are `tool_0`, `tool_1`, …; none is called. */
export const many = (count: number): Upstream => ({
  ...add,
  program: node([sdk2], { BENCH_TOOLS: String(count) }),
  tool: 'tool_0',
})

/** A process that copies what comes in to the upstream, and back. */
export const throughCopy = ({ program }: Upstream): Program =>
  node([path('copy.ts'), program.command, ...program.args], program.env)

/** The bench's own folders, one for each host, with its configuration and its ledger; they go when the bench does. */
const all = mkdtempSync(join(tmpdir(), 'myrmex-bench-host-'))
let next = 0
process.once('exit', () => rmSync(all, { recursive: true, force: true }))

/** `myrmex host` as an operator starts it: ledger and audit on, the tools of this upstream vouched for. */
export function throughHost({ name, program }: Upstream, port?: number): Program {
  const folder = join(all, String(next++))
  mkdirSync(folder)
  const config = join(folder, 'myrmex.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { [name]: { ...program, trust: 'trusted' } } }))
  const way = port === undefined ? ['--stdio'] : ['--http', String(port)]
  const command = [path('../../packages/myrmex/bin/myrmex.js'), 'host', '--config', config]
  return node([...command, ...way])
}

/** The host in this process, as runs and programs that embed it have it: no further process is woken. */
export async function hostInProcess({ name, program }: Upstream): Promise<{ server: Server } & AsyncDisposable> {
  const folder = join(all, String(next++))
  mkdirSync(folder)
  const config = join(folder, 'myrmex.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { [name]: { ...program, trust: 'trusted' } } }))
  const ledger = await openLedger(join(folder, 'ledger.db'))
  const { settings } = await readHostFile(config)
  const host = await openHost({ settings, ledger })
  return {
    server: host.server,
    async [Symbol.asyncDispose]() {
      await host.close()
      await ledger.close()
    },
  }
}

/** The same over HTTP, on any free port. */
export async function hostOnPort(upstream: Upstream): Promise<{ url: URL } & AsyncDisposable> {
  const port = await freePort()
  const { args, env } = throughHost(upstream, port)
  const server = new ServerProcess('host', { args, env })
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  await server.during(() => listening(url))
  return { url, [Symbol.asyncDispose]: () => server.leave('SIGTERM') }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** By a bare connection: a request would leave one behind that the server lets go of just when the client wants to use it. */
async function listening(url: URL): Promise<void> {
  for (;;) {
    const socket = connect(Number(url.port), url.hostname)
    try {
      await once(socket, 'connect')
      return
    } catch {
      // Not yet. The caller stops waiting when the process ends.
      await pause(10)
    } finally {
      socket.destroy()
    }
  }
}
