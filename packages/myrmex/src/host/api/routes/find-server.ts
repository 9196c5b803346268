/** Finds the server that a request names. */
import { didYouMean } from '../../../protocol/text.ts'
import { nearest } from '../../../tool/nearest.ts'
import { notFound } from '../api-error.ts'
import type { ApiHost } from '../route-context.ts'
import type { ServerStatus } from './servers.ts'

/** Throws ApiError 404. */
export function findServer(host: ApiHost | undefined, name: string): { host: ApiHost; server: ServerStatus } {
  const server = host?.status(name)
  if (host !== undefined && server !== undefined) return { host, server }
  const near = nearest(name, host?.serverNames() ?? [])
  throw notFound(`Unknown server ${JSON.stringify(name)}.${didYouMean(near)}`)
}
