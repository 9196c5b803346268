/** What an upstream is given by whoever runs it, and what it tells them. */
import type { JsonObject } from '../../protocol/json.ts'
import type { Keeper } from '../child/keeper.ts'
import type { LinkHandlers } from '../link/link.ts'
import type { openLink } from '../link/open.ts'
import type { ChildPlace, ServerSettings, UrlPlace } from '../settings.ts'
import type { Listing } from './listing.ts'
import type { Pace } from './pace.ts'
import type { Remembered } from './remembered.ts'
import type { UpstreamState } from './status.ts'

/** A server that is reached over a link, and not loaded into this process. */
export type UpstreamSettings = ServerSettings & { readonly place: ChildPlace | UrlPlace }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface UpstreamAround {
  /** a question of the upstream's; without it every question is refused */
  readonly onRequest?: LinkHandlers['onRequest']
  readonly log: (level: LogLevel, line: string) => void
  readonly keeper?: Keeper
  readonly remembered?: Remembered
  readonly pace?: Partial<Pace>
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
