/** authorise: a principal with scopes calls what they cover and nothing else. One without scopes may call everything. */
import type { Principal } from '../../tool/context.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Gate } from '../gate.ts'
import { failure, type Outcome } from '../outcome.ts'
import { matchesName } from '../rules/policy.ts'

export const authorise: Gate = (tool, next) => {
  // The same token gives the same principal, so it is judged once.
  const allowed = new WeakMap<Principal, boolean>()
  return (call) => {
    const { principal } = call.caller
    if (principal.scopes === undefined) return next(call)
    let may = allowed.get(principal)
    if (may === undefined) {
      may = principal.scopes.some((scope) => matchesName(scope, tool.name))
      allowed.set(principal, may)
    }
    return may ? next(call) : outOfScope(tool, principal)
  }
}

function outOfScope({ name, module }: Tool, { id, scopes = [] }: Principal): Outcome {
  const has = scopes.length === 0 ? 'it has none' : `it has ${scopes.slice(0, 20).join(', ')}`
  return failure({
    error_type: 'PermissionError',
    error_message: `${id} may not call ${name}: the scope ${name} (or ${module}.*) is missing; ${has}. Ask the operator for it.`,
    error_details: { tool: name, principal: id, missing_scope: name },
  })
}
