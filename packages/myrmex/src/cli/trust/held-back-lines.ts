/**
 * What waits for a decision, by server: a line for each of a few servers, and of many a line for each reason, so that it fits on one
 * screen. A server that needs another command than the rest has a line of its own in any case.
 */
import { type HeldBackSummary, REASON_TEXT, reasonsText } from '../../ledger/decisions/held-back.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, wrap, wrapWithCommand } from '../../serve/terminal.ts'

export interface HeldServer {
  readonly server: string
  readonly held: HeldBackSummary
}

/** More servers than this are counted by reason. */
const MOST_SERVERS = 6
const MAX_NAMES = 4
const MAX_TEXT = 300

export function heldBackLines(servers: readonly HeldServer[]): string[] {
  const waiting = servers.filter(({ held }) => held.total > 0)
  if (waiting.length <= MOST_SERVERS) return waiting.map(serverLine)
  const usual = waiting.filter(({ server, held }) => isUsual(server, held.command))
  if (usual.length <= MOST_SERVERS) return waiting.map(serverLine)
  const others = waiting.filter((one) => !usual.includes(one))
  return [...reasonLines(usual), ...others.map(serverLine)]
}

const serverLine = ({ server, held }: HeldServer): string =>
  wrapWithCommand(
    `${oneLine(server, MAX_TEXT)}: ${oneLine(reasonsText(held), MAX_TEXT)}:`,
    oneLine(held.command ?? '', MAX_TEXT),
    2,
  )

/** One decision about all of the server, or about its only tool. */
const isUsual = (server: string, command: string | null): boolean =>
  command !== null && /^npx myrmex (?:trust|verify) \S+(?: --open)?$/.test(command) && command.includes(` ${server}`)

function reasonLines(usual: readonly HeldServer[]): string[] {
  const all = usual.flatMap(({ server, held }) => held.reasons.map((one) => ({ ...one, server })))
  const byReason = Map.groupBy(
    all,
    ({ reason, grade }) => `${REASON_TEXT[reason]}${grade === null ? '' : ` (${grade})`}`,
  )
  const open = usual.some(({ held }) => held.command?.endsWith(' --open'))
    ? ' (--open for those that change state)'
    : ''
  return [
    ...[...byReason].map(([text, some]) =>
      wrap(
        `${some.reduce((sum, { count }) => sum + count, 0)} ${text}, of ${namesText(some.map(({ server }) => server))}`,
        2,
      ),
    ),
    wrap(`npx myrmex trust SERVER, or --all, or --read-only-tools${open}`, 2),
  ]
}

const namesText = (servers: readonly string[]): string =>
  servers.length <= MAX_NAMES
    ? servers.map((server) => oneLine(server, MAX_TEXT)).join(', ')
    : plural(servers.length, 'server')
