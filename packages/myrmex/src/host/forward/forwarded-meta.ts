/** What goes along with a request to an upstream: all that its caller said in `_meta`, but for what is between caller and host. */
import type { RequestScope } from '../../pipeline/request-scope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META, TASKS_EXTENSION } from '../../protocol/versions.ts'
import type { ClientDescription } from '../../tool/context.ts'
import type { Listing } from '../upstream/listing/listing.ts'

const OURS = 'myrmex/'
const PROTOCOL = 'io.modelcontextprotocol/'

/** Undefined where there is nothing to say. */
export function forwardedMeta(scope: RequestScope, listing: Listing | undefined): JsonObject | undefined {
  let said: JsonObject | undefined
  const { meta } = scope
  for (const key in meta) {
    if (key === META.progressToken || key.startsWith(OURS) || key.startsWith(PROTOCOL)) continue
    said ??= {}
    said[key] = meta[key] as JsonObject
  }
  if (listing?.era !== 'modern') return said
  said ??= {}
  const { info, capabilities } = scope.client
  if (info !== undefined) said[META.clientInfo] = info as unknown as JsonObject
  said[META.clientCapabilities] = isModern(scope) ? capabilities : withTasks(scope.client, listing)
  const { level } = scope
  if (level !== undefined) said[META.logLevel] = level
  return said
}

export const isModern = ({ meta }: RequestScope): boolean => META.protocolVersion in meta

export function hasTasks({ capabilities }: Pick<Listing, 'capabilities'>): boolean {
  const { extensions } = capabilities
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
}

const widened = new WeakMap<ClientDescription, JsonObject>()

/** A client of the legacy era has no word for tasks. The host can wait in its place. */
function withTasks(client: ClientDescription, listing: Listing): JsonObject {
  const { capabilities } = client
  if (!hasTasks(listing)) return capabilities
  let wider = widened.get(client)
  if (wider === undefined) {
    const extensions = { ...(capabilities.extensions as JsonObject | undefined), [TASKS_EXTENSION]: {} }
    wider = { ...capabilities, extensions }
    widened.set(client, wider)
  }
  return wider
}
