/** Calls that are held open until a person decides: so many at most, of all callers and of each. Further ones fail at once. */
import type { ToolError } from '../../../protocol/errors.ts'
import type { ApprovalSettings } from '../../rules/approval-settings.ts'

type Interrupt = (why: ToolError) => void

export class HeldCalls {
  /** by principal */
  readonly #held = new Map<string, Set<Interrupt>>()
  #all = 0

  /** Takes a place, and returns what gives it back. Undefined: there is none. */
  enter(principal: string, { maxHeld, maxHeldEach }: ApprovalSettings, end: Interrupt): (() => void) | undefined {
    const own = this.#held.get(principal) ?? new Set()
    if (this.#all >= maxHeld || own.size >= maxHeldEach) return undefined
    this.#all++
    const interrupt: Interrupt = (why) => end(why)
    this.#held.set(principal, own.add(interrupt))
    return () => this.#leave(principal, interrupt)
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
