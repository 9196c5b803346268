/** `myrmex untrust TOOL`: no version of it may be called any more, and no grant stands. */
import { counted } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { paint, print } from '../terminal.ts'
import { whoDecides } from '../who.ts'
import { seenTools, versionsOf } from './seen.ts'

export async function withdrawTrust(name: string, options: LedgerChoice): Promise<void> {
  await withLedger(
    options,
    async (ledger) => {
      const versions = versionsOf(await seenTools(ledger), name)
      const [{ tool }] = versions
      const by = whoDecides()
      for (const { definition, decision } of versions) {
        // The pin stays where it was, so that it can still be told what changed since.
        await ledger.trust.set(decision ?? definition, 'untrusted', by)
      }
      const revoked = await ledger.grants.revoke(tool, by)
      const list = versions.map(({ version }) => version).join(', ')
      print(
        `${paint('red', 'untrusted')}  ${tool} ${list} by ${oneLine(by)}: ${counted(revoked, 'standing grant')} taken back`,
      )
    },
    { existing: true },
  )
}
