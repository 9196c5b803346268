/** The `_meta` forwarded with a request: everything the caller sent, except what concerns only the caller and the host. */
import type { RequestScope } from '../../pipeline/request-scope.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META, TASKS_EXTENSION } from '../../protocol/versions.ts'
import type { ClientDescription } from '../../tool/context.ts'
import type { Listing } from '../upstream/listing/listing.ts'

const OWN_PREFIX = 'myrmex/'
const PROTOCOL_PREFIX = 'io.modelcontextprotocol/'

/** Returns undefined if there is nothing to forward. */
export function forwardedMeta(scope: RequestScope, listing: Listing | undefined): JsonObject | undefined {
  let forwarded: JsonObject | undefined
  const { meta } = scope
  for (const key in meta) {
    if (key === META.progressToken || key.startsWith(OWN_PREFIX) || key.startsWith(PROTOCOL_PREFIX)) continue
    forwarded ??= {}
    forwarded[key] = meta[key] as JsonObject
  }
  if (listing?.era !== 'modern') return forwarded
  forwarded ??= {}
  const { info, capabilities } = scope.client
  if (info !== undefined) forwarded[META.clientInfo] = info as unknown as JsonObject
  forwarded[META.clientCapabilities] = isModern(scope) ? capabilities : withTasks(scope.client, listing)
  const { level } = scope
  if (level !== undefined) forwarded[META.logLevel] = level
  return forwarded
}

export const isModern = ({ meta }: RequestScope): boolean => META.protocolVersion in meta

export function hasTasks({ capabilities }: Pick<Listing, 'capabilities'>): boolean {
  const { extensions } = capabilities
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
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
