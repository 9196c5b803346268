/** Audit records for people: one line each, in columns, or one record in full. */
import { type AuditRecord, LABELLED_FIELDS } from '../../ledger/audit/call-record.ts'
import { fit } from '../../protocol/text.ts'
import { clean, factLines, padColumns, paint } from '../../serve/terminal.ts'

/** Callers choose their names, which can have any length. */
const MAX_CELL = 40

export const formatNumber = (count: number): string => count.toLocaleString('en')

/** Local time, to compare with a clock. */
export function localTime(time: number, withMilliseconds = false): string {
  const moment = new Date(time)
  if (Number.isNaN(moment.getTime())) return clean(String(time))
  // The locale `sv` writes dates as ISO 8601.
  const text = moment.toLocaleString('sv')
  return withMilliseconds ? `${text}.${String(moment.getMilliseconds()).padStart(3, '0')}` : text
}

export const localDate = (time: number): string => localTime(time).slice(0, 10)

/** Records in columns, which stay aligned over several calls of `rows`. */
export class AuditTable {
  readonly #widths = [7]

  rows(lines: readonly AuditRecord[]): string[] {
    const cells = padColumns(lines.map(cellsOf), [4], this.#widths)
    return lines.map((line, index) => rowText(line, cells[index] ?? []))
  }
}

function rowText(line: AuditRecord, [outcome = '', ...cells]: readonly string[]): string {
  const rest = [
    line.error_type === undefined ? '' : paint('red', cellText(line.error_type)),
    line.client === undefined ? '' : paint('dim', `says it is ${cellText(line.client)}`),
    line.approval === undefined ? '' : paint('dim', `approval ${cellText(line.approval)}`),
    line.dry_run === true ? paint('dim', 'dry run') : '',
    line.repeat_of === undefined ? '' : paint('dim', `repeats ${cellText(line.repeat_of)}`),
  ].filter((part) => part !== '')
  return [paint('dim', localTime(line.time)), colour(line.outcome, outcome), ...cells, ...rest].join('  ').trimEnd()
}

function cellsOf({ outcome, tool, version, principal, transport, duration_ms }: AuditRecord): string[] {
  const name = version === undefined || version === null ? cellText(tool) : `${cellText(tool)}@${cellText(version)}`
  return [cellText(outcome), name, cellText(principal), cellText(transport), `${formatNumber(Number(duration_ms))} ms`]
}

/** On one line, without control characters, and not too long. */
function cellText(text: unknown): string {
  const line = clean(String(text)).replace(/\s+/g, ' ')
  return fit(line, MAX_CELL)
}

function colour(outcome: string, text: string): string {
  if (outcome === 'success' || outcome === 'no_change_needed') return paint('green', text)
  return paint(outcome === 'failure' || outcome === 'fault' ? 'red' : 'yellow', text)
}

/** One record with all its fields. */
export function recordText(line: AuditRecord): string {
  const facts: [string, unknown][] = [
    ['call', line.call_id],
    ['outcome', line.outcome],
    ['time', localTime(line.time, true)],
    ['took', `${formatNumber(line.duration_ms)} ms`],
    ['tool', line.version ? `${line.tool} ${line.version}` : line.tool],
    ['principal', `${line.principal} over ${line.transport}`],
    ...LABELLED_FIELDS.map(({ name, label }): [string, unknown] => [label, line[name]]),
    ['arguments', line.args_hash === undefined ? undefined : `SHA-256 ${line.args_hash}`],
    ['record', line.record],
  ]
  const texts = facts.map(([label, value]): [string, string] => {
    const text = value === undefined ? '' : clean(String(value))
    return [label, label === 'outcome' ? colour(line.outcome, text) : text]
  })
  const values = Object.entries({ args: line.args, sent: line.sent, data: line.data, error: line.error, cut: line.cut })
  const blocks = values
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => ['', paint('bold', name), clean(JSON.stringify(value, null, 2))])
  return [...factLines(texts), ...blocks].join('\n')
}
