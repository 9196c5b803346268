/** `myrmex host status`: how each server of the running host is, asked of its API. Exits with 1 where no host can be asked. */

import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { apiClient } from '../../host/api/client.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ServerStatus } from '../../host/host.ts'
import { ToolError } from '../../protocol/errors.ts'
import { hostFolder } from '../../serve/host-folder.ts'
import { oneLine } from '../../serve/one-line.ts'
import { paint, print } from '../../serve/terminal.ts'
import { formatSpan } from '../time-span.ts'

/** A host that is well answers in milliseconds. */
const TIMEOUT_MS = 10_000
const MAX_ERROR = 300
const START = 'Start one with: npx myrmex host --http 7350'

export async function showHostStatus({ config, json }: { config?: string; json?: boolean }): Promise<void> {
  const file = await runningHost(hostFolder(config ?? HOST_FILE))
  const servers = await fetchStatus(file)
  if (json) return print(JSON.stringify({ url: file.url, pid: file.pid, servers }, null, 2))
  print(`host at ${new URL('/mcp', file.url).href}, pid ${file.pid}`)
  if (servers.length === 0) return print('it has no servers yet: npx myrmex host import')
  for (const line of table(servers)) print(line)
}

async function runningHost(folder: string): Promise<ApiFile> {
  const file = await readApiFile(folder)
  if (file === undefined)
    throw unavailable(
      `No host listens here: there is no api.json in ${folder}. One that a client started has none. ${START}`,
    )
  // Killed, it could not take its file away; whoever has its port now is not given its token.
  if (!isAlive(file.pid))
    throw unavailable(`No host runs here any more: process ${file.pid} of ${folder} is gone. ${START}`)
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
    throw unavailable(`The host of process ${pid} does not answer at ${url} (${oneLine(why, 200)}). ${START}`)
  }
  throw unavailable(`What answers at ${url} is not the host of process ${pid}: it says ${status}. ${START}`)
}

const unavailable = (message: string): ToolError => ToolError.of('UnavailableError', message)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const HEAD = ['server', 'state', 'tools', 'calls', 'failed', 'running', 'restarts']

/** As wide as what stands in it; what last went wrong stands under the server. */
function table(servers: readonly ServerStatus[]): string[] {
  const rows = servers.map((one) => [
    one.name,
    stateOf(one),
    ...[one.tools, one.calls, one.failures, one.in_flight, one.restarts].map(String),
  ])
  const widths = HEAD.map((word, column) => Math.max(word.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return [
    paint('dim', lineOf(HEAD)),
    ...servers.flatMap((one, index) => [
      paint(colourOf(one), lineOf(rows[index] ?? [])),
      ...(one.last_error === null
        ? []
        : [`  ${ago(one.last_error.at)}: ${oneLine(one.last_error.message, MAX_ERROR)}`]),
    ]),
  ]
}

function stateOf({ state, retry_after_ms }: ServerStatus): string {
  const words = state.replaceAll('_', ' ')
  return retry_after_ms > 0 ? `${words}, ${Math.ceil(retry_after_ms / 1000)} s` : words
}

const colourOf = ({ state }: ServerStatus): 'green' | 'yellow' | 'red' | 'reset' => {
  if (state === 'ready') return 'green'
  if (state === 'idle') return 'reset'
  return state === 'starting' ? 'yellow' : 'red'
}

const ago = (at: string): string => `${formatSpan(Date.now() - Date.parse(at))} ago`
