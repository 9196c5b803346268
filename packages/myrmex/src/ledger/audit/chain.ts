/**
 * The chain: lines are written in groups, and the hash of a group covers its lines, its position and the hash before it. So
 * a line cannot be changed, removed, inserted or moved without changing every later hash, and the hashes are signed.
 */
import { crypto } from '../../protocol/builtin.ts'

/** The end of the chain: the newest group, the number of its last line, its hash. */
export interface ChainHead {
  readonly seq: number
  readonly line: number
  readonly hash: string
}

/** A group as it is stored. */
export interface GroupRow {
  readonly seq: number
  readonly first_line: number
  readonly line_count: number
  readonly first_time: number
  readonly last_time: number
  readonly prev: string
  readonly hash: string
  /** canonical JSON, one line each, every one ended by a newline */
  readonly lines: string
}

/** The columns of `audit_groups`, in the order of `GroupRow`. */
export const GROUP_COLUMNS = 'seq, first_line, line_count, first_time, last_time, prev, hash, lines'
export const SELECT_HEAD = 'SELECT seq, first_line, line_count, hash FROM audit_groups ORDER BY seq DESC LIMIT 1'

export const GENESIS: ChainHead = Object.freeze({ seq: 0, line: 0, hash: '0'.repeat(64) })

export function groupHash(seq: number, firstLine: number, lineCount: number, prev: string, lines: string): string {
  return crypto.hash(
    'sha256',
    `{"first_line":${firstLine},"line_count":${lineCount},"prev":"${prev}","seq":${seq}}\n${lines}`,
    'hex',
  )
}

/** The group that comes after `head`. */
export function nextGroup(
  head: ChainHead,
  { lines, line_count, first_time, last_time }: Pick<GroupRow, 'lines' | 'line_count' | 'first_time' | 'last_time'>,
): GroupRow {
  const seq = head.seq + 1
  const first_line = head.line + 1
  const hash = groupHash(seq, first_line, line_count, head.hash, lines)
  return { seq, first_line, line_count, first_time, last_time, prev: head.hash, hash, lines }
}

/** The head of a chain that ends with this group; without a group it is empty. */
export const headOf = (last: Pick<GroupRow, 'seq' | 'first_line' | 'line_count' | 'hash'> | undefined): ChainHead =>
  last === undefined ? GENESIS : { seq: last.seq, line: last.first_line + last.line_count - 1, hash: last.hash }

/** The text that is signed for a group. Its first words keep it from being taken for another kind of signature. */
export const sealText = (seq: number, hash: string): string => `myrmex audit seal ${seq} ${hash}`

/** Groups per segment. Retention removes whole segments, and only full ones. */
export const SEGMENT_GROUPS = 1024
export const segmentOf = (seq: number, groups: number = SEGMENT_GROUPS): number => Math.floor((seq - 1) / groups)
