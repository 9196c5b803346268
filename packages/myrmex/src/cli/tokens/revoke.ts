/** `myrmex tokens revoke NAME`: it admits nobody from now on. */
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { untilFollowed } from '../../ledger/follower.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { paint, print } from '../../serve/terminal.ts'
import { requireHostLedger } from '../host/host-ledger.ts'

export async function revokeToken(name: string, options: LedgerFlags & { json?: boolean }): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    await requireHostLedger(ledger, options)
    const revoked = await ledger.tokens.revoke(name, cliOperator())
    await untilFollowed()
    if (options.json) return print(JSON.stringify({ name, revoked }, null, 2))
    print(`${paint('red', 'revoked')}  ${name}`)
  })
}
