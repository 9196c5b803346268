/** `myrmex audit export`: the audit records as JSON lines or CSV, one at a time, so that memory does not grow with their number. */

import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AuditRecord, FIELD_NAMES } from '../../ledger/audit/call-record.ts'
import { parsePeriod } from '../../ledger/journal/moment.ts'
import { proofLines } from '../../ledger/journal/proof.ts'
import { type AuditPeriod, readRecords } from '../../ledger/journal/read.ts'
import type { JournalStore } from '../../ledger/journal/store.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { isClosedPipe, say } from '../../serve/terminal.ts'

export interface ExportOptions extends LedgerFlags {
  since?: string
  until?: string
  format: 'jsonl' | 'csv'
  proof?: boolean
  out?: string
}

export async function exportAudit(options: ExportOptions): Promise<void> {
  if (options.proof && options.format === 'csv') {
    throw ToolError.of('ValidationError', 'CSV cannot carry a proof. Use --proof with --format jsonl.')
  }
  const period: AuditPeriod = parsePeriod(options)
  await withLedger(options, 'read-only', (ledger) => write(ledger, period, options))
}

async function write({ db, journal }: Ledger, period: AuditPeriod, options: ExportOptions): Promise<void> {
  const { format, proof, out } = options
  const { store } = journal
  const texts = proof
    ? proofLines({ db, store }, { ...period, onLeftOut: reportLeftOut, onUnsigned: reportUnsigned })
    : format === 'csv'
      ? csv(store, period)
      : jsonl(store, period)
  if (out === undefined) {
    await writeLines(process.stdout, texts)
    return
  }
  // Arguments are private, and an existing file is not overwritten.
  const file = createWriteStream(out, { flags: 'wx', mode: 0o600 })
  try {
    await once(file, 'open')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'it exists already and is not overwritten.' : message
    throw ToolError.of('ValidationError', `${out} cannot be written: ${why}`)
  }
  try {
    const written = await writeLines(file, texts)
    say(`${plural(written, 'line')} in ${out}`)
  } catch (error) {
    // Half an export looks like a complete one.
    rmSync(out, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof ToolError || code === undefined) throw error
    throw ToolError.of('UnavailableError', `${out} could not be written, and was removed again: ${message}`)
  }
}

const reportUnsigned = (records: number): void =>
  say(
    `${plural(records, 'record')} ${records === 1 ? 'is' : 'are'} not signed yet and ${records === 1 ? 'was' : 'were'} left out. A running ` +
      'server signs within 100 ms. If it was killed, start it again, and export after its first call.',
  )

/** A process that was killed has not signed its last records. A later chain vouches for them, and a period may not have that one. */
const reportLeftOut = (records: number): void =>
  say(
    `${plural(records, 'record')} of the period ${records === 1 ? 'was' : 'were'} left out: no signature of their own chain covers ` +
      'them. An export without --since and --until has them.',
  )

/** No faster than the stream is read, and without an error when the pipe is closed (`| head`). Returns the number of lines. */
async function writeLines(stream: Writable, texts: AsyncIterable<string>): Promise<number> {
  let count = 0
  const lines = async function* (): AsyncGenerator<string> {
    for await (const text of texts) {
      count += lineCount(text)
      yield `${text}\n`
    }
  }
  try {
    await pipeline(lines, stream, { end: stream !== process.stdout })
  } catch (error) {
    if (!isClosedPipe(error as Error)) throw error
  }
  return count
}

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

async function* jsonl(store: JournalStore, period: AuditPeriod): AsyncGenerator<string> {
  for await (const record of readRecords(store, period)) yield JSON.stringify(record)
}

const COLUMNS: readonly (keyof AuditRecord)[] = ['record', ...FIELD_NAMES]

async function* csv(store: JournalStore, period: AuditPeriod): AsyncGenerator<string> {
  yield COLUMNS.join(',')
  for await (const record of readRecords(store, period))
    yield COLUMNS.map((name) => csvCell(name, record[name])).join(',')
}

function csvCell(name: keyof AuditRecord, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (name === 'time') return new Date(value as number).toISOString()
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // A spreadsheet would execute these as a formula, and the text comes from a caller.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
