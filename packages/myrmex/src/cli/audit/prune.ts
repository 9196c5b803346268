/** `myrmex audit prune`: says which segments are old enough to go, and removes them when told to. */
import { existsSync } from 'node:fs'
import { prunable, prune, type Segment } from '../../ledger/audit/retain.ts'
import { momentOf } from '../../ledger/audit/when.ts'
import { keyFileOf } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { print } from '../terminal.ts'
import { counted, localDate, localTime, number } from './show.ts'

export interface PruneOptions extends LedgerChoice {
  before?: string
  keepDays?: number
  yes?: boolean
}

export async function pruneAudit(options: PruneOptions): Promise<void> {
  const before = cutOff(options)
  const due = await withLedger(options, ({ db }) => prunable(db, before), { readOnly: true })
  if (due.length === 0) {
    print(`Nothing to remove: no full segment is from before ${localTime(before)}.`)
  } else if (options.yes) {
    const removed = await withLedger(withItsKey(options), (ledger) => prune(ledger, before))
    print(`Removed ${described(removed)}. A signed stub stays in the place of each segment: the chain still verifies.`)
  } else {
    print(`Would remove ${described(due)}. Nothing was removed: give --yes to do it.`)
  }
}

function cutOff({ before, keepDays }: PruneOptions): number {
  if (before !== undefined) return momentOf(before)
  if (keepDays !== undefined) return Date.now() - keepDays * 86_400_000
  throw new ToolError('ValidationError', 'Give --before a date, or --keep-days a number of days.')
}

/** A key that is made now would sign what it has never seen. */
function withItsKey(options: PruneOptions): PruneOptions {
  const file = options.ledgerKey ?? keyFileOf(options.ledger)
  if (existsSync(file)) return options
  throw new ToolError(
    'FileNotFoundError',
    `Stubs are signed with the ledger's key, and ${file} is not there. Give --ledger-key.`,
  )
}

function described(segments: readonly Segment[]): string {
  const [first, last] = [segments[0], segments.at(-1)]
  if (first === undefined || last === undefined) return 'nothing'
  const lines = `lines ${number(first.first_line)} to ${number(last.last_line)}`
  return `${counted(segments.length, 'segment')}: ${lines}, ${localDate(first.first_time)} to ${localDate(last.last_time)}`
}
