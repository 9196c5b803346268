/** Gathers what an upstream says has changed, so that a burst of it is read once, and one that never stops is not read all the time. */
import type { ListPart } from './listed-item.ts'

const MEANS: Readonly<Record<string, readonly ListPart[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'templates'],
}

const SOON_MS = 50
/** where it was read less than this long ago */
const AGAIN_MS = 1000

export class ListChanges {
  readonly #read: (parts: ReadonlySet<ListPart>) => Promise<void>
  #parts = new Set<ListPart>()
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  /** changes of the tools that were heard of: settled when they have been read */
  #heard: PromiseWithResolvers<void> | undefined
  /** those that are being read now */
  #reading: PromiseWithResolvers<void> | undefined
  #isUrgent = false
  #readAt = Number.NEGATIVE_INFINITY

  /** `read` does not reject. */
  constructor(read: (parts: ReadonlySet<ListPart>) => Promise<void>) {
    this.#read = read
  }

  /** Whether that was about a list. */
  onNotification(method: string): boolean {
    const parts = Object.hasOwn(MEANS, method) ? MEANS[method] : undefined
    if (parts === undefined) return false
    for (const part of parts) this.#parts.add(part)
    if (parts.includes('tools')) this.#heard ??= Promise.withResolvers()
    this.#plan()
    return true
  }

  /** The tools are said to be others than they are known to be. */
  get hasUnreadToolChanges(): boolean {
    return this.#heard !== undefined || this.#reading !== undefined
  }

  /** Resolves when all that was heard of until now has been read, which is soon, since somebody waits. */
  async toolsRead(): Promise<void> {
    this.#isUrgent = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#plan()
    await (this.#heard ?? this.#reading)?.promise
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#parts = new Set()
    this.#heard?.resolve()
    this.#reading?.resolve()
    this.#heard = undefined
    this.#reading = undefined
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#isReading || this.#parts.size === 0) return
    const wait = Math.max(SOON_MS, Math.min(AGAIN_MS, this.#readAt + AGAIN_MS - performance.now()))
    this.#timer = setTimeout(() => void this.#take(), this.#isUrgent ? 0 : wait)
    this.#timer.unref()
  }

  async #take(): Promise<void> {
    const parts = this.#parts
    this.#parts = new Set()
    const heard = this.#heard
    this.#heard = undefined
    this.#reading = heard
    this.#timer = undefined
    this.#isReading = true
    this.#isUrgent = false
    try {
      await this.#read(parts)
    } finally {
      this.#isReading = false
      this.#readAt = performance.now()
      heard?.resolve()
      if (this.#reading === heard) this.#reading = undefined
      this.#plan()
    }
  }
}
