/** Collects list_changed notifications: a burst causes one read, and a constant stream at most one read per second. */
import type { ListPart } from './listing.ts'

const PARTS_OF: Readonly<Record<string, readonly ListPart[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'templates'],
}

const MIN_DELAY_MS = 50
/** minimum time between two reads */
const MIN_INTERVAL_MS = 1000

export class ListChanges {
  readonly #read: (parts: ReadonlySet<ListPart>) => Promise<void>
  #parts = new Set<ListPart>()
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  /** resolved when the reported tool changes have been read */
  #reported: PromiseWithResolvers<void> | undefined
  /** the tool changes being read now */
  #reading: PromiseWithResolvers<void> | undefined
  #isUrgent = false
  #readAt = Number.NEGATIVE_INFINITY

  /** `read` must not reject. */
  constructor(read: (parts: ReadonlySet<ListPart>) => Promise<void>) {
    this.#read = read
  }

  /** Returns whether the notification was about a list. */
  onNotification(method: string): boolean {
    const parts = Object.hasOwn(PARTS_OF, method) ? PARTS_OF[method] : undefined
    if (parts === undefined) return false
    for (const part of parts) this.#parts.add(part)
    if (parts.includes('tools')) this.#reported ??= Promise.withResolvers()
    this.#schedule()
    return true
  }

  /** The upstream reported a tool change that has not been read yet. */
  get hasUnreadToolChanges(): boolean {
    return this.#reported !== undefined || this.#reading !== undefined
  }

  /** Reads now, and resolves when all changes reported so far have been read. */
  async toolsRead(): Promise<void> {
    this.#isUrgent = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#schedule()
    await (this.#reported ?? this.#reading)?.promise
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#parts = new Set()
    this.#reported?.resolve()
    this.#reading?.resolve()
    this.#reported = undefined
    this.#reading = undefined
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isReading || this.#parts.size === 0) return
    const wait = Math.max(MIN_DELAY_MS, Math.min(MIN_INTERVAL_MS, this.#readAt + MIN_INTERVAL_MS - performance.now()))
    this.#timer = setTimeout(() => void this.#readNow(), this.#isUrgent ? 0 : wait)
    this.#timer.unref()
  }

  async #readNow(): Promise<void> {
    const parts = this.#parts
    this.#parts = new Set()
    const reported = this.#reported
    this.#reported = undefined
    this.#reading = reported
    this.#timer = undefined
    this.#isReading = true
    this.#isUrgent = false
    try {
      await this.#read(parts)
    } finally {
      this.#isReading = false
      this.#readAt = performance.now()
      reported?.resolve()
      if (this.#reading === reported) this.#reading = undefined
      this.#schedule()
    }
  }
}
