/** `myrmex audit tail`: the newest calls, and with --follow those that are recorded later. */
import { type AuditRecord, followRecords, newestRecords } from '../../ledger/audit/read.ts'
import type { Db } from '../../ledger/db.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { print } from '../../serve/terminal.ts'
import { AuditTable } from './format.ts'

export interface TailOptions extends LedgerFlags {
  lines: number
  follow?: boolean
  json?: boolean
}

export async function tail(options: TailOptions): Promise<void> {
  const columns = new AuditTable()
  const show = (lines: readonly AuditRecord[]): void => {
    for (const row of options.json ? lines.map((line) => JSON.stringify(line)) : columns.rows(lines)) print(row)
  }
  await withLedger(options, 'read-only', async ({ db }) => {
    const { lines, seq } = await newestRecords(db, options.lines)
    if (lines.length > 0) show(lines)
    else if (!options.follow && !options.json) print('no calls yet')
    if (options.follow) await untilStopped(db, seq, show)
  })
}

async function untilStopped(db: Db, from: number, show: (lines: readonly AuditRecord[]) => void): Promise<void> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  for await (const { lines } of followRecords(db, from, stopped.signal)) show(lines)
  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
}
