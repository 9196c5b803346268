/** `myrmex audit prune`: reports which segments are old enough to be removed, and removes them with --yes. */

import { existsSync } from 'node:fs'
import { parseMoment } from '../../ledger/audit/moment.ts'
import { prunable, prune, type Segment } from '../../ledger/audit/retention.ts'
import { keyFileOf } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { print } from '../../serve/terminal.ts'
import { formatNumber, localDate, localTime } from './format.ts'

export interface PruneOptions extends LedgerFlags {
  before?: string
  keepDays?: number
  yes?: boolean
}

export async function pruneAudit(options: PruneOptions): Promise<void> {
  const before = cutOff(options)
  const due = await withLedger(options, 'read-only', ({ db }) => prunable(db, before))
  if (due.length === 0) {
    print(`Nothing to remove: no complete segment is older than ${localTime(before)}.`)
  } else if (options.yes) {
    const removed = await withLedger(requireKey(options), 'create', (ledger) => prune(ledger, before))
    print(
      `Removed ${describeSegments(removed)}. A signed stub replaces each segment, so that the chain still verifies.`,
    )
  } else {
    print(`Would remove ${describeSegments(due)}. Nothing was removed. Add --yes to remove them.`)
  }
}

function cutOff({ before, keepDays }: PruneOptions): number {
  if (before !== undefined) return parseMoment(before)
  if (keepDays !== undefined) return Date.now() - keepDays * 86_400_000
  throw ToolError.of('ValidationError', 'Add --before with a date, or --keep-days with a number of days.')
}

/** A new key must not sign records that it has never seen. */
function requireKey(options: PruneOptions): PruneOptions {
  const file = options.ledgerKey ?? keyFileOf(options.ledger)
  if (existsSync(file)) return options
  throw ToolError.of(
    'FileNotFoundError',
    `Stubs are signed with the ledger's key, and ${file} does not exist. Name the key with --ledger-key.`,
  )
}

function describeSegments(segments: readonly Segment[]): string {
  const [first, last] = [segments[0], segments.at(-1)]
  if (first === undefined || last === undefined) return 'nothing'
  const lines = `lines ${formatNumber(first.first_line)} to ${formatNumber(last.last_line)}`
  return `${plural(segments.length, 'segment')}: ${lines}, ${localDate(first.first_time)} to ${localDate(last.last_time)}`
}
