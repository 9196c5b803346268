/** `myrmex audit verify`: whether the records are complete, the first defect if not, and what the check does not prove. */

import { readFile } from 'node:fs/promises'
import { readAnchors } from '../../ledger/journal/anchor-file.ts'
import { parseTrustedKey, type TrustedKey } from '../../ledger/journal/keyring.ts'
import { headText, parseHead } from '../../ledger/journal/query.ts'
import { type VerifyOptions, type VerifyReport, verifyLedger } from '../../ledger/journal/verify.ts'
import { linesOfFile, verifyFile } from '../../ledger/journal/verify-file.ts'
import { existingKey, keyFileOf } from '../../ledger/open.ts'
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
    ...(options.file === undefined && { key: existingKey(options.ledger, options.ledgerKey) }),
  }
  const { file } = options
  const report =
    file === undefined
      ? await withLedger(options, 'read-only', (ledger) =>
          verifyLedger(ledger, { ...checks, onCompared: showProgress('compared with the index') }),
        )
      : await verifyFile(linesOfFile(file), checks)
  print(options.json ? JSON.stringify(report, null, 2) : reportText(report, options, checks.key !== undefined))
  if (!report.ok) process.exitCode = 1
}

async function pinFrom(text: string): Promise<TrustedKey> {
  if (/^[0-9a-f]{16}$/.test(text)) return parseTrustedKey(text)
  const pem = await readFile(text, 'utf8').catch((error) => {
    throw ToolError.of('FileNotFoundError', `--key ${text} is neither a key id nor a readable file: ${error.message}`)
  })
  try {
    return parseTrustedKey(pem)
  } catch (error) {
    throw ToolError.of('ValidationError', `--key ${text}: ${(error as Error).message}`)
  }
}

function reportText(report: VerifyReport, options: VerifyAuditOptions, hasKey: boolean): string {
  const { ok, defect, heads, notices } = report
  const isFile = options.file !== undefined
  const lines = ok
    ? [`${okText(report, isFile)} ${extentText(report)}.`]
    : [
        paint('red', `The ${isFile ? 'export' : 'audit'} does not verify.`),
        wrap(clean(asSentence(defect?.message ?? '')), 2),
      ]
  for (const notice of notices) lines.push(paint('yellow', wrap(clean(asSentence(notice)), 2).trimStart()))
  if (ok) {
    for (const head of heads) lines.push(`${paint('dim', 'head ')} ${headText(head)}`)
    lines.push(...keyLines(report, options), '', paint('dim', wrap(limitsText(report, options, hasKey), 0)))
  }
  return lines.join('\n')
}

function okText({ accepted_breaks: breaks }: VerifyReport, isFile: boolean): string {
  if (breaks === 0) return paint('green', isFile ? 'The export verifies:' : 'The audit is complete:')
  return paint('yellow', `The ${isFile ? 'export' : 'audit'} verifies, except for ${plural(breaks, 'accepted break')}:`)
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
function limitsText({ keyed, accepted_breaks }: VerifyReport, options: VerifyAuditOptions, hasKey: boolean): string {
  const except = accepted_breaks === 0 ? '' : 'This is not about what was accepted as broken. '
  return `${except}${keyed ? KEYED : unkeyedText(options, hasKey)} ${elsewhereText(options)}`
}

const KEYED = "Nobody without the ledger's key has altered, inserted or removed a record."

function unkeyedText({ file, ledger }: VerifyAuditOptions, hasKey: boolean): string {
  if (file !== undefined) return 'Signatures cover everything in the file.'
  const why = hasKey
    ? 'Some chains were written with another key, so their MACs were not checked.'
    : `There is no readable key at ${clean(keyFileOf(ledger))}, so MACs were not checked.`
  return `${why} Signatures cover every record.`
}

function elsewhereText({ anchors, head }: VerifyAuditOptions): string {
  if (anchors === undefined && head === undefined) return NOTHING_ELSEWHERE
  const what = anchors === undefined ? 'heads' : head === undefined ? 'anchors' : 'anchors and heads'
  return `The ${what} that you passed show that nobody rewrote what was recorded before them, not even with the key.`
}

const NOTHING_ELSEWHERE =
  'Somebody who put back an old copy of the whole ledger, or who has the key, can only be detected with anchors or heads that ' +
  'were stored elsewhere: see --anchors and --head.'
