/**
 * authorise: a principal with scopes may call only what they cover. A principal without scopes may call everything. A principal with a
 * profile may call only what the profile covers, too. Requests for anything else are answered as for something that does not exist,
 * before they come here: this gate makes sure that none gets past.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { Principal } from '../../tool/context.ts'
import { matchesName } from '../../tool/rule-names.ts'
import type { Tool } from '../../tool/tool.ts'
import { coversTool } from '../../tool/tool-aliases.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type Outcome, refusal } from '../outcome.ts'
import type { Pipeline } from '../pipeline.ts'
import { isSearchTool } from '../rules/profiles.ts'

/** For lists, too: a caller sees only what it may reach. */
export const isInScope = ({ scopes }: Principal, name: string): boolean =>
  scopes === undefined || scopes.some((scope) => matchesName(scope, name))

/** The same for a tool, which may have two canonical names. */
export const isToolInScope = ({ scopes }: Principal, tool: Pick<Tool, 'name' | 'origin'>): boolean =>
  scopes === undefined || isSearchTool(tool) || scopes.some((scope) => coversTool(scope, tool))

/** Whether a scope may cover any resource of this server. */
export const mayReadResources = (principal: Principal, server: string): boolean =>
  isInScope(principal, `resource:${server}:*`) ||
  principal.scopes?.some((scope) => scope.startsWith(`resource:${server}:`)) === true

/** Whether a caller may reach a definition: its scopes and its profile cover it. */
export const isReachable = ({ profiles }: Pick<Pipeline, 'profiles'>, principal: Principal, tool: Tool): boolean =>
  isToolInScope(principal, tool) && (principal.profile === undefined || profiles.covers(principal, tool))

export const authorise: Gate = (tool, next, { profiles }) => {
  // The same token gives the same principal object, so each is checked once.
  const allowed = new WeakMap<Principal, boolean>()
  const isCovered = (principal: Principal): boolean => isToolInScope(principal, tool)
  // An undo changes state, whatever its tool does.
  const isInProfile = ({ caller: { principal }, undoOf }: Call): boolean =>
    profiles.covers(principal, tool) && (undoOf === undefined || !profiles.isReadOnly(principal))
  return (call) => {
    const { principal } = call.caller
    const isAllowed = principal.scopes === undefined || getOrMake(allowed, principal, isCovered)
    if (principal.profile !== undefined && !isInProfile(call)) return outOfProfile(call)
    if (isAllowed) return next(call)
    call.note({ isUnread: true })
    // A call that a tool makes ends as the tool decides.
    if (call.depth === 0) call.caller.outOfScope?.(scopeOf(tool.name), principal.scopes)
    return outOfScope(tool, principal)
  }
}

/** The narrowest scope that covers a definition: resources have one per server. */
const scopeOf = (name: string): string => (name.startsWith('resource:') ? name.split(':', 2).join(':') : name)

function outOfProfile(call: Call): Outcome {
  call.note({ isUnread: true })
  const { profile } = call.caller.principal
  // Without the name that it was resolved to.
  return refusal('PermissionError', `The profile ${profile} does not cover this request.`, { profile: profile ?? null })
}

function outOfScope({ name, module }: Tool, { id, scopes = [] }: Principal): Outcome {
  const missing = scopeOf(name)
  const wider = missing === name ? ` (or ${module}.*)` : ''
  const has = scopes.length === 0 ? 'it has none' : `it has ${scopes.slice(0, 20).join(', ')}`
  return refusal(
    'PermissionError',
    `${id} may not call ${name}: the scope ${missing}${wider} is missing; ${has}. Ask the operator for it.`,
    { tool: name, principal: id, missing_scope: missing },
  )
}
