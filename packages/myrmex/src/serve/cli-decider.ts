/** Who decides at the command line. In a locked ledger that is who knows the operator's passphrase. */
import { setTimeout as pause } from 'node:timers/promises'
import { cliOperator } from '../ledger/decisions/operator-name.ts'
import type { Decider } from '../ledger/journal/decision.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { ToolError } from '../protocol/errors.ts'
import { openSecretTerminal, type SecretTerminal } from './secret-terminal.ts'

export type NamedDecider = Exclude<Decider, string>

const ATTEMPTS = 3
/** A person does not notice it, a program that guesses does. */
const WRONG_MS = 1000

/** Asks for the passphrase if the ledger is locked. `why` completes "The operator's passphrase, …". */
export async function cliDecider(
  { lock }: Ledger,
  why = 'to sign this decision',
  open: () => Promise<SecretTerminal> = openSecretTerminal,
): Promise<NamedDecider> {
  if (!lock.isLocked) return cliOperator()
  const { operatorKeyOf } = await import('../ledger/operator/operator-admin.ts')
  const { unlockOperatorKey, WRONG_PASSPHRASE } = await import('../ledger/operator/operator-key.ts')
  const key = await operatorKeyOf(lock)
  const terminal = await open()
  try {
    for (let attempt = 1; ; attempt++) {
      const passphrase = await terminal.ask(`The operator's passphrase, ${why}: `)
      if (passphrase === undefined) throw ToolError.of('PermissionError', 'Cancelled: nothing was decided.')
      try {
        return { ...cliOperator(), signer: await unlockOperatorKey(key, passphrase) }
      } catch (error) {
        await pause(WRONG_MS)
        if (attempt === ATTEMPTS) throw error
        terminal.tell(WRONG_PASSPHRASE)
      }
    }
  } finally {
    terminal.close()
  }
}
