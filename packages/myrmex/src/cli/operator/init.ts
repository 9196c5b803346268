/** `myrmex operator init`: creates the operator's key and locks the ledger. Earlier decisions are shown, and signed on request. */

import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { journalledDecisions } from '../../ledger/operator/journalled-decisions.ts'
import { lockLedger, signDecisions, unlockSigner, unsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { checkPassphrase, fingerprint } from '../../ledger/operator/operator-key.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal, type SecretTerminal } from '../../serve/secret-terminal.ts'
import { paint, print, say } from '../../serve/terminal.ts'
import { confirmDecisions, reportForged, unsignedLines } from './unsigned-text.ts'

export async function initOperator(
  options: LedgerFlags,
  open: () => Promise<SecretTerminal> = openSecretTerminal,
): Promise<void> {
  const terminal = await open()
  try {
    const passphrase = await withLedger(options, 'create', (ledger) => lock(ledger, terminal))
    // Opened again, because a process keeps the mode in which it started.
    await withLedger(options, 'decide', (ledger) => signEarlier(ledger, passphrase, terminal))
    say('a forgotten passphrase cannot be recovered; keep a copy of operator.key and the passphrase in safe places')
    say('restart servers that have this ledger open: they keep the mode in which they started')
  } finally {
    terminal.close()
  }
}

async function lock(ledger: Ledger, terminal: SecretTerminal): Promise<string> {
  if (ledger.lock.isLocked)
    throw ToolError.of(
      'ValidationError',
      `This ledger has an operator's key already: ${ledger.lock.fingerprint}. To replace it: npx myrmex operator rotate`,
    )
  const passphrase = await newPassphrase(terminal)
  const key = await lockLedger(ledger, passphrase, cliOperator())
  print(`${paint('green', 'locked')}  with the operator's key in ${ledger.lock.file}`)
  print(`        fingerprint ${fingerprint(key.public_key)}`)
  return passphrase
}

/** Asked twice. Throws if it is too short, or differs. */
export async function newPassphrase(terminal: SecretTerminal): Promise<string> {
  const first = await terminal.ask('New passphrase for the operator: ')
  if (first === undefined) throw ToolError.of('PermissionError', 'Cancelled: nothing was changed.')
  checkPassphrase(first)
  const second = await terminal.ask('The same passphrase again: ')
  if (second === undefined) throw ToolError.of('PermissionError', 'Cancelled: nothing was changed.')
  if (first !== second) throw ToolError.of('ValidationError', 'The two passphrases differ. Nothing was changed.')
  return first
}

async function signEarlier(ledger: Ledger, passphrase: string, terminal: SecretTerminal): Promise<void> {
  const { forged, ...unsigned } = await journalledDecisions(ledger, () => unsignedDecisions(ledger))
  reportForged(forged)
  const count = unsigned.trust.length + unsigned.grants.length
  if (count === 0) return
  print(`\n${plural(count, 'earlier decision')} without your signature:`)
  const lines = await unsignedLines(ledger, unsigned)
  print(lines.join('\n'))
  if (!(await confirmDecisions(terminal, 'Sign them?', lines))) {
    say('servers that start from now on ignore them; to sign them later: npx myrmex operator sign')
    return
  }
  const signer = await unlockSigner(ledger.lock, passphrase)
  print(`${plural(await signDecisions(ledger, unsigned, { ...cliOperator(), signer }), 'decision')} signed`)
}
