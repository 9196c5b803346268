/** `myrmex operator sign` and `myrmex trust --configured`: shows decisions that are not signed, asks, and signs them. */
import { dirname, resolve } from 'node:path'
import { HOST_FILE, readConfiguredTrust } from '../../host/config/read-host-file.ts'
import { givenByConfig } from '../../host/trust/given-by-config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { journalledDecisions } from '../../ledger/operator/journalled-decisions.ts'
import { signDecisions, type UnsignedDecisions, unsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { plural } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal, type SecretTerminal } from '../../serve/secret-terminal.ts'
import { print, say } from '../../serve/terminal.ts'
import { confirmDecisions, reportForged, unsignedLines } from './unsigned-text.ts'

type Open = () => Promise<SecretTerminal>
type Choose = (ledger: Ledger, unsigned: UnsignedDecisions) => Promise<UnsignedDecisions>

/** Signs what myrmex.json gives, and nothing else that has its name. */
export async function signConfigured(
  options: LedgerFlags & { config?: string },
  open: Open = openSecretTerminal,
): Promise<void> {
  const path = options.config ?? HOST_FILE
  await signChosen(options, open, async (ledger, unsigned) => {
    if (unsigned.trust.length + unsigned.grants.length === 0) return unsigned
    // A file that the operator names is used as it is.
    if (options.config === undefined) await requireFolder(dirname(resolve(path)))
    const { other, ...given } = await givenByConfig(ledger, unsigned, await readConfiguredTrust(path))
    const count = other.trust.length + other.grants.length
    if (count > 0) {
      say(
        `${path} does not give ${plural(count, 'decision')} that the ledger has from it, which you are not asked to sign:`,
      )
      for (const line of await unsignedLines(ledger, other)) print(line)
    }
    return given
  })
}

export const signUnsigned = (options: LedgerFlags, open: Open = openSecretTerminal): Promise<void> =>
  signChosen(options, open, async (_, unsigned) => unsigned)

async function signChosen(options: LedgerFlags, open: Open, choose: Choose): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    if (!ledger.lock.isLocked) {
      print(
        'This ledger is in open mode: every decision counts without a signature. To lock it: npx myrmex operator init',
      )
      return
    }
    const { forged, ...found } = await journalledDecisions(ledger, () => unsignedDecisions(ledger))
    reportForged(forged)
    const unsigned = await choose(ledger, found)
    if (unsigned.trust.length + unsigned.grants.length === 0) return print('nothing waits for your signature')
    const lines = await unsignedLines(ledger, unsigned)
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
