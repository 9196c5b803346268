/**
 * Clients and people know one server: the host. What an upstream says through it must not pass for the host's own words, so log
 * messages name the server that sent them (for questions see question-schema.ts), and the keys of `_meta` that the host itself writes are taken from results.
 */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'

const RESERVED_PREFIX = 'myrmex/'
/** The task of a server is none that clients of the host know. */
const isTaskOfServer = (key: string): boolean => key === META.relatedTask
const MAX_LOGGER_LENGTH = 100

export function attributedLogger(logger: unknown, server: string): string {
  if (typeof logger !== 'string' || logger === '' || logger === server) return server
  const name = logger.slice(0, MAX_LOGGER_LENGTH)
  return name.startsWith(`${server}.`) ? name : `${server}.${name}`
}

/** How a call ended is read from the result of a Myrmex server, and replaced by what the host says. */
export function withoutReservedMeta(result: JsonObject, method: string): JsonObject {
  const { _meta } = result
  if (!isObject(_meta)) return result
  const isReserved = (key: string): boolean =>
    isTaskOfServer(key) || (key.startsWith(RESERVED_PREFIX) && !(method === 'tools/call' && key === META.result))
  if (!Object.keys(_meta).some(isReserved)) return result
  const kept = Object.entries(_meta as JsonObject).filter(([key]) => !isReserved(key))
  return { ...result, _meta: Object.fromEntries(kept) }
}
