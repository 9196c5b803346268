/** A ledger on PostgreSQL goes with its server when the test ends: what is in it is written to files, to be looked at. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openExisting } from '../packages/myrmex/src/ledger/open-existing.ts'
import type { LedgerHome } from './server/server-process.ts'

const TABLES = `audit_groups audit_seals keys trust grants approvals once tasks owners runs run_events run_spends lessons`

export async function keepTables({ address, folder }: LedgerHome): Promise<void> {
  const { db } = await openExisting(address, { readOnly: true })
  try {
    for (const table of TABLES.split(' ')) {
      const rows = await db.query(`SELECT * FROM ${table}`)
      await writeFile(join(folder, `${table}.json`), JSON.stringify(rows, null, 2))
    }
  } finally {
    await db.close()
  }
}
