/** `myrmex audit verify`: whether the record is whole, what is wrong first if not, and what that does not prove. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Pin, pinOf } from '../../ledger/audit/keyring.ts'
import { type Verdict, type VerifyOptions, verify } from '../../ledger/audit/verify.ts'
import { verifyFile } from '../../ledger/audit/verify-file.ts'
import { headFrom } from '../../ledger/audit/wanted.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { clean, paint, print, wrap } from '../terminal.ts'
import { counted, number } from './show.ts'

export interface VerifyAuditOptions extends LedgerChoice {
  key?: string[]
  head?: string
  file?: string
  json?: boolean
}

export async function verifyAudit(options: VerifyAuditOptions): Promise<void> {
  const checks: VerifyOptions = {
    pins: await Promise.all((options.key ?? []).map(pinFrom)),
    ...(options.head !== undefined && { head: headFrom(options.head, '--head') }),
  }
  const { file } = options
  const verdict =
    file === undefined
      ? await withLedger(options, ({ db }) => verify(db, checks), { readOnly: true })
      : await verifyFile(linesOf(file), checks)
  print(options.json ? JSON.stringify(verdict, null, 2) : readable(verdict, options))
  if (!verdict.ok) process.exitCode = 1
}

async function pinFrom(text: string): Promise<Pin> {
  if (/^[0-9a-f]{16}$/.test(text)) return pinOf(text)
  const pem = await readFile(text, 'utf8').catch((error) => {
    throw new ToolError('FileNotFoundError', `--key ${text} is no key id, and no file: ${error.message}`)
  })
  return pinOf(pem)
}

/** Not by readline: it takes U+2028 for the end of a line, and JSON may hold one. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(file, 'utf8')) {
      const texts = `${rest}${chunk}`.split('\n')
      rest = texts.pop() ?? ''
      yield* texts
    }
  } catch (error) {
    throw new ToolError('FileNotFoundError', `${file} cannot be read: ${(error as Error).message}`)
  }
  yield rest
}

function readable(verdict: Verdict, options: VerifyAuditOptions): string {
  const { ok, defect, head, signed, notices } = verdict
  const what = options.file === undefined ? 'The audit' : 'The export'
  const lines = ok
    ? [`${paint('green', `${what} is whole:`)} ${extent(verdict)}.`]
    : [
        paint('red', `${what} does not verify.`),
        wrap(clean(sentence(defect?.message ?? '')), 2),
        wrap(before(signed), 2),
      ]
  for (const notice of notices) lines.push(paint('yellow', wrap(clean(sentence(notice)), 2).trimStart()))
  if (head.seq > 0 && ok) lines.push(`${paint('dim', 'head ')} ${head.seq}:${head.hash}`, ...keysOf(verdict, options))
  if (ok) lines.push('', paint('dim', wrap(LIMITS, 0)))
  return lines.join('\n')
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function extent({ groups, lines, pruned_lines, unsigned_lines }: Verdict): string {
  const held = `${counted(lines, 'line')} in ${counted(groups, 'group')}`
  const signed =
    lines === 0
      ? ''
      : unsigned_lines === 0
        ? ', signed to the end'
        : `, signed but for the last ${number(unsigned_lines)}`
  const pruned =
    pruned_lines === 0 ? '' : `; ${counted(pruned_lines, 'older line')} pruned, with signed stubs in their place`
  return `${held}${signed}${pruned}`
}

const before = ({ seq, line }: Verdict['signed']): string =>
  seq === 0
    ? 'No signature covers anything before that.'
    : `Up to group ${number(seq)} (line ${number(line)}) all is whole and signed.`

function keysOf({ seals }: Verdict, { key, file }: VerifyAuditOptions): string[] {
  const pinned =
    key === undefined ? `, as the ${file === undefined ? 'ledger' : 'file'} itself says; --key makes sure of it` : ''
  return Object.entries(seals).map(
    ([id, count]) => `${paint('dim', 'key  ')} ${clean(id)} (${counted(count, 'signature')}${pinned})`,
  )
}

/** What no chain of hashes can show. SECURITY.md says it too. */
const LIMITS = `This is tamper-evident, not tamper-proof. Whoever holds the private key can rewrite the record from any point
 on and sign it anew, and whoever can write to the store can cut off its end. Both show only against a head that was noted
 elsewhere: keep the head above, and give it later as --head.`
