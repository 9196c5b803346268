/** Finds the groups in the bytes of a segment. The bytes may be hostile: whatever they are, memory stays bounded. */
import { isUtf8 } from 'node:buffer'
import { GROUP_END } from './chain.ts'
import type { SegmentId, SegmentPosition } from './segment.ts'
import type { JournalStore } from './store.ts'

/** A group as it was found. It proves nothing. */
export interface StoredGroup {
  /** NaN if its last line is not one that we write */
  readonly group: number
  /** every line with its newline */
  readonly lines: string
  readonly mac: string
  /** where it begins, and the byte after it */
  readonly offset: number
  readonly end: number
}

/** Some groups in their order, and how many bytes after them are not a whole group, as far as the segment was read. */
export interface GroupPage {
  readonly groups: readonly StoredGroup[]
  readonly rest: number
}

/** A group is written when it is larger than this, so no group is much larger. */
export const MAX_GROUP_LENGTH = 4 * 1024 * 1024
/** A longer text has no end that we wrote. */
export const MAX_GROUP_BYTES = 8 * MAX_GROUP_LENGTH

const LAST_LINE = /^\{"group":(\d{1,15}),"mac":"([\w-]{43})"\}$/
const NEXT_END = `\n${GROUP_END}`

/** From this position to the end of the segment. The last page tells what is left over. */
export async function* readGroups(
  store: Pick<JournalStore, 'read'>,
  segment: SegmentId,
  from?: SegmentPosition,
): AsyncGenerator<GroupPage> {
  let offset = from?.offset ?? 0
  let rest: Buffer = EMPTY
  for await (const chunk of store.read(segment, from)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const groups = bytes.length > MAX_GROUP_BYTES ? [endless(bytes, offset)] : groupsIn(bytes, offset)
    const end = groups.at(-1)?.end ?? offset
    rest = bytes.subarray(end - offset)
    offset = end
    yield { groups, rest: rest.length }
  }
}

const EMPTY = Buffer.alloc(0)

const endless = (bytes: Buffer, offset: number): StoredGroup => ({
  group: Number.NaN,
  lines: '',
  mac: '',
  offset,
  end: offset + bytes.length,
})

function groupsIn(bytes: Buffer, offset: number): StoredGroup[] {
  const lastEnd = bytes.lastIndexOf('\n') + 1
  // Decoding replaces invalid bytes, so the text of altered bytes could have the same hash.
  if (!isUtf8(bytes.subarray(0, lastEnd))) return groupsBeforeInvalid(bytes.subarray(0, lastEnd), offset)
  const text = bytes.toString('utf8', 0, lastEnd)
  // Positions in the text are positions in the bytes if every character is one byte.
  const sizeOf = text.length === lastEnd ? lengthOf : Buffer.byteLength
  const groups: StoredGroup[] = []
  let start = 0
  let at = offset
  for (;;) {
    const last = text.startsWith(GROUP_END, start) ? start : text.indexOf(NEXT_END, start) + 1
    // Not found: `last` is before `start`, unless the very first line ends a group.
    if (last < start || (last === 0 && !text.startsWith(GROUP_END))) return groups
    const newline = text.indexOf('\n', last)
    const [, group = 'NaN', mac = ''] = LAST_LINE.exec(text.slice(last, newline)) ?? []
    const end = at + sizeOf(text.slice(start, newline + 1))
    groups.push({ group: Number(group), lines: text.slice(start, last), mac, offset: at, end })
    start = newline + 1
    at = end
  }
}

/** The groups before the first one that is not UTF-8, and the rest as something that we did not write. */
function groupsBeforeInvalid(bytes: Buffer, offset: number): StoredGroup[] {
  let valid = 0
  for (let end = 0; end !== -1 && isUtf8(bytes.subarray(valid, end)); end = endOfGroup(bytes, end)) valid = end
  return [...groupsIn(bytes.subarray(0, valid), offset), endless(bytes.subarray(valid), offset + valid)]
}

/** The byte after the first group that ends after this one; -1 if there is none. */
function endOfGroup(bytes: Buffer, from: number): number {
  const last = bytes.indexOf(NEXT_END, from)
  const newline = last === -1 ? -1 : bytes.indexOf('\n', last + 1)
  return newline === -1 ? -1 : newline + 1
}

const lengthOf = (text: string): number => text.length

/** The position after the last whole group in these bytes, which begin at `offset`; undefined if there is none. */
export function lastGroupEnd(bytes: Buffer, offset: number): SegmentPosition | undefined {
  for (let end = bytes.length; ; ) {
    const start = bytes.lastIndexOf(NEXT_END, end - 1)
    if (start === -1) return undefined
    const newline = bytes.indexOf('\n', start + 1)
    const group = newline === -1 ? undefined : LAST_LINE.exec(bytes.toString('latin1', start + 1, newline))?.[1]
    if (group !== undefined) return { group: Number(group) + 1, offset: offset + newline + 1 }
    if (start === 0) return undefined
    end = start
  }
}
