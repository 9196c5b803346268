/** `myrmex untrust TOOL`: no version can be called any more, and all grants are revoked. */

import { untrustVersions } from '../../ledger/decisions/decide.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { trackedTools, trackedVersions } from '../../ledger/decisions/tracked-tools.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print } from '../../serve/terminal.ts'

export async function untrustTool(name: string, options: LedgerFlags): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    const versions = trackedVersions(await trackedTools(ledger), name)
    const [{ tool }] = versions
    const by = cliOperator()
    const revoked = await untrustVersions(ledger, versions, by)
    const list = versions.map(({ version }) => version).join(', ')
    print(
      `${paint('red', 'untrusted')}  ${tool} ${list} by ${oneLine(by.name)}: ${plural(revoked, 'standing grant')} revoked`,
    )
  })
}
