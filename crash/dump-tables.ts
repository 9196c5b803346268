/** A ledger on PostgreSQL goes with its server when the test ends: its tables and segments are written to files, to be looked at. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentName } from '../packages/myrmex/src/ledger/journal/segment.ts'
import { openExisting } from '../packages/myrmex/src/ledger/open-existing.ts'
import type { LedgerHome } from './server/server-process.ts'

const TABLES = `journal_mark keys trust grants approvals once tasks owners runs run_events run_spends lessons`

export async function keepTables({ address, folder }: LedgerHome): Promise<void> {
  const { db, journal } = await openExisting(address, { readOnly: true })
  try {
    for (const segment of await journal.store.segments()) {
      const bytes = await Array.fromAsync(journal.store.read(segment))
      await writeFile(join(folder, segmentName(segment)), Buffer.concat(bytes))
    }
    for (const table of TABLES.split(' ')) {
      const rows = await db.query(`SELECT * FROM ${table}`)
      await writeFile(join(folder, `${table}.json`), JSON.stringify(rows, null, 2))
    }
  } finally {
    await db.close()
  }
}
