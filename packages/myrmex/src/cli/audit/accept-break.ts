/** `myrmex audit accept-break`: shows what is wrong with the journal, and with --yes starts a new chain that records it. */
import { existsSync } from 'node:fs'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { acceptBreak, type BreakFindings, findBreak, isBroken } from '../../ledger/journal/accept-break.ts'
import { loadKey } from '../../ledger/journal/key.ts'
import { keyFileOf, lockFilesOf, openLedger } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { asSentence, plural } from '../../protocol/text.ts'
import { requireLedger } from '../../serve/folder-trust.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { reportError } from '../../serve/signals.ts'
import { clean, paint, print, wrap } from '../../serve/terminal.ts'
import { showProgress } from './progress.ts'

export interface AcceptBreakOptions extends LedgerFlags {
  reason: string
  newKey?: boolean
  yes?: boolean
}

export async function acceptJournalBreak(options: AcceptBreakOptions): Promise<void> {
  if (options.reason.trim() === '')
    throw ToolError.of('ValidationError', '--reason is empty. State why the change is accepted; it is recorded.')
  if (options.yes) await accept(options)
  else await preview(options)
}

async function accept(options: AcceptBreakOptions): Promise<void> {
  const binding = await requireLedger(options.ledger, options.ledgerKey)
  const ledger = await openLedger(options.ledger, {
    ...(options.ledgerKey !== undefined && { keyFile: options.ledgerKey }),
    mustExist: true,
    acceptBreak: options.newKey ? 'new key' : 'same key',
    onFailure: reportError,
  })
  // The key may be a new one.
  await binding.opened(ledger.key.id)
  try {
    const by = cliOperator()
    const findings = await acceptBreak(ledger, by, options.reason)
    print(findingsText(findings))
    if (!isBroken(findings)) return
    // It may still have records that are lost.
    await ledger.index.rebuild(showProgress('indexed'))
    print(`${paint('green', 'accepted')} by ${clean(by.name)}: a new chain begins with this statement`)
  } finally {
    await ledger.close()
  }
}

/** Creates nothing, not even the new key: a journal would no longer fit it. */
async function preview(options: AcceptBreakOptions): Promise<void> {
  const file = options.ledgerKey ?? keyFileOf(options.ledger)
  const isLost = options.newKey === true && !existsSync(file)
  const findings = await withLedger(options, 'read-only', (ledger) =>
    findBreak(
      ledger,
      isLost ? undefined : loadKey(file, { create: false }),
      lockFilesOf(options.ledger, options.ledgerKey),
    ),
  )
  if (isLost) print(`The ledger's key ${clean(file)} does not exist. With --yes a new one is created there.`)
  if (!isLost || isBroken(findings)) print(findingsText(findings))
  if (isLost || isBroken(findings))
    print('Nothing was changed. Stop every process that uses the ledger, then add --yes to accept it as it is.')
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
