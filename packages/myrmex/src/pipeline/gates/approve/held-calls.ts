/**
 * Calls that are held open until a person decides: so many at most, of all callers and of each. Further ones fail at once, and those that are
 * held when the server closes end, because closing would wait for them.
 */
import type { ToolError } from '../../../protocol/errors.ts'
import type { ApprovalSettings } from '../../rules/approval-settings.ts'

type Interrupt = (why: ToolError) => void

export class HeldCalls {
  /** by principal */
  readonly #held = new Map<string, Set<Interrupt>>()
  /** what lets each look again */
  readonly #wakes = new Set<() => void>()
  #all = 0
  #round = { isOver: false }

  /** Takes a place, and returns what gives it back. Undefined: there is none. */
  enter(principal: string, { maxHeld, maxHeldEach }: ApprovalSettings, end: Interrupt): (() => void) | undefined {
    const own = this.#held.get(principal) ?? new Set()
    if (this.#all >= maxHeld || own.size >= maxHeldEach) return undefined
    this.#all++
    const interrupt: Interrupt = (why) => end(why)
    this.#held.set(principal, own.add(interrupt))
    return () => this.#leave(principal, interrupt)
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

  interruptAll(why: ToolError): void {
    for (const interrupt of [...this.#held.values()].flatMap((own) => [...own])) interrupt(why)
  }

  #leave(principal: string, interrupt: Interrupt): void {
    this.#all--
    const own = this.#held.get(principal)
    own?.delete(interrupt)
    if (own?.size === 0) this.#held.delete(principal)
  }
}
