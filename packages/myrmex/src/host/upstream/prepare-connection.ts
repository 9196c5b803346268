/** Prepares a new link before calls use it: sets the log level, restores subscriptions, reads the listing. */
import { RpcError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import type { Listing } from './listing/listing.ts'
import { type ReadListingOptions, readListing } from './listing/read-listing.ts'
import type { Subscriptions } from './subscriptions.ts'

const SET_LEVEL_TIMEOUT_MS = 5000

/** Calls wait for this, so a definition that changed while the server was down is detected before it is called. */
export async function prepareConnection(
  link: Link,
  subscriptions: Subscriptions,
  options: ReadListingOptions,
): Promise<Listing> {
  const [listing] = await Promise.all([
    // Subscribe first: changes during the read are then reported.
    subscriptions.attach(link).then(() => readListing(link, options)),
    requestAllLogs(link, options.warn),
  ])
  return listing
}

/** Requests every log level, because each client filters for itself. A modern request carries its own level. */
async function requestAllLogs(link: Link, warn: ReadListingOptions['warn']): Promise<void> {
  if (link.era === 'modern' || !isObject(link.capabilities.logging)) return
  try {
    await link.request('logging/setLevel', { level: 'debug' }, { timeoutMs: SET_LEVEL_TIMEOUT_MS })
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown
    warn(`logging/setLevel was rejected: ${thrown.message}`)
  }
}
