/** One group by itself: is it what its hash says, are its lines lines, and do its columns fit them? */

import { canonical } from '../../protocol/canonical.ts'
import { isObject, parseJson } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { expandRecord } from './call-record.ts'
import { type GroupRow, groupHash } from './chain.ts'
import { DefectError, lineRange, type Span } from './defect.ts'
import { splitLines } from './read.ts'

/** How far from its position a moved group is looked for, and how many characters are hashed for it at most. */
const NEARBY = 1000
const HASHED_CHARACTERS = 2 ** 26

/** Returns when the group was written: when the last of its calls had ended. Throws DefectError. */
export function checkGroup(row: GroupRow): number {
  if (!isWellFormed(row)) throw altered(row, 'its numbers or its lines are not of the kind that is written there')
  const texts = splitLines(row.lines)
  if (hashAs(row, row.seq) !== row.hash) throw misfit(row, texts)
  const { first_time, last_time, written } = readAll(row, texts)
  if (texts.length !== row.line_count) throw altered(row, `it holds ${plural(texts.length, 'line')}`)
  if (first_time !== row.first_time || last_time !== row.last_time) {
    throw altered(row, 'the times in its columns are not those of its lines')
  }
  return written
}

const isWellFormed = (row: GroupRow): boolean =>
  [row.seq, row.first_line, row.line_count, row.first_time, row.last_time].every(Number.isSafeInteger) &&
  typeof row.prev === 'string' &&
  typeof row.hash === 'string' &&
  typeof row.lines === 'string' &&
  (row.lines === '' || row.lines.endsWith('\n'))

const hashAs = ({ first_line, line_count, prev, lines }: GroupRow, seq: number): string =>
  groupHash(seq, first_line, line_count, prev, lines)

/** Why the hash does not fit, as far as can be seen. */
function misfit(row: GroupRow, texts: readonly string[]): DefectError {
  const place = placeOf(row)
  if (place !== undefined) {
    const moved = `group ${place} is in the position of group ${row.seq}: groups were moved, removed or inserted`
    return new DefectError('reordered', moved, [row.seq, row.seq], lineSpan(row))
  }
  // Throws if a line itself was altered.
  readAll(row, texts)
  const { line_count } = row
  if (texts.length !== line_count) {
    return altered(row, `it holds ${plural(texts.length, 'line')} where ${line_count} were written`)
  }
  return altered(row, 'its hash does not fit its lines')
}

/** The number under which the hash of this group fits. */
function placeOf(row: GroupRow): number | undefined {
  const farthest = Math.min(NEARBY, HASHED_CHARACTERS / (row.lines.length + 1))
  for (let away = 1; away <= farthest; away++) {
    if (hashAs(row, row.seq + away) === row.hash) return row.seq + away
    if (row.seq > away && hashAs(row, row.seq - away) === row.hash) return row.seq - away
  }
  return undefined
}

interface Times {
  first_time: number
  last_time: number
  written: number
}

function readAll(row: GroupRow, texts: readonly string[]): Times {
  const times: Times = { first_time: Number.POSITIVE_INFINITY, last_time: 0, written: 0 }
  let before: object | undefined
  texts.forEach((text, index) => {
    const line = row.first_line + index
    const stored = parseJson(text)
    // A line leaves out fields that equal those of the line before.
    before = isObject(stored) ? expandRecord<object>(stored, before) : {}
    const { time, duration_ms } = before as { time?: unknown; duration_ms?: unknown }
    if (typeof time !== 'number' || typeof duration_ms !== 'number' || canonicalOf(stored) !== text) {
      const message = `line ${line} (in group ${row.seq}) was altered: it is not as a line is written, in canonical JSON`
      throw new DefectError('altered', message, [row.seq, row.seq], [line, line])
    }
    times.first_time = Math.min(times.first_time, time)
    times.last_time = Math.max(times.last_time, time)
    times.written = Math.max(times.written, time + duration_ms)
  })
  return times
}

function canonicalOf(value: unknown): string | undefined {
  try {
    return canonical(value)
  } catch {
    // Nested too deeply: not written by a ledger.
    return undefined
  }
}

export const lineSpan = ({ first_line, line_count }: Pick<GroupRow, 'first_line' | 'line_count'>): Span => [
  first_line,
  Math.max(first_line, first_line + line_count - 1),
]

export const groupLabel = (row: GroupRow): string => `group ${row.seq} (${lineRange(lineSpan(row))})`

const altered = (row: GroupRow, why: string): DefectError =>
  new DefectError('altered', `${groupLabel(row)} was altered: ${why}`, [row.seq, row.seq], lineSpan(row))
