/** One caller's own connection to a server that keeps state for it: an upstream and a forwarder that serve this caller only. */
import { signedIn } from '../../pipeline/rules/profiles.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Principal } from '../../tool/context.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import { Forwarder } from '../forward/forwarder.ts'
import type { RecentSecrets } from '../forward/recent-secrets.ts'
import type { Credential } from '../sign-in/credential.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import { Upstream } from '../upstream/upstream.ts'
import type { UpstreamDeps } from '../upstream/upstream-deps.ts'
import type { CallerKey } from './caller-key.ts'
import { ListingGuard } from './listing-guard.ts'

export interface CallerSessionOptions {
  readonly key: CallerKey
  readonly principal: Principal
  /** the server's own connection, whose listing counts */
  readonly base: Upstream
  readonly deps: Omit<UpstreamDeps, 'onRequest'>
  readonly secrets: RecentSecrets
  readonly onListing: (listing: Listing) => void
  readonly onNotification: (method: string, params: JsonObject, forwarder: Forwarder) => void
  /** the connection changed; `isOver`: it ended because nobody used it */
  readonly onState: (isOver: boolean) => void
}

export type SessionStatus = NonNullable<ServerStatus['sessions']>[number]

export class CallerSession {
  readonly key: CallerKey
  readonly principal: Principal
  readonly upstream: Upstream
  readonly forwarder: Forwarder
  /** its account at the server, if it has one */
  readonly #credential: Credential | undefined
  readonly #openedAt = new Date()
  usedAt = performance.now()
  /** whose request used it last, as that caller signed in */
  usedBy: Principal
  #uses = 0

  constructor(options: CallerSessionOptions) {
    const { key, principal, base, deps, secrets } = options
    this.key = key
    this.principal = this.usedBy = principal
    // The first call starts it, and it ends when it is idle. Only the server's own connection is cached and started ahead.
    const { cacheFolder: _, accounts, ...own } = deps
    const credential = accounts?.(principal.id) ?? own.credential
    this.#credential = credential
    if (credential !== undefined) credential.uses++
    this.upstream = new Upstream(
      { ...base.settings, start: 'lazy' },
      {
        ...own,
        credential,
        principal,
        knownListing: base.listing,
        refuse: new ListingGuard(base.name, () => base.listing).refuse,
        onRequest: (method, params, signal) => this.forwarder.answerQuestion(method, params, signal),
      },
    )
    this.forwarder = new Forwarder(this.upstream, secrets, {
      client: key.isOneClient ? this : undefined,
    })
    this.upstream.on('listing', options.onListing)
    this.upstream.on('notification', (method, params) => options.onNotification(method, params, this.forwarder))
    let before = this.upstream.state
    this.upstream.on('state', (state) => {
      if (state !== 'ready') this.forwarder.requests.forgetAbandoned()
      // After a failure it stays, so that the delays between attempts grow.
      options.onState(state === 'idle' && before === 'ready')
      before = state
    })
  }

  /** It may be ended without interrupting anybody. */
  get isUnused(): boolean {
    const { in_flight, subscriptions, state } = this.upstream.status()
    return this.#uses === 0 && in_flight === 0 && subscriptions === 0 && state !== 'starting'
  }

  /** It is in use until `work` is over, also while that sends nothing: before its request, and between two looks at a task. */
  async use<T>(principal: Principal, work: (own: Forwarder) => Promise<T>): Promise<T> {
    this.usedAt = performance.now()
    this.usedBy = signedIn(principal)
    this.#uses++
    try {
      return await work(this.forwarder)
    } finally {
      this.#uses--
    }
  }

  /** Its client has probably gone, but did not end its session. */
  get isLeft(): boolean {
    return this.key.connection?.channel.hasLeft === true
  }

  /** It has a connection, or is opening one. */
  get isLive(): boolean {
    return this.upstream.state === 'ready' || this.upstream.state === 'starting'
  }

  status(): SessionStatus {
    const { pid, state, in_flight } = this.upstream.status()
    const { key, principal } = this
    return { id: key.shownId, principal: principal.id, pid, state, since: this.#openedAt.toISOString(), in_flight }
  }

  /** A child and its descendants are gone when this resolves. */
  async close(): Promise<void> {
    this.forwarder.close()
    await this.upstream.close()
    if (this.#credential !== undefined) this.#credential.uses--
  }
}
