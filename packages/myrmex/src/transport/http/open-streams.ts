/** Requests that are being answered to callers whose rights can end meanwhile: when they do, the requests end too. */
import type { ServerResponse } from 'node:http'
import { signedIn } from '../../pipeline/rules/profiles.ts'
import type { Principal } from '../../tool/context.ts'

export class OpenStreams {
  readonly #open = new Map<Principal, Set<() => void>>()

  /** Returns a function that forgets it. */
  add(principal: Principal, cancel: () => void, response: ServerResponse): () => void {
    const caller = signedIn(principal)
    const ends = this.#open.get(caller) ?? new Set()
    this.#open.set(caller, ends)
    const end = (): void => {
      cancel()
      response.destroy()
    }
    ends.add(end)
    return () => {
      ends.delete(end)
      if (ends.size === 0) this.#open.delete(caller)
    }
  }

  /** `isOver`: whether a caller has lost its rights. */
  endWhere(isOver: (principal: Principal) => boolean): void {
    for (const [principal, ends] of [...this.#open]) if (isOver(principal)) for (const end of [...ends]) end()
  }
}
