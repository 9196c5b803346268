/** A group of records before it is stored, and the recorder that fills groups. */
import { type CallRecord, renderRecord } from './call-record.ts'

/** A write that is durable once `commit` has returned. `commit` throws if it fails. */
export interface PendingWrite {
  readonly isCommitted: boolean
  commit(): void
}

/**
 * Takes the records of calls before their results leave. SQLite returns a `PendingWrite`, which the first result of a group
 * commits. PostgreSQL returns a promise. A recorder in memory returns nothing.
 */
export interface Recorder {
  record(line: CallRecord): PendingWrite | Promise<void> | void
  /** True while it cannot write: no call should start. It tries again from time to time. */
  failing?(): boolean | Promise<boolean>
}

/** Lines gathered for one write. */
export class GroupDraft {
  line_count = 0
  first_time = Number.POSITIVE_INFINITY
  last_time = 0
  /** each ended by its newline */
  #lines: string[] = []
  #before: CallRecord | undefined

  add(line: CallRecord): void {
    const { time } = line
    this.#lines.push(renderRecord(line, this.#before))
    this.#before = line
    this.line_count++
    // The clock may be set back: the first line need not be the earliest.
    if (time < this.first_time) this.first_time = time
    if (time > this.last_time) this.last_time = time
  }

  /** Joined on demand: a text that grows line by line would be copied as a whole when it is hashed. */
  get lines(): string {
    return this.#lines.join('')
  }

  /** Puts the lines of a failed write in front. The first line of each is complete. */
  prepend(earlier: GroupDraft): void {
    this.#lines = [...earlier.#lines, ...this.#lines]
    this.line_count += earlier.line_count
    this.first_time = Math.min(this.first_time, earlier.first_time)
    this.last_time = Math.max(this.last_time, earlier.last_time)
  }
}
