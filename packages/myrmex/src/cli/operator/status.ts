/** `myrmex operator status`: whether the ledger is locked, with which key, and what does not count for lack of a signature. */
import { existsSync } from 'node:fs'
import { knownLock, lockFault } from '../../ledger/journal/noted-mark.ts'
import { lockFilesOf } from '../../ledger/open.ts'
import { readMark, unsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { print, say } from '../../serve/terminal.ts'
import { unsignedLines } from './unsigned-text.ts'

export async function showOperator(options: LedgerFlags & { json?: boolean }): Promise<void> {
  await withLedger(options, 'read-only', async (ledger) => {
    const { isLocked, keyId = null, fingerprint = null } = ledger.lock
    const files = lockFilesOf(options.ledger, options.ledgerKey)
    const file = files?.operatorKey
    const fault = files && lockFault(await knownLock(files), await readMark(ledger))
    if (fault !== undefined) {
      say(`this ledger does not open: ${fault}. To see what is there: npx myrmex audit accept-break --reason TEXT`)
      process.exitCode = 1
    }
    const unsigned = await unsignedDecisions(ledger)
    const count = unsigned.trust.length + unsigned.grants.length
    if (options.json)
      return print(
        JSON.stringify({ mode: isLocked ? 'locked' : 'open', key: keyId, fingerprint, file, unsigned: count }),
      )
    if (fault !== undefined) return
    if (!isLocked) {
      print('open mode: any process of this user can approve and trust. To lock the ledger: npx myrmex operator init')
      return
    }
    const where = file !== undefined && existsSync(file) ? file : `${file}, which does not exist: restore it`
    print(`locked with the operator's key ${keyId}`)
    print(`fingerprint ${fingerprint}`)
    print(`file        ${where}`)
    if (count === 0) return print('every decision is signed')
    print(`${plural(count, 'decision')} without your signature, which do not count (npx myrmex operator sign):`)
    for (const line of await unsignedLines(ledger, unsigned)) print(line)
  })
}
