/** `myrmex untrust TOOL`: no version can be called any more, and all grants are revoked. */

import { isSelection } from '../../ledger/decisions/bulk/selection.ts'
import { untrustVersions } from '../../ledger/decisions/decide.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { trackedTools, trackedVersions } from '../../ledger/decisions/tracked-tools.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print } from '../../serve/terminal.ts'
import { type BulkFlags, untrustMany } from './bulk.ts'

export interface UntrustOptions extends LedgerFlags, BulkFlags {
  all?: boolean
  readOnlyTools?: boolean
}

export async function untrustTools(names: readonly string[], options: UntrustOptions): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    const known = await trackedTools(ledger)
    const [name] = names
    const readOnly = options.readOnlyTools === true
    if (name === undefined || readOnly || options.dryRun || options.json || isSelection(known, names))
      return untrustMany(ledger, known, { names, readOnly }, options)
    const versions = trackedVersions(known, name)
    const [{ tool }] = versions
    const by = cliOperator()
    const revoked = await untrustVersions(ledger, versions, by)
    const list = versions.map(({ version }) => version).join(', ')
    print(
      `${paint('red', 'untrusted')}  ${tool} ${list} by ${oneLine(by.name)}: ${plural(revoked, 'standing grant')} revoked`,
    )
  })
}
