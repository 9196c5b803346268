/** `myrmex audit query`: finds calls by their properties. */

import { type AuditQuery, auditFilter } from '../../ledger/journal/query.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { print, say } from '../../serve/terminal.ts'
import { AuditTable, recordText } from './format.ts'
import { showProgress } from './progress.ts'

export interface QueryOptions extends LedgerFlags, AuditQuery {
  limit: number
  json?: boolean
}

export async function query(options: QueryOptions): Promise<void> {
  const { limit } = options
  const filter = { ...auditFilter(options), limit }
  const newestFirst = await withLedger(options, 'search', ({ index }) =>
    Array.fromAsync(index.search(filter, showProgress('indexed'))),
  )
  const found = newestFirst.reverse()
  const [first] = found
  if (options.json) for (const line of found) print(JSON.stringify(line))
  else if (first === undefined) print('no matching calls')
  else if (found.length === 1) print(recordText(first))
  else for (const row of new AuditTable().rows(found)) print(row)
  if (found.length === limit && limit > 1) say(`showing the newest ${limit}; for more, raise --limit`)
}
