/** A group of lines before it is stored, and the recorder that fills groups. */
import { type CallRecord, renderRecord } from '../audit/call-record.ts'

/** A write that is durable once `commit` has returned. `commit` throws if it fails. */
export interface PendingWrite {
  readonly isCommitted: boolean
  commit(): void
}

/**
 * Takes the records of calls before their results leave. A journal of files returns a `PendingWrite`, which the first result of a
 * group commits. PostgreSQL returns a promise. A recorder in memory returns nothing.
 */
export interface Recorder {
  record(line: CallRecord): PendingWrite | Promise<void> | void
  /** True while it cannot write: no call should start. It tries again from time to time. */
  failing?(): boolean | Promise<boolean>
}

/** Lines gathered for one write. */
export class GroupDraft {
  /** each ended by its newline */
  lines = ''
  #before: CallRecord | undefined

  add(record: CallRecord): void {
    this.addLine(renderRecord(record, this.#before))
    this.#before = record
  }

  addLine(line: string): void {
    this.lines += line
  }

  get length(): number {
    return this.lines.length
  }

  get isEmpty(): boolean {
    return this.lines === ''
  }

  /** Puts the lines of a failed write in front. The first record of each is complete. */
  prepend(earlier: GroupDraft): void {
    this.lines = earlier.lines + this.lines
  }
}
