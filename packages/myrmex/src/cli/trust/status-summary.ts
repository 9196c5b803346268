/** `myrmex trust status` of many tools: a line for each server, then what waits and the command that helps. */

import { serverOfDefinition } from '../../ledger/decisions/definition-server.ts'
import { factsOf, type HeldBackSummary, heldBack, summarise } from '../../ledger/decisions/held-back.ts'
import { findingsOf, type TrackedTool, trackedVersion } from '../../ledger/decisions/tracked-tools.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, padColumns, paint, wrap } from '../../serve/terminal.ts'
import { heldBackLines } from './held-back-lines.ts'

const MAX_CELL = 60

/** `hint`: a line about tools that do not say what they change. */
export function statusSummary(all: readonly TrackedTool[], isLocked: boolean, hint?: string): string {
  const servers = [...Map.groupBy(all, ({ tool }) => serverOfDefinition(tool))]
  const facts = servers.map(([server, own]) => ({ server, own, held: heldOf(server, own, all, isLocked) }))
  const rows = facts.map(({ server, own, held }) => [
    oneLine(server, MAX_CELL),
    versionOf(own),
    ...[own.length, own.length - held.total, held.total].map(String),
  ])
  const [head = '', ...lines] = padColumns([HEAD, ...rows], [2, 3, 4]).map((cells) => cells.join('  '))
  const waiting = facts.reduce((sum, { held }) => sum + held.total, 0)
  return [
    paint('dim', head),
    ...facts.map(({ held }, index) => (held.total === 0 ? (lines[index] ?? '') : paint('yellow', lines[index] ?? ''))),
    '',
    wrap(
      `${plural(all.length, 'definition')} of ${plural(servers.length, 'server')}, ${waiting} held back${waiting === 0 ? '.' : ':'}`,
      0,
    ),
    ...heldBackLines(facts),
    ...(hint === undefined ? [] : [hint]),
    'each tool: npx myrmex trust status SERVER, or --all',
  ].join('\n')
}

const HEAD = ['server', 'version', 'seen', 'callable', 'held back']

function versionOf(own: readonly TrackedTool[]): string {
  const newest = own.reduce((latest, one) => (one.definition.last_seen > latest.definition.last_seen ? one : latest))
  return newest.definition.server_version === null ? '' : oneLine(trackedVersion(newest), MAX_CELL)
}

function heldOf(
  server: string,
  own: readonly TrackedTool[],
  all: readonly TrackedTool[],
  isLocked: boolean,
): HeldBackSummary {
  const held = own.flatMap((seen) => {
    const findings = seen.level === 'untrusted' ? findingsOf(seen, [], all) : []
    const one = heldBack(seen, findings, isLocked)
    return one === undefined ? [] : [{ ...one, destructive: factsOf(seen, findings, isLocked).destructive }]
  })
  return summarise(server, held, isLocked)
}
