// The upstreams of the host benchmark: servers that others wrote, each alone behind a host with its own ledger, and each behind a
// process that only copies bytes, which shows the cost of any process in between.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openLedger, type Server } from 'myrmex'
import { readHostFile } from '../../packages/myrmex/src/host/config/read-host-file.ts'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import { freePort, listening } from '../measure/port.ts'
import { type Command, ServerProcess } from '../measure/server-process.ts'

export interface Program {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
}

/** What listens already. */
export interface Endpoint {
  readonly url: URL
  readonly transport: 'Streamable HTTP' | 'HTTP+SSE'
  readonly pid: number | undefined
}

/** Where a client can be connected to: a program to start, an endpoint, or a server in this process. */
export type UpstreamTarget = Program | Endpoint | Server

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

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder for one host or gateway, with its configuration and its ledger; it goes when the bench does. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-bench-host-'))
  folders.push(folder)
  return folder
}

function hostFile({ name, program }: Upstream): string {
  const config = join(freshFolder(), 'myrmex.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { [name]: { ...program, trust: 'trusted' } } }))
  return config
}

/** `myrmex host` as an operator starts it: ledger and audit on, the tools of this upstream vouched for. */
export function throughHost(upstream: Upstream, port?: number): Program {
  const config = hostFile(upstream)
  const way = port === undefined ? ['--stdio'] : ['--http', String(port)]
  const command = [path('../../packages/myrmex/bin/myrmex.js'), 'host', '--open', '--config', config]
  return node([...command, ...way])
}

/** The host in this process, as runs and programs that embed it have it: no further process is woken. */
export async function hostInProcess(upstream: Upstream): Promise<{ server: Server } & AsyncDisposable> {
  const config = hostFile(upstream)
  const ledger = await openLedger(join(dirname(config), 'ledger.db'))
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
export async function hostOnPort(upstream: Upstream): Promise<Endpoint & AsyncDisposable> {
  return onPort('host', 'Streamable HTTP', (port) => throughHost(upstream, port))
}

/** A program that serves MCP at `/mcp` of the port it is given, as soon as it listens. */
export async function onPort(
  name: string,
  transport: Endpoint['transport'],
  program: (port: number) => Command,
): Promise<Endpoint & AsyncDisposable> {
  const port = await freePort()
  const server = new ServerProcess(name, program(port))
  // Nobody reads what it prints, and a full pipe would stop it.
  server.child.stdout.resume()
  await server.during(() => listening(port))
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    transport,
    pid: server.child.pid,
    [Symbol.asyncDispose]: () => server.leave('SIGTERM'),
  }
}
