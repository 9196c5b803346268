/** `myrmex audit query`: calls by what is known of them. */
import { search } from '../../ledger/audit/search.ts'
import { filterOf, type Wanted } from '../../ledger/audit/wanted.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { print, say } from '../terminal.ts'
import { endWithReader } from './output.ts'
import { Columns, inFull } from './show.ts'

export interface QueryOptions extends LedgerChoice, Wanted {
  limit: number
  json?: boolean
}

export async function query(options: QueryOptions): Promise<void> {
  endWithReader()
  const { limit } = options
  const filter = { ...filterOf(options), limit }
  // The index is written to, the chain is not, and no key is needed.
  const newestFirst = await withLedger(options, ({ db }) => Array.fromAsync(search(db, filter)), { existing: true })
  const found = newestFirst.reverse()
  const [first] = found
  if (options.json) for (const line of found) print(JSON.stringify(line))
  else if (first === undefined) print('no such calls')
  else if (found.length === 1) print(inFull(first))
  else for (const row of new Columns().rows(found)) print(row)
  if (found.length === limit && limit > 1) say(`the newest ${limit}; there may be more: --limit`)
}
