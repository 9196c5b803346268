/** What must be done at a new link before any call may use it: the level of its logs, its subscriptions, what it offers now. */
import { RpcError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import type { Listing } from './listing/listing.ts'
import { type ReadListingOptions, readListing } from './listing/read-listing.ts'
import type { Subscriptions } from './subscriptions.ts'

const LEVEL_MS = 5000

/** Calls wait for it: a definition that changed while it was down is seen before anybody calls what is behind it. */
export async function prepareConnection(
  link: Link,
  subscriptions: Subscriptions,
  options: ReadListingOptions,
): Promise<Listing> {
  const [listing] = await Promise.all([
    // First the subscriptions: what changes while the lists are read is heard.
    subscriptions.attach(link).then(() => readListing(link, options)),
    everyLog(link, options.warn),
  ])
  return listing
}

/** All of them, since each client says for itself what it wants to hear. In the modern era every request says it. */
async function everyLog(link: Link, tell: ReadListingOptions['warn']): Promise<void> {
  if (link.era === 'modern' || !isObject(link.capabilities.logging)) return
  try {
    await link.request('logging/setLevel', { level: 'debug' }, { timeoutMs: LEVEL_MS })
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown
    tell(`logging/setLevel was refused: ${thrown.message}`)
  }
}
