/**
 * Calls that are held open until a person decides: so many at most, of all callers and of each. Further ones fail at once, and those that are
 * held when the server closes end, because closing would wait for them.
 */
import type { ApprovalSettings } from '../../rules/approval-settings.ts'

export class HeldCalls {
  /** by principal */
  readonly #held = new Map<string, number>()
  /** what lets each look again */
  readonly #wakes = new Set<() => void>()
  #all = 0
  #round = { isOver: false }

  /** Takes a place, and returns what gives it back. Undefined: there is none. */
  enter(principal: string, { maxHeld, maxHeldEach }: ApprovalSettings): (() => void) | undefined {
    const own = this.#held.get(principal) ?? 0
    if (this.#all >= maxHeld || own >= maxHeldEach) return undefined
    this.#all++
    this.#held.set(principal, own + 1)
    return () => this.#leave(principal)
  }

  /** Those that are held now. It is over when they must end. */
  get round(): { readonly isOver: boolean } {
    return this.#round
  }

  /** Calls `wake` when the round is over. Returns what forgets it. */
  onEnd(wake: () => void): () => void {
    this.#wakes.add(wake)
    return () => this.#wakes.delete(wake)
  }

  endAll(): void {
    this.#round.isOver = true
    this.#round = { isOver: false }
    for (const wake of [...this.#wakes]) wake()
  }

  get size(): number {
    return this.#all
  }

  #leave(principal: string): void {
    this.#all--
    const left = (this.#held.get(principal) ?? 1) - 1
    if (left === 0) this.#held.delete(principal)
    else this.#held.set(principal, left)
  }
}
