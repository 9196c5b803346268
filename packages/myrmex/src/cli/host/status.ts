/** `myrmex host status`: the state of each server, from the API of the running host. Exits with 1 if no host is running. */

import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ServerStatus } from '../../host/host.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { type SwitchedOn, switchLines } from '../../serve/switch-text.ts'
import { oneLine, padColumns, paint, print } from '../../serve/terminal.ts'
import { formatSpan } from '../time-span.ts'
import { apiOf, type RunningHostOptions, runningHost } from './running-host.ts'

const MAX_ERROR = 300
const MAX_CELL = 80

export async function showHostStatus({ config, state, json }: RunningHostOptions & { json?: boolean }): Promise<void> {
  const file = await runningHost(hostFolder(config ?? HOST_FILE, state))
  const api = apiOf(file)
  const [{ servers }, switches] = await Promise.all([
    api.get<{ servers: ServerStatus[] }>('/servers'),
    api.get<SwitchedOn>('/switches'),
  ])
  const mode = file.mode ?? 'open'
  if (json) return print(JSON.stringify({ url: file.url, pid: file.pid, mode, switches, servers }, null, 2))
  print(`host at ${new URL('/mcp', file.url).href}, pid ${cell(file.pid)}, ${MODES[mode]}`)
  for (const line of switchLines(switches)) print(paint('red', line))
  if (servers.length === 0) return print('it has no servers; to add some: npx myrmex host import')
  for (const line of [...statusTable(servers), ...sandboxLines(servers)]) print(line)
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

/** In a folder that nobody has trusted, `api.json` may name any server: what it says must not control the terminal. */
const cell = (value: unknown): string => oneLine(String(value), MAX_CELL)

const HEAD = ['server', 'state', 'tools', 'calls', 'failed', 'running', 'restarts']

/** Columns as wide as their cells. A server's last error is below it. */
export function statusTable(servers: readonly ServerStatus[]): string[] {
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
