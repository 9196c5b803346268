/** Decisions that wait for the operator's signature, for the person who signs them. */
import type { UnsignedDecisions } from '../../ledger/operator/operator-admin.ts'
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
  return padColumns(rows, []).map((cells) => `  ${cells.join('  ').trimEnd()}`)
}

/** Anything but yes means no. It is asked at the terminal, where no program can answer for a person by a pipe. */
export async function confirmAt(terminal: SecretTerminal, question: string): Promise<boolean> {
  const answer = await terminal.ask(`${question} [y/N] `, true)
  return answer !== undefined && /^y(es)?$/i.test(answer.trim())
}
