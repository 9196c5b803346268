/** `myrmex operator sign` and `myrmex trust --configured`: shows decisions that are not signed, asks, and signs them. */
import { BY_CONFIGURATION } from '../../ledger/decisions/trust.ts'
import { signDecisions, unsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { plural } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal, type SecretTerminal } from '../../serve/secret-terminal.ts'
import { print, say } from '../../serve/terminal.ts'
import { confirmDecisions, unsignedLines } from './unsigned-text.ts'

export const signConfigured = (options: LedgerFlags): Promise<void> => signUnsigned(options, BY_CONFIGURATION)

/** `setBy`: only decisions of this decider, such as myrmex.json. */
export async function signUnsigned(
  options: LedgerFlags,
  setBy?: string,
  open: () => Promise<SecretTerminal> = openSecretTerminal,
): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    if (!ledger.lock.isLocked) {
      print(
        'This ledger is in open mode: every decision counts without a signature. To lock it: npx myrmex operator init',
      )
      return
    }
    const unsigned = await unsignedDecisions(ledger, setBy)
    if (unsigned.trust.length + unsigned.grants.length === 0) return print('nothing waits for your signature')
    const lines = unsignedLines(unsigned)
    print(lines.join('\n'))
    const terminal = await open()
    let isWanted: boolean
    try {
      isWanted = await confirmDecisions(terminal, 'Sign these decisions?', lines)
    } finally {
      terminal.close()
    }
    if (!isWanted) {
      say('nothing was changed')
      process.exitCode = 1
      return
    }
    const by = await cliDecider(ledger, 'to sign them', open)
    const signed = await signDecisions(ledger, unsigned, by)
    print(`${plural(signed, 'decision')} signed`)
    const left = unsigned.trust.length + unsigned.grants.length - signed
    if (left > 0)
      say(`${plural(left, 'decision')} changed while you decided: not signed. To look again: myrmex operator sign`)
  })
}
