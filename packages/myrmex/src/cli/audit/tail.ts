/** `myrmex audit tail`: the newest calls, and with --follow those that are recorded later. */
import type { AuditRecord } from '../../ledger/audit/call-record.ts'
import { markedChains } from '../../ledger/journal/mark.ts'
import { followRecords, JournalCursor } from '../../ledger/journal/read.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { print } from '../../serve/terminal.ts'
import { AuditTable } from './format.ts'
import { showProgress } from './progress.ts'

export interface TailOptions extends LedgerFlags {
  lines: number
  follow?: boolean
  json?: boolean
}

export async function tail(options: TailOptions): Promise<void> {
  const columns = new AuditTable()
  const show = (records: readonly AuditRecord[]): void => {
    for (const row of options.json ? records.map((one) => JSON.stringify(one)) : columns.rows(records)) print(row)
  }
  await withLedger(options, 'search', async ({ db, index, journal }) => {
    // Before the search, so that nothing is missed in between.
    const cursor = await new JournalCursor(journal.store, () => markedChains(db)).skipToEnd()
    const newest = await Array.fromAsync(index.search({ limit: options.lines }, showProgress('indexed')))
    if (newest.length > 0) show(newest.reverse())
    else if (!options.follow && !options.json && options.lines > 0) print('no calls are recorded')
    if (options.follow) await untilStopped(cursor, new Set(newest.map(({ record }) => record)), show)
  })
}

async function untilStopped(
  cursor: JournalCursor,
  shown: ReadonlySet<string>,
  show: (records: readonly AuditRecord[]) => void,
): Promise<void> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  for await (const records of followRecords(cursor, stopped.signal)) {
    show(records.filter(({ record }) => !shown.has(record)))
  }
  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
}
