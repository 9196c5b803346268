/** `myrmex audit verify`: whether the records are complete, the first defect if not, and what the check does not prove. */

import { readFile } from 'node:fs/promises'
import { readAnchors } from '../../ledger/journal/anchor-file.ts'
import { parseTrustedKey, type TrustedKey } from '../../ledger/journal/keyring.ts'
import { headText, parseHead } from '../../ledger/journal/query.ts'
import { type VerifyOptions, type VerifyReport, verifyLedger } from '../../ledger/journal/verify.ts'
import { linesOfFile, verifyFile } from '../../ledger/journal/verify-file.ts'
import { existingKey } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { asSentence, plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { clean, paint, print, wrap } from '../../serve/terminal.ts'
import { showProgress } from './progress.ts'

export interface VerifyAuditOptions extends LedgerFlags {
  key?: string[]
  head?: string[]
  anchors?: string[]
  file?: string
  json?: boolean
}

export async function verifyAudit(options: VerifyAuditOptions): Promise<void> {
  const checks: VerifyOptions = {
    trustedKeys: await Promise.all((options.key ?? []).map(pinFrom)),
    heads: (options.head ?? []).map((text) => parseHead(text, '--head')),
    anchors: (await Promise.all((options.anchors ?? []).map(readAnchors))).flat(),
    onProgress: showProgress('checked'),
    key: existingKey(options.ledger, options.ledgerKey),
  }
  const { file } = options
  const report =
    file === undefined
      ? await withLedger(options, 'read-only', (ledger) => verifyLedger(ledger, checks))
      : await verifyFile(linesOfFile(file), checks)
  print(options.json ? JSON.stringify(report, null, 2) : reportText(report, options))
  if (!report.ok) process.exitCode = 1
}

async function pinFrom(text: string): Promise<TrustedKey> {
  if (/^[0-9a-f]{16}$/.test(text)) return parseTrustedKey(text)
  const pem = await readFile(text, 'utf8').catch((error) => {
    throw ToolError.of('FileNotFoundError', `--key ${text} is neither a key id nor a readable file: ${error.message}`)
  })
  return parseTrustedKey(pem)
}

function reportText(report: VerifyReport, options: VerifyAuditOptions): string {
  const { ok, defect, heads, notices } = report
  const isFile = options.file !== undefined
  const lines = ok
    ? [`${paint('green', isFile ? 'The export verifies:' : 'The audit is complete:')} ${extentText(report)}.`]
    : [
        paint('red', `The ${isFile ? 'export' : 'audit'} does not verify.`),
        wrap(clean(asSentence(defect?.message ?? '')), 2),
      ]
  for (const notice of notices) lines.push(paint('yellow', wrap(clean(asSentence(notice)), 2).trimStart()))
  if (ok) {
    for (const head of heads) lines.push(`${paint('dim', 'head ')} ${headText(head)}`)
    lines.push(...keyLines(report, options), '', paint('dim', wrap(limitsText(report, options), 0)))
  }
  return lines.join('\n')
}

function extentText({ groups, records, chains, pruned_records, unsigned_records, keyed }: VerifyReport): string {
  const held = `${plural(records, 'record')} in ${plural(groups, 'group')} of ${plural(chains, 'chain')}`
  const macs = keyed ? ', every MAC checked' : ', checked by signatures only'
  const signed = unsigned_records === 0 ? ', signed to the end' : `, all signed but the last ${unsigned_records}`
  const pruned =
    pruned_records === 0 ? '' : `; ${plural(pruned_records, 'older record')} pruned, as a signed stub states`
  return `${held}${macs}${records === 0 ? '' : signed}${pruned}`
}

function keyLines({ seals }: VerifyReport, { key, file }: VerifyAuditOptions): string[] {
  // Of a file the report itself says so.
  const pinned = key === undefined && file === undefined ? ', as the ledger itself states; --key checks it' : ''
  return Object.entries(seals).map(
    ([id, count]) => `${paint('dim', 'key  ')} ${clean(id)} (${plural(count, 'signature')}${pinned})`,
  )
}

/** What the check cannot show, as in SECURITY.md. */
function limitsText({ keyed }: VerifyReport, { anchors, file }: VerifyAuditOptions): string {
  const byKey = keyed
    ? "Nobody without the ledger's key has altered, inserted or removed a record."
    : file === undefined
      ? "The ledger's key was not at hand, so MACs were not checked."
      : 'Signatures cover everything in the file.'
  const byAnchor =
    anchors === undefined
      ? ' Somebody who put back an old copy of the whole ledger, or who has the key, can only be detected with anchors or heads ' +
        'that were stored elsewhere: see --anchors and --head.'
      : ' The anchors show that nobody rewrote what was recorded before them, not even with the key.'
  return `${byKey}${byAnchor}`
}
