/** `myrmex audit verify`: whether the records are complete, the first defect if not, and what the check does not prove. */

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseTrustedKey, type TrustedKey } from '../../ledger/audit/keyring.ts'
import { parseExpectedHead } from '../../ledger/audit/query.ts'
import { type VerifyOptions, type VerifyReport, verifyJournal } from '../../ledger/audit/verify.ts'
import { verifyFile } from '../../ledger/audit/verify-file.ts'
import { ToolError } from '../../protocol/errors.ts'
import { asSentence, plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { clean, paint, print, wrap } from '../../serve/terminal.ts'
import { formatNumber } from './format.ts'

export interface VerifyAuditOptions extends LedgerFlags {
  key?: string[]
  head?: string
  file?: string
  json?: boolean
}

export async function verifyAudit(options: VerifyAuditOptions): Promise<void> {
  const checks: VerifyOptions = {
    trustedKeys: await Promise.all((options.key ?? []).map(pinFrom)),
    ...(options.head !== undefined && { head: parseExpectedHead(options.head, '--head') }),
  }
  const { file } = options
  const verdict =
    file === undefined
      ? await withLedger(options, 'read-only', ({ db }) => verifyJournal(db, checks))
      : await verifyFile(linesOf(file), checks)
  print(options.json ? JSON.stringify(verdict, null, 2) : verdictText(verdict, options))
  if (!verdict.ok) process.exitCode = 1
}

async function pinFrom(text: string): Promise<TrustedKey> {
  if (/^[0-9a-f]{16}$/.test(text)) return parseTrustedKey(text)
  const pem = await readFile(text, 'utf8').catch((error) => {
    throw ToolError.of('FileNotFoundError', `--key ${text} is neither a key id nor a readable file: ${error.message}`)
  })
  return parseTrustedKey(pem)
}

/** Without readline, which treats U+2028 as the end of a line; JSON may contain it. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(file, 'utf8')) {
      const texts = `${rest}${chunk}`.split('\n')
      rest = texts.pop() ?? ''
      yield* texts
    }
  } catch (error) {
    throw ToolError.of('FileNotFoundError', `${file} cannot be read: ${(error as Error).message}`)
  }
  yield rest
}

function verdictText(verdict: VerifyReport, options: VerifyAuditOptions): string {
  const { ok, defect, head, signed, notices } = verdict
  const what = options.file === undefined ? 'The audit' : 'The export'
  const lines = ok
    ? [`${paint('green', `${what} is complete:`)} ${extentText(verdict)}.`]
    : [
        paint('red', `${what} does not verify.`),
        wrap(clean(asSentence(defect?.message ?? '')), 2),
        wrap(signedText(signed), 2),
      ]
  for (const notice of notices) lines.push(paint('yellow', wrap(clean(asSentence(notice)), 2).trimStart()))
  if (head.seq > 0 && ok) lines.push(`${paint('dim', 'head ')} ${head.seq}:${head.hash}`, ...keyLines(verdict, options))
  if (ok) lines.push('', paint('dim', wrap(LIMITS, 0)))
  return lines.join('\n')
}

function extentText({ groups, lines, pruned_lines, unsigned_lines }: VerifyReport): string {
  const held = `${plural(lines, 'line')} in ${plural(groups, 'group')}`
  const signed =
    lines === 0
      ? ''
      : unsigned_lines === 0
        ? ', signed to the end'
        : `, all signed but the last ${formatNumber(unsigned_lines)}`
  const pruned =
    pruned_lines === 0 ? '' : `; ${plural(pruned_lines, 'older line')} pruned, with signed stubs in their place`
  return `${held}${signed}${pruned}`
}

const signedText = ({ seq, line }: VerifyReport['signed']): string =>
  seq === 0
    ? 'No signature covers the records before that.'
    : `Up to group ${formatNumber(seq)} (line ${formatNumber(line)}) everything is complete and signed.`

function keyLines({ seals }: VerifyReport, { key, file }: VerifyAuditOptions): string[] {
  const pinned =
    key === undefined ? `, as the ${file === undefined ? 'ledger' : 'file'} itself states; --key checks it` : ''
  return Object.entries(seals).map(
    ([id, count]) => `${paint('dim', 'key  ')} ${clean(id)} (${plural(count, 'signature')}${pinned})`,
  )
}

/** What a chain of hashes cannot show, as in SECURITY.md. */
const LIMITS = `This is tamper-evident, not tamper-proof. Anybody with the private key can rewrite the records from any point
 on and sign them again, and anybody who can write to the store can cut off its end. Both can only be detected with a head that
 was stored elsewhere: keep the head above, and pass it later with --head.`
