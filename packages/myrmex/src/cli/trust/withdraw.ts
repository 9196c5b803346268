/** `myrmex untrust TOOL`: no version of it may be called any more, and no grant stands. */
import { untrustSeen } from '../../ledger/decide.ts'
import { seenTools, versionsOf } from '../../ledger/seen.ts'
import { whoDecides } from '../../ledger/who.ts'
import { counted } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { paint, print } from '../terminal.ts'
import { FROM_FILE } from './files.ts'

export async function withdrawTrust(name: string, options: LedgerChoice): Promise<void> {
  await withLedger(
    options,
    async (ledger) => {
      const versions = versionsOf(await seenTools(ledger), name, FROM_FILE)
      const [{ tool }] = versions
      const by = whoDecides()
      const revoked = await untrustSeen(ledger, versions, by)
      const list = versions.map(({ version }) => version).join(', ')
      print(
        `${paint('red', 'untrusted')}  ${tool} ${list} by ${oneLine(by)}: ${counted(revoked, 'standing grant')} taken back`,
      )
    },
    { existing: true },
  )
}
