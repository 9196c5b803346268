/** `myrmex audit prune`: reports which segments are old enough to be removed, and removes them with --yes. */

import { existsSync } from 'node:fs'
import { parseMoment } from '../../ledger/journal/moment.ts'
import { prunable, prune, type SegmentExtent } from '../../ledger/journal/retention.ts'
import { keyFileOf } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { asSentence, plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { clean, paint, print, wrap } from '../../serve/terminal.ts'
import { localDate, localTime } from './format.ts'

export interface PruneOptions extends LedgerFlags {
  before?: string
  keepDays?: number
  yes?: boolean
}

export async function pruneAudit(options: PruneOptions): Promise<void> {
  const before = cutOff(options)
  const old = await withLedger(options, 'read-only', (ledger) => prunable(ledger, before))
  if (old.length === 0) print(`Nothing to remove: no complete segment is older than ${localTime(before)}.`)
  else if (options.yes) await remove(options, before)
  else print(`Would remove ${describeSegments(old)}. Nothing was removed. Add --yes to remove them.`)
}

async function remove(options: PruneOptions, before: number): Promise<void> {
  const { removed, kept } = await withLedger(requireKey(options), 'decide', (ledger) => prune(ledger, before))
  if (removed.length > 0)
    print(`Removed ${describeSegments(removed)}. A signed stub says what was removed, so that the rest still verifies.`)
  for (const { chain, why } of kept) {
    print(paint('red', `Chain ${clean(chain)} was kept, because it does not verify.`))
    print(wrap(clean(asSentence(why)), 2))
  }
  if (removed.length === 0 && kept.length === 0) print(NOTHING)
  if (kept.length > 0) process.exitCode = 1
}

const NOTHING =
  'Nothing was removed: another process has removed them, or they belong to a chain that was accepted as broken.'

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
    `The stub is signed with the ledger's key, and ${file} does not exist. Name the key with --ledger-key.`,
  )
}

function describeSegments(segments: readonly SegmentExtent[]): string {
  const records = segments.reduce((sum, segment) => sum + segment.records, 0)
  const first = segments.reduce((time, { first_time }) => Math.min(time, first_time), Number.POSITIVE_INFINITY)
  const last = segments.reduce((time, { last_time }) => Math.max(time, last_time), 0)
  const [from, to] = [localDate(first), localDate(last)]
  const when = from === to ? `of ${from}` : `from ${from} to ${to}`
  return `${plural(segments.length, 'segment')} with ${plural(records, 'record')} ${when}`
}
