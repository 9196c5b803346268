/** Calls that are held open until a person decides: so many at most, of all callers and of each. Further ones fail at once. */
import type { ApprovalSettings } from '../../rules/approval-settings.ts'

export class HeldCalls {
  /** by principal */
  readonly #held = new Map<string, number>()
  #all = 0

  /** Takes a place, and returns what gives it back. Undefined: there is none. */
  enter(principal: string, { maxHeld, maxHeldEach }: ApprovalSettings): (() => void) | undefined {
    const own = this.#held.get(principal) ?? 0
    if (this.#all >= maxHeld || own >= maxHeldEach) return undefined
    this.#all++
    this.#held.set(principal, own + 1)
    return () => this.#leave(principal)
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
