/** Segments: the pieces that a chain is stored in. A segment is a file, or rows of a table, and retention removes whole ones. */

/** Which segment: its chain, when that chain began, and its number within the chain, from 1. */
export interface SegmentId {
  readonly chain: string
  readonly started: number
  readonly number: number
}

/** A location in a segment: a group, and the byte at which it begins. */
export interface SegmentPosition {
  readonly group: number
  readonly offset: number
}

/** The file name of a segment. Names sort by the start of the chain, then by number. */
export function segmentName({ chain, started, number }: SegmentId): string {
  const date = new Date(started)
  // A table can have any number here.
  const time = Number.isNaN(date.getTime()) ? String(started) : date.toISOString().replace(/[-:.]/g, '')
  return `${time}-${chain}-${String(number).padStart(4, '0')}.jsonl`
}

const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([a-z0-9]{12})-(\d{4,9})\.jsonl$/

/** Undefined if a file of this name is not a segment. */
export function segmentOfName(name: string): SegmentId | undefined {
  const [, year, month, day, hour, minute, second, millisecond, chain, number] = NAME.exec(name) ?? []
  if (chain === undefined) return undefined
  const started = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  const id = { chain, started, number: Number(number) }
  // A date such as February 31, or a number with too many zeros, is not a name that we write.
  return Number.isNaN(started) || segmentName(id) !== name ? undefined : id
}

/** By the start of the chain, then by chain and number. */
export const compareSegments = (a: SegmentId, b: SegmentId): number =>
  a.started - b.started || (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : a.number - b.number)
