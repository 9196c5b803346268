/**
 * The `_meta` forwarded with a request. Of what the caller sent it has only the trace context, in its strict format: people approve
 * arguments and answers, policy and constitution judge them, and the audit records them. What none of them sees must not reach an
 * upstream, where it could steer the effect.
 */
import type { RequestScope } from '../../pipeline/request-scope.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META, TASKS_EXTENSION } from '../../protocol/versions.ts'
import type { ClientDescription } from '../../tool/context.ts'
import type { Listing } from '../upstream/listing/listing.ts'

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
/** The W3C asks that this many are passed on. */
const MAX_TRACESTATE = 512

/** Returns undefined if there is nothing to forward. */
export function forwardedMeta(scope: RequestScope, listing: Listing | undefined): JsonObject | undefined {
  const trace = traceContext(scope)
  if (listing?.era !== 'modern') return trace
  const forwarded = trace ?? {}
  const { info, capabilities } = scope.client
  if (info !== undefined) forwarded[META.clientInfo] = info as unknown as JsonObject
  forwarded[META.clientCapabilities] = isModern(scope) ? capabilities : withTasks(scope.client, listing)
  const { level } = scope
  if (level !== undefined) forwarded[META.logLevel] = level
  return forwarded
}

function traceContext({ meta: { traceparent, tracestate } }: RequestScope): JsonObject | undefined {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined
  const hasState = typeof tracestate === 'string' && tracestate.length <= MAX_TRACESTATE
  return { traceparent, ...(hasState && { tracestate }) }
}

export const isModern = ({ meta }: RequestScope): boolean => META.protocolVersion in meta

export function hasTasks({ capabilities }: Pick<Listing, 'capabilities'>): boolean {
  const { extensions } = capabilities
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
}

/** The same for a server of 2025-11-25, where the caller decides what becomes a task. */
export function hasLegacyTasks({ era, capabilities: { tasks } }: Pick<Listing, 'capabilities' | 'era'>): boolean {
  const requests = isObject(tasks) ? tasks.requests : undefined
  const tools = isObject(requests) ? requests.tools : undefined
  return era !== 'modern' && isObject(tools) && isObject(tools.call)
}

const withTasksCache = new WeakMap<ClientDescription, JsonObject>()

/** Legacy clients cannot declare tasks. The host declares them because it can wait for the result. */
function withTasks(client: ClientDescription, listing: Listing): JsonObject {
  const { capabilities } = client
  if (!hasTasks(listing)) return capabilities
  return getOrMake(withTasksCache, client, () => {
    const extensions = { ...(capabilities.extensions as JsonObject | undefined), [TASKS_EXTENSION]: {} }
    return { ...capabilities, extensions }
  })
}
