/** What an upstream is given by whoever runs it, and what it tells them. */
import type { JsonObject } from '../../protocol/json.ts'
import type { Reaper } from '../child/reaper.ts'
import type { LinkHandlers } from '../link/link.ts'
import type { openLink } from '../link/open-link.ts'
import type { ChildEndpoint, ServerSettings, UrlEndpoint } from '../settings.ts'
import type { BackoffSettings } from './backoff.ts'
import type { Listing } from './listing/listing.ts'
import type { ListingCache } from './listing/listing-cache.ts'
import type { UpstreamState } from './status.ts'

/** A server that is reached over a link, and not loaded into this process. */
export type UpstreamSettings = ServerSettings & { readonly endpoint: ChildEndpoint | UrlEndpoint }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface UpstreamDeps {
  /** a question of the upstream's; without it every question is refused */
  readonly onRequest?: LinkHandlers['onRequest']
  readonly log: (level: LogLevel, line: string) => void
  readonly reaper?: Reaper
  readonly listingCache?: ListingCache
  readonly backoff?: Partial<BackoffSettings>
  readonly open?: typeof openLink
}

export interface UpstreamEvents {
  /**
   * What it offers is known, or has changed; `before` is what was known until now. Where a promise is given it is waited for: one
   * that was just opened takes no call before whatever judges what it offers is done with it.
   */
  listing: (listing: Listing, before: Listing | undefined) => Promise<void> | void
  state: (state: UpstreamState) => void
  /** What it said by itself, but for changes of its lists: resources/updated, message, and whatever else it sends. */
  notification: (method: string, params: JsonObject) => void
}
