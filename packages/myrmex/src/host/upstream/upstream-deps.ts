/** What an upstream needs from its host, and the events it emits. */
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Principal } from '../../tool/context.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import type { LineFilter } from '../child/log-sanitiser.ts'
import type { Reaper } from '../child/reaper.ts'
import type { Sandboxes } from '../child/sandbox/sandboxes.ts'
import type { LinkHandlers } from '../link/link.ts'
import type { ChildEndpoint, ServerSettings, UrlEndpoint } from '../settings.ts'
import type { Credential } from '../sign-in/credential.ts'
import type { BackoffSettings } from './backoff.ts'
import type { Listing } from './listing/listing.ts'

/** A server reached over a link, not loaded into this process. */
export type UpstreamSettings = ServerSettings & { readonly endpoint: ChildEndpoint | UrlEndpoint }

/**
 * `needs_sign_in`: its credential is missing or dead; nothing is sent to it until an operator signs in. `idle`: not running; the next call starts it. `waiting`: failed; retried after a delay. `cooldown`: failed repeatedly; not retried
 * for a while. `stopped`: by an operator, or because it is the host itself; calls do not start it. `closed`: for good.
 */
export type UpstreamState = Exclude<ServerStatus['state'], 'failed'>

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface UpstreamDeps {
  /** answers the upstream's questions */
  readonly onRequest: LinkHandlers['onRequest']
  /** of the host; see tool/passed-hosts.ts */
  readonly hostId?: string | undefined
  readonly log: (level: LogLevel, line: string) => void
  /** removes the secrets of callers from what a server writes for the log */
  readonly callerSecrets?: LineFilter
  readonly reaper?: Reaper
  /** makes the sandbox that the settings ask for; default: none */
  readonly sandboxes?: Sandboxes
  /** of a server that may ask for a sign-in */
  readonly credential?: Credential | undefined
  /** of a server at which each caller has an account of its own */
  readonly accounts?: ((principal: string) => Credential) | undefined
  /** folder of the listing cache; default: no cache */
  readonly cacheFolder?: string
  readonly backoff?: Partial<BackoffSettings>
  /** of a session of one caller: whose requests it is for; default: for those of all callers */
  readonly principal?: Principal
  /** What another connection to the same server listed. It counts until this one has been opened: the first request depends on it. */
  readonly knownListing?: Listing | undefined
  /** Why a request is not sent, judged by the listing of the connection that would carry it. */
  readonly refuse?: (method: string, params: JsonObject, listing: Listing | undefined) => ToolError | undefined
}

export interface UpstreamEvents {
  /**
   * The listing is known or has changed; `before` is the previous one. A returned promise is awaited before a new connection takes
   * calls, so that changed definitions are reviewed first.
   */
  listing: (listing: Listing, before: Listing | undefined) => Promise<void> | void
  state: (state: UpstreamState) => void
  /** Any notification except changes of lists and resources, for example a log message. */
  notification: (method: string, params: JsonObject) => void
}
