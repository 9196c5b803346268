/** `myrmex host status`: the state of each server, from the API of the running host. Exits with 1 if no host is running. */

import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { apiClient } from '../../host/api/client.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ServerStatus } from '../../host/host.ts'
import { ToolError } from '../../protocol/errors.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { oneLine, padColumns, paint, print } from '../../serve/terminal.ts'
import { formatSpan } from '../time-span.ts'

/** A healthy host answers in milliseconds. */
const TIMEOUT_MS = 10_000
const MAX_ERROR = 300
const MAX_CELL = 80
const MAX_PIDS = 10
const START = 'Start one with: npx myrmex host --http 7350'

export async function showHostStatus({ config, json }: { config?: string; json?: boolean }): Promise<void> {
  const file = await runningHost(hostFolder(config ?? HOST_FILE))
  const servers = await fetchStatus(file)
  const mode = file.mode ?? 'open'
  if (json) return print(JSON.stringify({ url: file.url, pid: file.pid, mode, servers }, null, 2))
  print(`host at ${new URL('/mcp', file.url).href}, pid ${cell(file.pid)}, ${MODES[mode]}`)
  if (servers.length === 0) return print('it has no servers; to add some: npx myrmex host import')
  for (const line of [...table(servers), ...sandboxLines(servers)]) print(line)
}

/** Which sandbox each child is in, and first those that have none. */
function sandboxLines(servers: readonly ServerStatus[]): string[] {
  const named = (kind: ServerStatus['sandbox']): string =>
    servers.flatMap(({ name, sandbox }) => (sandbox === kind ? [cell(name)] : [])).join(', ')
  const exposed = named('none')
  return [
    ...(exposed === '' ? [] : [paint('yellow', `no sandbox: ${exposed} (can read the state folder of the host)`)]),
    ...(['bwrap', 'namespace', 'user'] as const).flatMap((kind) => {
      const names = named(kind)
      return names === '' ? [] : [`sandbox ${kind}: ${names}`]
    }),
  ]
}

const MODES = {
  open: 'open mode (to lock it: npx myrmex operator init, then restart the host)',
  locked: "locked with the operator's key",
}

async function runningHost(folder: string): Promise<ApiFile> {
  const file = await readApiFile(folder)
  if (file === undefined)
    throw unavailable(
      `No host is listening: there is no api.json in ${folder}. A host on stdio, which a client starts, has none. ${START}`,
    )
  // A killed host leaves its file behind, and its token must not be sent to another program on its port.
  if (!isAlive(file.pid)) throw unavailable(`No host is running: process ${file.pid} of ${folder} has ended. ${START}`)
  return file
}

async function fetchStatus({ url, token, pid }: ApiFile): Promise<ServerStatus[]> {
  const init = { signal: AbortSignal.timeout(TIMEOUT_MS) }
  let status: number
  try {
    const response = await apiClient(url, token).servers.$get(undefined, { init })
    if (response.ok) return (await response.json()).servers as ServerStatus[]
    status = response.status
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw unavailable(`The host of process ${pid} does not respond at ${url} (${oneLine(why, 200)}). ${START}`)
  }
  throw unavailable(`The server at ${url} is not the host of process ${pid}: it returned ${status}. ${START}`)
}

const unavailable = (message: string): ToolError => ToolError.of('UnavailableError', message)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a folder that nobody has trusted, `api.json` may name any server: what it says must not control the terminal. */
const cell = (value: unknown): string => oneLine(String(value), MAX_CELL)

const HEAD = ['server', 'state', 'tools', 'calls', 'failed', 'running', 'restarts']

/** Columns as wide as their cells. A server's last error is below it. */
function table(servers: readonly ServerStatus[]): string[] {
  const rows = servers.map((one) => [
    one.name,
    stateOf(one),
    ...[one.tools, one.calls, one.failures, one.in_flight, one.restarts],
  ])
  const [head = '', ...lines] = padColumns([HEAD, ...rows.map((row) => row.map(cell))], [2, 3, 4, 5, 6]).map((cells) =>
    cells.join('  '),
  )
  return [
    paint('dim', head),
    ...servers.flatMap((one, index) => [
      paint(colourOf(one), lines[index] ?? ''),
      ...(one.last_error === null
        ? []
        : [`  ${ago(one.last_error.at)}: ${oneLine(one.last_error.message, MAX_ERROR)}`]),
      ...(one.problem == null ? [] : [`  now: ${oneLine(one.problem, MAX_ERROR)}; it is asked again`]),
      ...(one.sessions == null || one.sessions.length === 0 ? [] : [`  ${sessionsText(one.sessions)}`]),
    ]),
  ]
}

function stateOf({ state, retry_after_ms }: ServerStatus): string {
  const words = state.replaceAll('_', ' ')
  return retry_after_ms > 0 ? `${words}, ${Math.ceil(retry_after_ms / 1000)} s` : words
}

function sessionsText(sessions: NonNullable<ServerStatus['sessions']>): string {
  const pids = sessions.flatMap(({ pid }) => (pid === null ? [] : [cell(pid)]))
  const count = `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} of callers`
  return pids.length === 0
    ? count
    : `${count}: pid ${pids.slice(0, MAX_PIDS).join(', ')}${pids.length > MAX_PIDS ? ', …' : ''}`
}

const colourOf = ({ state, problem }: ServerStatus): 'green' | 'yellow' | 'red' | 'reset' => {
  if (state === 'ready') return problem == null ? 'green' : 'yellow'
  if (state === 'idle') return 'reset'
  return state === 'starting' ? 'yellow' : 'red'
}

const ago = (at: string): string => `${formatSpan(Date.now() - Date.parse(at))} ago`
