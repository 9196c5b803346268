/** How many records a segment has, and from when they are. */
import { parseJson } from '../../protocol/json.ts'
import { ENTRY_START } from './entry.ts'
import { readGroups } from './read-groups.ts'
import type { SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'

export interface SegmentExtent extends SegmentId {
  readonly records: number
  /** of its records and decisions; if it has none, when its chain began */
  readonly first_time: number
  readonly last_time: number
}

/** Adds the groups of a segment up. */
export class ExtentSum {
  readonly #segment: SegmentId
  #records = 0
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  constructor(segment: SegmentId) {
    this.#segment = segment
  }

  /** A line without a time has that of the line before it, or none. */
  add(lines: string): void {
    for (const line of lines.split('\n')) {
      if (line === '') continue
      if (!line.startsWith(ENTRY_START)) this.#records++
      const { time } = (parseJson(line) ?? {}) as { time?: unknown }
      if (typeof time !== 'number') continue
      this.#first = Math.min(this.#first, time)
      this.#last = Math.max(this.#last, time)
    }
  }

  /** Everything so far is from before this time. */
  isBefore(time: number): boolean {
    return this.#last < time
  }

  get extent(): SegmentExtent {
    const { started } = this.#segment
    const times = this.#last < this.#first ? [started, started] : [this.#first, this.#last]
    const [first_time = started, last_time = started] = times
    return { ...this.#segment, records: this.#records, first_time, last_time }
  }
}

/** Undefined if something in the segment is not from before this time. */
export async function extentBefore(
  store: JournalStore,
  segment: SegmentId,
  time: number,
): Promise<SegmentExtent | undefined> {
  const sum = new ExtentSum(segment)
  for await (const { groups } of readGroups(store, segment)) {
    for (const { lines } of groups) sum.add(lines)
    if (!sum.isBefore(time)) return undefined
  }
  return sum.extent
}
