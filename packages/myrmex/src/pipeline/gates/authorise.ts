/** authorise: a principal with scopes may call only what they cover. A principal without scopes may call everything. */
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { Principal } from '../../tool/context.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Gate } from '../gate.ts'
import { type Outcome, refusal } from '../outcome.ts'
import { matchesName } from '../rules/policy.ts'

export const authorise: Gate = (tool, next) => {
  // The same token gives the same principal object, so each is checked once.
  const allowed = new WeakMap<Principal, boolean>()
  const isCovered = ({ scopes = [] }: Principal): boolean => scopes.some((scope) => matchesName(scope, tool.name))
  return (call) => {
    const { principal } = call.caller
    const isAllowed = principal.scopes === undefined || getOrMake(allowed, principal, isCovered)
    return isAllowed ? next(call) : outOfScope(tool, principal)
  }
}

function outOfScope({ name, module }: Tool, { id, scopes = [] }: Principal): Outcome {
  const has = scopes.length === 0 ? 'it has none' : `it has ${scopes.slice(0, 20).join(', ')}`
  return refusal(
    'PermissionError',
    `${id} may not call ${name}: the scope ${name} (or ${module}.*) is missing; ${has}. Ask the operator for it.`,
    { tool: name, principal: id, missing_scope: name },
  )
}
