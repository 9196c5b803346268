/** `myrmex audit accept-break`: shows what is wrong with the journal, and with --yes starts a new chain that records it. */
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { acceptBreak, type BreakFindings, isBroken } from '../../ledger/journal/accept-break.ts'
import { openLedger } from '../../ledger/open.ts'
import { asSentence, plural } from '../../protocol/text.ts'
import type { LedgerFlags } from '../../serve/ledger.ts'
import { reportError } from '../../serve/signals.ts'
import { clean, paint, print, wrap } from '../../serve/terminal.ts'

export interface AcceptBreakOptions extends LedgerFlags {
  reason: string
  newKey?: boolean
  yes?: boolean
}

export async function acceptJournalBreak(options: AcceptBreakOptions): Promise<void> {
  const ledger = await openLedger(options.ledger, {
    ...(options.ledgerKey !== undefined && { keyFile: options.ledgerKey }),
    mustExist: true,
    acceptBreak: options.newKey ? 'new key' : 'same key',
    onFailure: reportError,
  })
  try {
    const by = cliOperator()
    const findings = await acceptBreak(ledger, by, options.yes ? options.reason : undefined)
    print(findingsText(findings))
    if (!isBroken(findings)) return
    if (options.yes) print(`${paint('green', 'accepted')} by ${clean(by.name)}: a new chain begins with this statement`)
    else print('Nothing was changed. Stop every process that uses the ledger, then add --yes to accept it as it is.')
  } finally {
    await ledger.close()
  }
}

function findingsText(findings: BreakFindings): string {
  if (!isBroken(findings)) return 'The journal verifies. There is nothing to accept.'
  const { mark, stub, broken } = findings
  const lines = mark === undefined ? [] : [asSentence(mark)]
  if (stub !== undefined) lines.push(asSentence(stub))
  if (broken.length > 0)
    lines.push(`${plural(broken.length, 'chain')} ${broken.length === 1 ? 'does' : 'do'} not verify:`)
  for (const { defect = '' } of broken) lines.push(wrap(clean(asSentence(defect)), 2))
  return lines.join('\n')
}
