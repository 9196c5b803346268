/** Reads the audit: groups and records in the order of the chain, one page at a time. */
import { setTimeout as pause } from 'node:timers/promises'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Db, Rows } from '../db.ts'
import { type AuditRecord, compactRecord, expandRecord } from './call-record.ts'
import { GROUP_COLUMNS, type GroupRow } from './chain.ts'
import type { Signature } from './keyring.ts'

export type { AuditRecord } from './call-record.ts'

export interface AuditRange {
  /** groups after this one */
  readonly after?: number
  /** up to this group, and with it */
  readonly upTo?: number
  /** groups that have lines of this time or later, in milliseconds since the epoch */
  readonly since?: number
  /** groups that have lines of this time or earlier */
  readonly until?: number
}

const FROM = `SELECT ${GROUP_COLUMNS} FROM audit_groups WHERE seq > ? AND seq <= ?`
const BACK = `SELECT ${GROUP_COLUMNS} FROM audit_groups WHERE seq < ? ORDER BY seq DESC LIMIT ?`

/** Groups may be of one short line or of many long ones: a page is about this many characters. */
const PAGE_CHARACTERS = 2 ** 21
const MAX_PAGE_GROUPS = 512

/** Groups in their order. A page is never empty. */
export async function* readGroups(db: Db, range: AuditRange = {}): AsyncGenerator<GroupRow[]> {
  const { upTo = Number.MAX_SAFE_INTEGER, since, until } = range
  // Without a period every group is read, whatever its time columns say.
  const [within, times] = since === undefined && until === undefined ? ['', []] : timeCondition(range)
  let after = range.after ?? Number.MIN_SAFE_INTEGER
  let size = 16
  while (true) {
    const page = await db.query<GroupRow>(`${FROM} ${within} ORDER BY seq LIMIT ?`, [after, upTo, ...times, size])
    if (page.length > 0) yield page
    if (page.length < size) return
    after = (page.at(-1) as GroupRow).seq
    size = nextSize(page)
  }
}

/** The signatures of a page of groups. */
export const readSeals = (db: Db, page: readonly GroupRow[]): Rows<Signature & { readonly seq: number }> =>
  db.query('SELECT seq, key_id, signature FROM audit_seals WHERE seq >= ? AND seq <= ? ORDER BY seq', [
    page[0]?.seq ?? 0,
    page.at(-1)?.seq ?? 0,
  ])

/** The first group after this one that has a signature. */
export async function nextSealed(db: Db, after: number): Promise<number | undefined> {
  const [row] = await db.query<{ seq: number }>('SELECT seq FROM audit_seals WHERE seq > ? ORDER BY seq LIMIT 1', [
    after,
  ])
  return row?.seq
}

export const timeCondition = ({ since, until }: AuditRange): [string, number[]] => [
  'AND last_time >= ? AND first_time <= ?',
  [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER],
]

function nextSize(page: readonly GroupRow[]): number {
  const characters = page.reduce((sum, { lines }) => sum + lines.length, 0)
  const fitting = Math.floor((page.length * PAGE_CHARACTERS) / Math.max(1, characters))
  return Math.max(1, Math.min(fitting, MAX_PAGE_GROUPS, page.length * 8))
}

/** Lines in their order; of a time range if one is given. */
export async function* readRecords(db: Db, range: AuditRange = {}): AsyncGenerator<AuditRecord> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER } = range
  for await (const page of readGroups(db, range)) {
    for (const group of page) {
      for (const line of recordsOf(group)) if (line.time >= since && line.time <= until) yield line
    }
  }
}

/** The newest lines, oldest of them first, and the group after which newer ones will come. */
export async function newestRecords(db: Db, count: number): Promise<{ lines: AuditRecord[]; seq: number }> {
  let before = Number.MAX_SAFE_INTEGER
  let seq = 0
  let found: AuditRecord[] = []
  do {
    const page = await db.query<GroupRow>(BACK, [before, 8])
    for (const group of page) {
      if (found.length < count) found = [...recordsOf(group), ...found]
      seq = Math.max(seq, group.seq)
      before = group.seq
    }
    if (page.length < 8) break
  } while (found.length < count)
  return { lines: count > 0 ? found.slice(-count) : [], seq }
}

export function recordsOf(group: Pick<GroupRow, 'first_line' | 'lines'>): AuditRecord[] {
  let before: AuditRecord | undefined
  return splitLines(group.lines).map((text, index) => {
    before = lineOf(text, group.first_line + index, before)
    return before
  })
}

/** Every line ends with a newline, and canonical JSON contains none. */
export const splitLines = (lines: string): string[] => lines.split('\n').slice(0, -1)

/** `before` is the line before it in its group: a line leaves out some of what is the same. */
function lineOf(text: string, number: number, before: AuditRecord | undefined): AuditRecord {
  let stored: AuditRecord
  try {
    stored = JSON.parse(text)
  } catch (error) {
    const message = `Line ${number} of the audit is not JSON. Run myrmex audit verify for details.`
    throw ToolError.of('ValidationError', message, null, { cause: error })
  }
  return { line: number, ...expandRecord<Omit<AuditRecord, 'line'>>(stored, before), ...hashed(stored) }
}

/** Stored only where the arguments are not all there; otherwise it follows from them. */
function hashed({ args, args_hash }: { args?: unknown; args_hash?: string }): { args_hash?: string } {
  if (args_hash !== undefined) return { args_hash }
  return args === undefined ? {} : { args_hash: argsHash(args) }
}

export const argsHash = (args: unknown): string => crypto.hash('sha256', canonical(args), 'hex')

/** The text of a line as the chain has it, after the line before it in its group: `lineOf` the other way round. */
export function storedText({ line: _, ...rest }: AuditRecord, before: AuditRecord | undefined): string {
  const { args_hash, ...stored } = rest
  const derived = rest.args !== undefined && args_hash === argsHash(rest.args)
  return canonical(compactRecord(derived ? stored : rest, before))
}

const LOOK_EVERY_MS = 200

/** Yields the groups after this one, one at a time, until the signal is aborted. */
export async function* followRecords(db: Db, from: number, signal: AbortSignal) {
  let seq = from
  while (!signal.aborted) {
    for await (const page of readGroups(db, { after: seq })) {
      for (const group of page) {
        seq = group.seq
        yield { seq, lines: recordsOf(group) }
        if (signal.aborted) return
      }
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
