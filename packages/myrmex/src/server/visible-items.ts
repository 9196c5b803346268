/**
 * What a caller sees in lists: only what its scopes cover. Items of upstreams that nobody has reviewed are listed by name only, because
 * models read everything else. The list depends on the caller's credential alone, never on the connection.
 */
import { isInScope, isToolInScope } from '../pipeline/gates/authorise.ts'
import { isReviewed } from '../pipeline/gates/trust.ts'
import type { Principal } from '../tool/context.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Resource } from '../tool/resource.ts'
import type { Tool } from '../tool/tool.ts'
import { isNameHidden } from '../tool/upstream-listing.ts'
import type { Server } from './server.ts'

type Item = Resource | Prompt

/** Also for counts, hints and searches: nothing that a caller gets may depend on a tool that it does not see. */
export const isVisibleTool = (server: Server, principal: Principal, tool: Tool): boolean =>
  isToolInScope(principal, tool) && (!isNameHidden(tool) || isReviewed(tool, server.ledger.trust))

/** The key of an unreviewed item is shown as it is, so it must be one that anybody can read. */
const PLAIN_KEY = /^[\x21-\x7e]{1,500}$/

export const visibleItems = <T extends Item>(server: Server, principal: Principal, items: readonly T[]): readonly T[] =>
  items.filter((item) => {
    const definition = server.definitionOf(item)
    if (!isInScope(principal, definition.name)) return false
    return (PLAIN_KEY.test(keyOf(item)) && !isNameHidden(definition)) || !isUnreviewed(server, item)
  })

const keyOf = (item: Item): string => (item.kind === 'prompt' ? item.name : (item.uri ?? item.template?.text ?? ''))

export function isUnreviewed(server: Server, item: Item): boolean {
  const definition = server.definitionOf(item)
  if (definition.origin === 'own' && !server.pipeline.hasLedger) return false
  return !isReviewed(definition, server.ledger.trust)
}

export const notCallable = (name: string): string =>
  `Not callable: the operator must review it first (npx myrmex trust status ${name}).`

/** Something may have been trusted meanwhile. A server without a ledger has only its own items. */
export function refreshTrust({ pipeline }: Server): void | Promise<void> {
  if (!pipeline.hasLedger) return
  const { trust } = pipeline.ledger
  if (trust.isStale(Date.now())) return trust.refresh()
}

/** Whether the caller may reach anything of this server or module. */
export function mayReach({ scopes }: Principal, owner: string): boolean {
  if (scopes === undefined) return true
  const prefixes = ['', 'prompt:', 'agent:'].map((kind) => `${kind}${owner}.`)
  return scopes.some(
    (scope) =>
      scope === '*' ||
      scope.endsWith(':*') ||
      scope === `resource:${owner}` ||
      scope.startsWith(`resource:${owner}:`) ||
      prefixes.some((prefix) => scope.startsWith(prefix)),
  )
}
