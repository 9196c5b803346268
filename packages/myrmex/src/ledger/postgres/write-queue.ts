/**
 * What is to be written to a chain, in order, one at a time. While one group is written the next one gathers, so that a group is
 * as large as the server is slow. After a failure nothing is tried for a while, and callers are refused. Groups stay in the queue
 * until they are written, because their calls have run.
 */
import { GroupDraft } from '../journal/group.ts'
import { JournalBreak } from '../journal/journal-break.ts'
import type { NextGroup } from '../journal/own-chain.ts'
import { MAX_GROUP_LENGTH } from '../journal/read-groups.ts'
import { LedgerError } from '../ledger-error.ts'

/** After a failed write, calls are refused without another try for this long. */
export const PAUSE_MS = 250

/** The records of one write. With `seal` the group also signs what is before it. */
export class QueuedGroup extends GroupDraft {
  seal: 'open' | 'closed' | undefined
  /** as it was sent: it may be stored though the answer got lost, so it is sent again as it is */
  sent: NextGroup | undefined
  readonly #written = Promise.withResolvers<void>()

  constructor(seal?: 'open' | 'closed') {
    super()
    this.seal = seal
    // Not every record has a caller that waits for it. A failed write is reported in any case.
    this.written.catch(() => {})
  }

  get written(): Promise<void> {
    return this.#written.promise
  }

  resolve(): void {
    this.#written.resolve()
  }

  fail(cause: unknown): void {
    this.#written.reject(new LedgerError('could not record the call', cause))
  }
}

/** A place in the queue for somebody who writes by themselves. */
class Turn {
  readonly begun = Promise.withResolvers<void>()
  readonly ended = Promise.withResolvers<void>()

  fail(cause: unknown): void {
    this.begun.reject(cause instanceof JournalBreak ? cause : new LedgerError('could not record the decision', cause))
  }
}

export class WriteQueue {
  readonly #write: (group: QueuedGroup) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #open: QueuedGroup | undefined
  /** oldest first */
  #due: (QueuedGroup | Turn)[] = []
  #working: Promise<void> | undefined
  #failure: unknown
  #broken: JournalBreak | undefined
  #pause: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(write: (group: QueuedGroup) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  get isFailing(): boolean {
    return this.#failure !== undefined || this.#broken !== undefined
  }

  get #isStopped(): boolean {
    return this.#pause !== undefined || this.#broken !== undefined || this.#isClosed
  }

  get isEmpty(): boolean {
    return this.#open === undefined && this.#due.length === 0
  }

  /** The group that gathers now. It is written at the end of the turn, or after what is being written. */
  gather(): QueuedGroup {
    if (this.#open !== undefined && this.#open.length > MAX_GROUP_LENGTH) this.#endGroup()
    this.#open ??= new QueuedGroup()
    this.#start()
    return this.#open
  }

  /** Writes a group of its own after everything so far, at once even after a failure. */
  async append(group: QueuedGroup): Promise<void> {
    this.#endGroup()
    this.#due.push(group)
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#start()
    await group.written
  }

  /** Resolves when everything so far is written. Nothing else is written until `end` is called. */
  async turn(): Promise<{ end(): void }> {
    const turn = new Turn()
    this.#endGroup()
    this.#due.push(turn)
    this.#start()
    await turn.begun.promise
    return { end: turn.ended.resolve }
  }

  /** Somebody else changed the journal: nothing is written any more. */
  break(error: JournalBreak): void {
    if (this.#broken !== undefined) return
    this.#broken = error
    this.#onFailure(error)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#pause)
  }

  #endGroup(): void {
    if (this.#open !== undefined) this.#due.push(this.#open)
    this.#open = undefined
  }

  #start(): void {
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    // Records of the same turn of the event loop share a group.
    await new Promise((resolve) => setImmediate(resolve))
    do {
      this.#endGroup()
      if (this.#isStopped) this.#refuse()
      else await this.#writeDue()
    } while (this.#open !== undefined || (this.#due.length > 0 && !this.#isStopped))
    // Right after the last check: what comes later starts it again.
    this.#working = undefined
  }

  async #writeDue(): Promise<void> {
    try {
      for (let next = this.#due[0]; next !== undefined && this.#broken === undefined; next = this.#due[0]) {
        if (next instanceof QueuedGroup) {
          await this.#write(next)
          next.resolve()
        } else {
          next.begun.resolve()
          await next.ended.promise
        }
        this.#due.shift()
      }
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      if (error instanceof JournalBreak) this.break(error)
      else {
        this.#pause = setTimeout(this.#again, PAUSE_MS).unref()
        this.#onFailure(error)
      }
      this.#refuse()
    }
  }

  #refuse(): void {
    for (const waiting of this.#due) waiting.fail(this.#broken ?? this.#failure)
    this.#due = this.#due.filter((waiting) => waiting instanceof QueuedGroup)
  }

  readonly #again = (): void => {
    this.#pause = undefined
    this.#start()
  }
}
