/** `myrmex host status`: the state of each server, from the API of the running host. Exits with 1 if no host is running. */

import type { ChannelStatus } from '../../host/channels/notifier.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ServerStatus } from '../../host/host.ts'
import { plural } from '../../protocol/text.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { type SwitchedOn, switchLines } from '../../serve/switch-text.ts'
import { oneLine, padColumns, paint, print, wrap } from '../../serve/terminal.ts'
import { formatSpan } from '../time-span.ts'
import { heldBackLines } from '../trust/held-back-lines.ts'
import { suggestionHint } from '../trust/suggestion-hint.ts'
import { apiOf, type HostApi, type RunningHostOptions, runningHost } from './running-host.ts'

const MAX_ERROR = 300
const MAX_CELL = 80
const MAX_PIDS = 10
const MAX_CALLERS = 10

interface StatusFlags extends RunningHostOptions {
  json?: boolean
  details?: boolean
}

export async function showHostStatus({ config, state, json, details }: StatusFlags): Promise<void> {
  const file = await runningHost(hostFolder(config ?? HOST_FILE, state))
  const api = apiOf(file)
  const [{ servers }, switches, { channels }] = await Promise.all([
    api.get<{ servers: ServerStatus[] }>('/servers'),
    api.get<SwitchedOn>('/switches'),
    api.get<{ channels: ChannelStatus[] }>('/channels'),
  ])
  const mode = file.mode ?? 'open'
  if (json) return print(JSON.stringify({ url: file.url, pid: file.pid, mode, switches, servers, channels }, null, 2))
  print(`host at ${new URL('/mcp', file.url).href}, pid ${cell(file.pid)}, ${MODES[mode]}`)
  for (const line of switchLines(switches)) print(paint('red', line))
  for (const line of channelLines(channels)) print(line)
  if (servers.length === 0) return print('it has no servers; to add some: npx myrmex host import')
  const problems = details ? await problemLines(api) : []
  for (const line of [...statusTable(servers), ...waitingLines(servers), ...sandboxLines(servers), ...problems])
    print(line)
}

/** Channels on which nobody hears of waiting calls now. */
function channelLines(channels: readonly ChannelStatus[]): string[] {
  const broken = channels.filter(({ problem, last_error }) => problem !== null || last_error !== null)
  if (broken.length === 0) return []
  const names = broken.map(({ name }) => cell(name)).join(', ')
  return [paint('yellow', `waiting calls are not announced on ${names}; to see why: npx myrmex approvals channels`)]
}

/** Which tools wait, why, and what to do. */
function waitingLines(servers: readonly ServerStatus[]): string[] {
  // An older host does not say.
  const held = servers.flatMap(({ name, held_back }) =>
    held_back === undefined ? [] : [{ server: cell(name), held: held_back }],
  )
  const lines = heldBackLines(held)
  if (lines.length === 0) return []
  const silent = servers.flatMap(({ name, held_back }) => (held_back?.suggestion == null ? [] : [cell(name)]))
  return [
    paint('yellow', 'held back, until you decide:'),
    ...lines,
    ...(silent.length === 0 ? [] : [suggestionHint(silent)]),
    '  each tool: npx myrmex trust status SERVER',
  ]
}

/** Which sandbox each child is in, and first those that have none. */
function sandboxLines(servers: readonly ServerStatus[]): string[] {
  const named = (kind: ServerStatus['sandbox']): string =>
    servers.flatMap(({ name, sandbox }) => (sandbox === kind ? [cell(name)] : [])).join(', ')
  const exposed = named('none')
  return [
    ...(exposed === ''
      ? []
      : [paint('yellow', hanging(`no sandbox: ${exposed} (can read the state folder of the host)`))]),
    ...(['bwrap', 'namespace', 'user'] as const).flatMap((kind) => {
      const names = named(kind)
      return names === '' ? [] : [hanging(`sandbox ${kind}: ${names}`)]
    }),
  ]
}

const hanging = (text: string): string => wrap(text, 2).trimStart()

const MODES = {
  open: 'open mode (to lock it: npx myrmex operator init, then restart the host)',
  locked: "locked with the operator's key",
}

/** Of single items: those of whole servers are in the table. */
async function problemLines(api: HostApi): Promise<string[]> {
  const { problems } = await api.get<{ problems: { server: string; item: string | null; message: string }[] }>('/host')
  const lines = problems.flatMap(({ server, item, message }) =>
    item === null ? [] : [wrap(`${cell(server)}: ${cell(item)}: ${oneLine(message, MAX_ERROR)}`, 2)],
  )
  return lines.length === 0 ? [] : [paint('yellow', 'problems:'), ...lines]
}

/** In a folder that nobody has trusted, `api.json` may name any server: what it says must not control the terminal. */
const cell = (value: unknown): string => oneLine(String(value), MAX_CELL)

const HEAD = ['server', 'state', 'tools', 'held', 'calls', 'failed', 'running', 'restarts']

/** Columns as wide as their cells. A server's last error is below it. */
export function statusTable(servers: readonly ServerStatus[]): string[] {
  const rows = servers.map((one) => [
    one.name,
    stateOf(one),
    ...[one.tools, one.held_back?.total ?? 0, one.calls, one.failures, one.in_flight, one.restarts],
  ])
  const [head = '', ...lines] = padColumns([HEAD, ...rows.map((row) => row.map(cell))], [2, 3, 4, 5, 6, 7]).map(
    (cells) => cells.join('  '),
  )
  return [
    paint('dim', head),
    ...servers.flatMap((one, index) => [
      paint(colourOf(one), lines[index] ?? ''),
      ...(one.last_error === null || needsSignIn(one)
        ? []
        : [wrap(`${ago(one.last_error.at)}: ${oneLine(one.last_error.message, MAX_ERROR)}`, 2)]),
      ...(one.problem == null ? [] : [wrap(`now: ${oneLine(one.problem, MAX_ERROR)}; it is asked again`, 2)]),
      ...(one.sessions == null || one.sessions.length === 0 ? [] : [`  ${sessionsText(one.sessions)}`]),
      ...signInLines(one).map((line) => wrap(line, 2)),
    ]),
  ]
}

const needsSignIn = ({ state, sign_in }: ServerStatus): boolean => state === 'needs_sign_in' && sign_in != null

/** Why a sign-in is needed, and the command that helps; for the server as a whole and for callers with an account of their own. */
function signInLines({ name, sign_in: signIn }: ServerStatus): string[] {
  if (signIn == null) return []
  const { reason, since, command, callers } = signIn
  const when = since === null ? '' : `${ago(since)}: `
  const own = command === null ? [] : [`${when}${oneLine(reason ?? '', MAX_ERROR)}; ${oneLine(command, MAX_ERROR)}`]
  const waiting = callers.filter(({ state }) => state === 'needed').map(({ principal }) => cell(principal))
  const signedIn = callers.length - waiting.length
  const shown = waiting.length > MAX_CALLERS ? [...waiting.slice(0, MAX_CALLERS), '…'] : waiting
  const ofCallers = [
    ...(signedIn > 0 ? [`${plural(signedIn, 'caller')} signed in`] : []),
    ...(shown.length > 0 ? [`not signed in: ${shown.join(', ')}; npx myrmex host login ${cell(name)} --for NAME`] : []),
  ]
  return [...own, ...(ofCallers.length === 0 ? [] : [ofCallers.join('; ')])]
}

function stateOf({ state, retry_after_ms }: ServerStatus): string {
  const words = state.replaceAll('_', ' ')
  return retry_after_ms > 0 ? `${words}, ${Math.ceil(retry_after_ms / 1000)} s` : words
}

function sessionsText(sessions: NonNullable<ServerStatus['sessions']>): string {
  const pids = sessions.flatMap(({ pid }) => (pid === null ? [] : [cell(pid)]))
  const count = `${plural(sessions.length, 'session')} of callers`
  return pids.length === 0
    ? count
    : `${count}: pid ${pids.slice(0, MAX_PIDS).join(', ')}${pids.length > MAX_PIDS ? ', …' : ''}`
}

const colourOf = ({ state, problem }: ServerStatus): 'green' | 'yellow' | 'red' | 'reset' => {
  if (state === 'ready') return problem == null ? 'green' : 'yellow'
  if (state === 'idle') return 'reset'
  if (state === 'needs_sign_in') return 'yellow'
  return state === 'starting' ? 'yellow' : 'red'
}

const ago = (at: string): string => `${formatSpan(Date.now() - Date.parse(at))} ago`
