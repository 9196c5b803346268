/** `myrmex operator rotate|remove`: both need the passphrase of the key in use. */
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { journalledDecisions } from '../../ledger/operator/journalled-decisions.ts'
import {
  replaceOperatorKey,
  signDecisions,
  type UnsignedDecisions,
  unlockLedger,
  unlockSigner,
  unsignedDecisions,
} from '../../ledger/operator/operator-admin.ts'
import { fingerprint } from '../../ledger/operator/operator-key.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal, type SecretTerminal } from '../../serve/secret-terminal.ts'
import { paint, print, say } from '../../serve/terminal.ts'
import { newPassphrase } from './init.ts'
import { confirmDecisions, reportForged, unsignedLines } from './unsigned-text.ts'

type Open = () => Promise<SecretTerminal>
const RESTART = 'restart servers that have this ledger open: they keep the key with which they started'

export async function rotateOperator(options: LedgerFlags, open: Open = openSecretTerminal): Promise<void> {
  const { passphrase, before } = await withLedger(options, 'decide', (ledger) => rotate(ledger, open))
  await withLedger(options, 'decide', async (ledger) => {
    const signer = await unlockSigner(ledger.lock, passphrase)
    // What the old key had signed, and nothing else.
    const isBefore = (kept: ReadonlySet<string>) => (row: object) => kept.has(JSON.stringify(row))
    const { forged, ...again } = await journalledDecisions(ledger, async () => {
      const { trust, grants } = await unsignedDecisions(ledger)
      return { trust: trust.filter(isBefore(before.trust)), grants: grants.filter(isBefore(before.grants)) }
    })
    reportForged(forged)
    print(`${plural(await signDecisions(ledger, again, { ...cliOperator(), signer }), 'decision')} signed again`)
  })
  say('approvals that are given and not used yet must be given again')
  say(RESTART)
}

async function rotate(ledger: Ledger, open: Open) {
  requireLocked(ledger)
  const by = await cliDecider(ledger, 'the one in use now', open)
  const before = await signedRows(ledger)
  const terminal = await open()
  try {
    const passphrase = await newPassphrase(terminal)
    const key = await replaceOperatorKey(ledger, passphrase, by)
    print(`${paint('green', 'rotated')}  the operator's key is new: fingerprint ${fingerprint(key.public_key)}`)
    return { passphrase, before }
  } finally {
    terminal.close()
  }
}

/** Rows that count now. */
async function signedRows({ trust, grants }: Ledger) {
  const rows = (await trust.decisions()).filter((row) => row.level !== 'untrusted' && trust.isSigned(row))
  const given = (await grants.list()).filter((grant) => grant.revoked_at === null && grants.isSigned(grant))
  const texts = (found: readonly object[]): ReadonlySet<string> => new Set(found.map((row) => JSON.stringify(row)))
  return { trust: texts(rows), grants: texts(given) }
}

export async function removeOperator(options: LedgerFlags, open: Open = openSecretTerminal): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    requireLocked(ledger)
    const unsigned = await unsignedDecisions(ledger)
    const terminal = await open()
    try {
      if (!(await confirmRemoval(terminal, ledger, unsigned))) {
        say('nothing was changed')
        process.exitCode = 1
        return
      }
    } finally {
      terminal.close()
    }
    await unlockLedger(ledger, await cliDecider(ledger, 'to unlock the ledger', open))
    print(`${paint('yellow', 'open mode')}  any process of this user can approve and trust from now on`)
    say(RESTART)
  })
}

async function confirmRemoval(terminal: SecretTerminal, ledger: Ledger, unsigned: UnsignedDecisions): Promise<boolean> {
  const count = unsigned.trust.length + unsigned.grants.length
  const lines = await unsignedLines(ledger, unsigned)
  if (count > 0) print([`${plural(count, 'decision')} that nobody signed will count:`, ...lines].join('\n'))
  return confirmDecisions(terminal, 'Unlock the ledger?', lines, 'unlock')
}

function requireLocked({ lock }: Ledger): void {
  if (!lock.isLocked)
    throw ToolError.of('ValidationError', 'This ledger has no operator. To create a key: npx myrmex operator init')
}
