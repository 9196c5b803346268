/** Tools whose trust in myrmex.json does not count yet: it lacks the operator's signature, or the ledger is in open mode. */

import type { TrustStore } from '../../ledger/decisions/trust.ts'
import { isTrustedEnough } from '../../pipeline/gates/trust.ts'
import { plural } from '../../protocol/text.ts'
import type { Tool } from '../../tool/tool.ts'
import type { HostProblem } from '../servers/host-problem.ts'

/** `unsigned`: the ledger is locked. `open`: the tool changes state, and nobody said that open mode is meant. */
export type InactiveReason = 'unsigned' | 'open'

export interface InactiveTrust {
  readonly tool: Tool
  readonly why: InactiveReason
}

const MAX_NAMES = 5

/** One problem for each reason; none for tools that somebody has trusted since. */
export function inactiveTrustProblems(
  server: string,
  held: Iterable<InactiveTrust>,
  levels: TrustStore,
): HostProblem[] {
  const waiting = [...held].filter(({ tool }) => !isTrustedEnough(tool, levels))
  return [...Map.groupBy(waiting, ({ why }) => why)].map(([why, found]) => ({
    server,
    error_type: 'PermissionError',
    message: TEXTS[why](found.map(({ tool }) => tool.name)),
  }))
}

const TEXTS: Readonly<Record<InactiveReason, (names: readonly string[]) => string>> = {
  unsigned: (names) =>
    `${countText(names)} cannot be called until you sign the trust that myrmex.json gives: ${list(names)}. ` +
    'Run: npx myrmex trust --configured',
  open: (names) =>
    `${countText(names)} that ${names.length === 1 ? 'changes' : 'change'} state cannot be called: the trust that myrmex.json ` +
    `gives does not count in open mode (${list(names)}). Lock the ledger with npx myrmex operator init, or start the host with --open`,
}

/** Resources, prompts and instructions have a kind in front of their names. */
const countText = (names: readonly string[]): string =>
  names.some((name) => name.includes(':')) ? plural(names.length, 'definition') : plural(names.length, 'tool')

const list = (names: readonly string[]): string =>
  names.length <= MAX_NAMES
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
