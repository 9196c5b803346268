/** `myrmex audit reindex`: makes the index of records again, and with --decisions the tables of decisions. */
import { DecisionCheck } from '../../ledger/journal/decision-tables.ts'
import { verifyJournal } from '../../ledger/journal/verify.ts'
import { existingKey } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { print } from '../../serve/terminal.ts'
import { showProgress } from './progress.ts'

export interface ReindexOptions extends LedgerFlags {
  decisions?: boolean
}

export async function reindex(options: ReindexOptions): Promise<void> {
  await withLedger(options, 'change', async ({ db, journal, index }) => {
    const count = await index.rebuild(showProgress('indexed'))
    print(`The index was made again: ${plural(count, 'record')}.`)
    if (!options.decisions) return
    const decisions = new DecisionCheck()
    const key = existingKey(options.ledger, options.ledgerKey)
    const report = await verifyJournal({ store: journal.store, db }, { key, decisions })
    if (!report.ok) {
      throw ToolError.of(
        'ValidationError',
        `The journal does not verify, so no table was changed: ${report.defect?.message}.`,
      )
    }
    await db.transaction(decisions.rebuild())
    print(`The tables of trust, grants and approvals were made again from ${plural(decisions.count, 'decision')}.`)
  })
}
