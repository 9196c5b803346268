/**
 * Wakes those that wait for approvals. A decision of this process wakes them at once. For those of other processes one query looks at all
 * waiting approvals together, so that many waiting calls cost no more than one.
 */

/** How often the store is looked at while anybody waits. */
const POLL_MS = 250
/** Approvals looked up in one query. */
const CHUNK = 200

/** Returns the ids of those among `ids` that no longer wait. */
type FindDecided = (ids: readonly string[]) => Promise<readonly string[]>

export class DecisionWatch {
  readonly #findDecided: FindDecided
  /** by the id of the approval */
  readonly #waiting = new Map<string, Set<() => void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(findDecided: FindDecided) {
    this.#findDecided = findDecided
  }

  /** Calls `wake` once, after the approval may have been decided or has expired. Returns what forgets it. */
  once(id: string, wake: () => void): () => void {
    const known = this.#waiting.get(id)
    if (known === undefined) this.#waiting.set(id, new Set([wake]))
    else known.add(wake)
    this.#timer ??= setTimeout(this.#poll, POLL_MS)
    return () => this.#forget(id, wake)
  }

  /** For all that wait: what they wait for may have been decided here. */
  wakeAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#wake(id)
  }

  #forget(id: string, wake: () => void): void {
    const known = this.#waiting.get(id)
    known?.delete(wake)
    if (known?.size === 0) this.#waiting.delete(id)
    if (this.#waiting.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wake(id: string): void {
    for (const wake of [...(this.#waiting.get(id) ?? [])]) {
      this.#forget(id, wake)
      wake()
    }
  }

  readonly #poll = async (): Promise<void> => {
    const ids = [...this.#waiting.keys()]
    try {
      for (let at = 0; at < ids.length; at += CHUNK)
        for (const id of await this.#findDecided(ids.slice(at, at + CHUNK))) this.#wake(id)
    } catch {
      // They look themselves, and their calls end with the error.
      this.wakeAll()
    }
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(this.#poll, POLL_MS)
  }
}
