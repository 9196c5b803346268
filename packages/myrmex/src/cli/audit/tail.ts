/** `myrmex audit tail`: the newest calls, and those that come in while somebody looks. */
import { follow } from '../../ledger/audit/follow.ts'
import { type AuditLine, newest } from '../../ledger/audit/read.ts'
import type { Db } from '../../ledger/db.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { print } from '../terminal.ts'
import { endWithReader } from './output.ts'
import { Columns } from './show.ts'

export interface TailOptions extends LedgerChoice {
  lines: number
  follow?: boolean
  json?: boolean
}

export async function tail(options: TailOptions): Promise<void> {
  endWithReader()
  const columns = new Columns()
  const show = (lines: readonly AuditLine[]): void => {
    for (const row of options.json ? lines.map((line) => JSON.stringify(line)) : columns.rows(lines)) print(row)
  }
  await withLedger(
    options,
    async ({ db }) => {
      const { lines, seq } = await newest(db, options.lines)
      if (lines.length > 0) show(lines)
      else if (!options.follow && !options.json) print('no calls yet')
      if (options.follow) await untilStopped(db, seq, show)
    },
    { readOnly: true },
  )
}

async function untilStopped(db: Db, from: number, show: (lines: readonly AuditLine[]) => void): Promise<void> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  for await (const { lines } of follow(db, from, stopped.signal)) show(lines)
  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
}
