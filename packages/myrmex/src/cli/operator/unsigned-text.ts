/** Decisions that wait for the operator's signature, for the person who signs them. */
import type { UnsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { confirmShown } from '../../serve/confirm.ts'
import { foreignLines, textColumns } from '../../serve/foreign-text.ts'
import type { SecretTerminal } from '../../serve/secret-terminal.ts'
import { oneLine, padColumns } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'

export function unsignedLines({ trust, grants }: UnsignedDecisions): string[] {
  const rows = [
    ...trust.map(({ tool, version, hash, level, set_by, set_at }) => [
      level,
      `${oneLine(tool, 130)} ${oneLine(version, 40)}`,
      hash.slice(0, 16),
      `by ${oneLine(set_by, 60)}, ${localTime(set_at)}`,
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

/** Asked at the terminal, where no program can answer for a person by a pipe. `lines` are the decisions as they were shown. */
export const confirmDecisions = (
  terminal: SecretTerminal,
  question: string,
  lines: readonly string[],
  verb: 'sign' | 'unlock' = 'sign',
): Promise<boolean> =>
  confirmShown(question, { lines: lines.length + 1, name: 'This list', word: verb }, (text) => terminal.ask(text, true))
