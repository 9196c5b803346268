/**
 * What a caller with a profile sees of each list, so that it is notified only when that has changed. Callers without a profile are
 * notified of every change.
 */
import { isReviewed } from '../pipeline/gates/trust.ts'
import type { Principal } from '../tool/context.ts'
import { sha256 } from '../tool/hash.ts'
import { visibleTools } from './methods/tools.ts'
import type { Change, ListKind } from './notification-hub.ts'
import type { Server } from './server.ts'
import { existsFor, visibleItems } from './visible-items.ts'

export class SeenLists {
  readonly #server: Server
  readonly #principal: () => Principal
  readonly #seen = new Map<ListKind, string>()

  /** `principal`: who gets the notifications; a session may go on with a token that has more rights. */
  constructor(server: Server, principal: () => Principal) {
    this.#server = server
    this.#principal = principal
    if (principal().profile !== undefined)
      for (const kind of ['tools', 'prompts', 'resources'] as const) this.#seen.set(kind, this.#digest(kind))
  }

  /** Whether the caller can see this change. Remembers what it sees now. */
  concerns(change: Change): boolean {
    if (change.kind === 'task') return true
    const principal = this.#principal()
    if (change.kind === 'resource') {
      if (principal.profile === undefined) return true
      const found = this.#server.findResource(change.uri, principal)
      return found !== undefined && existsFor(this.#server, principal, found.item)
    }
    if (principal.profile === undefined) return change.profiles !== true
    const digest = this.#digest(change.kind)
    if (this.#seen.get(change.kind) === digest) return false
    this.#seen.set(change.kind, digest)
    return true
  }

  #digest(kind: ListKind): string {
    const server = this.#server
    const principal = this.#principal()
    const hashes =
      kind === 'tools'
        ? visibleTools(server, principal).map(
            ({ tool }) => `${tool.name} ${tool.hash} ${isReviewed(tool, server.ledger.trust)}`,
          )
        : visibleItems<never>(server, principal, server[kind].all() as never).map((item) => {
            const { name, hash } = server.definitionOf(item)
            return `${name} ${hash}`
          })
    return sha256(hashes.join('\n'))
  }
}
