/** Decisions that wait for the operator's signature, for the person who signs them. */
import type { Grant } from '../../ledger/decisions/grants.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { UnsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { plural } from '../../protocol/text.ts'
import { confirmShown } from '../../serve/confirm.ts'
import { foreignLines, textColumns } from '../../serve/foreign-text.ts'
import type { SecretTerminal } from '../../serve/secret-terminal.ts'
import { oneLine, padColumns, print, say } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'

export async function unsignedLines(ledger: Ledger, { trust, grants }: UnsignedDecisions): Promise<string[]> {
  const now = Date.now()
  const isValid = (grant: Grant): boolean =>
    grant.revoked_at === null && (grant.expires_at ?? Number.POSITIVE_INFINITY) > now && ledger.grants.isSigned(grant)
  const granted = new Set([...grants, ...(await ledger.grants.list()).filter(isValid)].map(({ hash }) => hash))
  const rows = [
    ...trust.map(({ tool, version, hash, level, set_by, set_at }) => [
      level,
      `${oneLine(tool, 130)} ${oneLine(version, 40)}`,
      hash.slice(0, 16),
      `by ${oneLine(set_by, 60)}, ${localTime(set_at)}${level === 'trusted' && !granted.has(hash) ? ': every call needs approval' : ''}`,
    ]),
    ...grants.map(({ tool, version, hash, principal, expires_at, granted_by, granted_at }) => [
      'grant',
      `${oneLine(tool, 130)} ${oneLine(version, 40)}`,
      hash.slice(0, 16),
      `to ${principal === null ? 'everyone' : oneLine(principal, 60)}, ${expires_at === null ? 'no expiry' : `until ${localTime(expires_at)}`}, by ${oneLine(granted_by, 60)}, ${localTime(granted_at)}`,
    ]),
  ]
  const width = process.stdout.columns || 100
  const table = padColumns(rows, []).map((cells) => `  ${cells.join('  ').trimEnd()}`)
  return table.every((line) => textColumns(line) <= width) ? table : foreignLines(rows.map((cells) => cells.join('  ')))
}

/** Rows that nobody decided are shown as what they are, and never offered. */
export function reportForged(forged: readonly string[]): void {
  if (forged.length === 0) return
  say(`${plural(forged.length, 'row')} of the ledger changed from outside, which you are not asked to sign:`)
  for (const why of forged) print(`  ${oneLine(why, 400)}`)
  process.exitCode = 1
}

/** Asked at the terminal, where no program can answer for a person by a pipe. `lines` are the decisions as they were shown. */
export const confirmDecisions = (
  terminal: SecretTerminal,
  question: string,
  lines: readonly string[],
  verb: 'sign' | 'unlock' = 'sign',
): Promise<boolean> =>
  confirmShown(question, { lines: lines.length + 1, name: 'This list', word: verb }, (text) => terminal.ask(text, true))
