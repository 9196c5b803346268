/**
 * The credential of one server, for one account: it knows the Authorization header of the next request.
 *
 * 1. A token that is about to expire is refreshed ahead of that, by one process of all that share the ledger.
 * 2. A 401 leads to one attempt to refresh. If that is refused, or there is nothing to refresh, the credential is dead.
 * 3. A dead credential sends nothing to anybody, in any process and after a restart, until somebody signs in.
 */

import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import { isUnreadable, type StoredToken, type TokenOwner, type UpstreamTokens } from '../../ledger/upstream-tokens.ts'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import type { AuthSettings } from '../settings.ts'
import { clientCredentialsSignIn } from './client-credentials.ts'
import { allScopes, type Challenge, type Issuer, isSameIssuer } from './discover-issuer.ts'
import { IssuerAddresses } from './issuer-address.ts'
import { type IssuerFetch, issuerFetch, isTemporary } from './issuer-fetch.ts'
import { loginCommand, scopeNeeded, signInNeeded } from './sign-in-needed.ts'
import { storeRefreshed } from './store-refreshed.ts'
import { isClientRefused, refreshTokens, type SavedTokens, TokenRefused, type TokenTarget } from './token-request.ts'
import { TokenSecrets } from './token-secrets.ts'

/** What is stored of a sign-in. A secret of the configuration is not in it. */
export interface SavedSignIn {
  readonly issuer: Issuer
  readonly client: OAuthClientInformationMixed
  readonly tokens: SavedTokens
}

export interface CredentialOptions {
  readonly server: string
  readonly url: string
  readonly auth: AuthSettings | undefined
  /** '' for the account that all callers share */
  readonly principal: string
  readonly store: () => UpstreamTokens
  readonly log: (level: 'info' | 'warn', line: string) => void
  readonly onChange: () => void
  /** a sign-in that worked is dead; called by one process of all that share the ledger */
  readonly onDead: (reason: string) => void
}

/** A token is refreshed this long before it expires, or when a fifth of its life is left. */
const REFRESH_AHEAD_MS = 60_000
const AFTER_FAILURE_MS = 10_000
const POLL_MS = 100

export class Credential {
  readonly options: CredentialOptions
  readonly addresses: IssuerAddresses
  readonly fetch: IssuerFetch
  readonly owner: TokenOwner
  readonly secrets: TokenSecrets
  /** requests in flight and sessions that have it: while there are any, the host keeps it */
  uses = 0
  readonly #isMachine: boolean
  #saved: SavedSignIn | undefined
  #revision: number | undefined
  /** the revision that was looked at last, whether it was of use or not */
  #seen: number | undefined
  #loading: Promise<void> | undefined
  #isLoaded = false
  #renewing: Promise<void> | undefined
  /** the header with a token that this process got by renewing, and that the server has not accepted yet */
  #unproven: string | undefined
  #notBefore = 0
  #metadata: Promise<boolean> | undefined
  #dead: { readonly reason: string; readonly since: Date } | undefined
  #challenge: Challenge = {}
  #missing: string | undefined

  constructor(options: CredentialOptions) {
    const { server, url, auth, principal } = options
    this.options = options
    this.addresses = new IssuerAddresses(url, auth?.issuer)
    this.fetch = issuerFetch(this.addresses)
    this.#isMachine = auth?.grant === 'client_credentials'
    this.secrets = new TokenSecrets(auth?.clientSecret)
    this.owner = { kind: 'tokens', server, url, principal }
  }

  get saved(): SavedSignIn | undefined {
    return this.#saved
  }

  get dead(): { readonly reason: string; readonly since: Date } | undefined {
    return this.#dead
  }

  get challenge(): Challenge {
    return this.#challenge
  }

  /** the scopes that a request needed and the sign-in does not have */
  get missingScope(): string | undefined {
    return this.#missing
  }

  /** The Authorization header of the next request; undefined: none. Throws `signInNeeded` without sending anything. */
  header(): string | undefined | Promise<string | undefined> {
    if (this.#dead !== undefined) throw this.needed()
    if (!this.#isLoaded) return this.#load().then(() => this.#current())
    return this.#current()
  }

  /** The server answered 401 to this header. Returns the header to send the request again with; undefined: this is not about OAuth. */
  async rejected(sent: string | undefined, challenge: Challenge | undefined): Promise<string | undefined> {
    if (this.#dead !== undefined) throw this.needed()
    if (challenge !== undefined) this.#challenge = challenge
    // Renewed while the request was on its way.
    if (this.#saved !== undefined && headerOf(this.#saved) !== sent) return headerOf(this.#saved)
    if (sent === undefined && !this.#isMachine) {
      const isAsked = challenge !== undefined || this.options.auth !== undefined || (await this.#hasMetadata())
      if (!isAsked) return undefined
      throw this.#die('nobody has signed in yet')
    }
    if (this.#saved === undefined && sent !== undefined) throw this.#die('somebody signed out')
    if (sent !== undefined && sent === this.#unproven)
      throw await this.#kill('the server does not accept a token that was just issued')
    await this.#renew(this.#revision, 'the server no longer accepts the token')
    return headerOf(this.#saved)
  }

  /** Of a server whose 401 does not say how to sign in: whether its metadata (RFC 9728) does. It is asked once. */
  #hasMetadata(): Promise<boolean> {
    this.#metadata ??= import('@modelcontextprotocol/client')
      .then((client) => client.discoverOAuthProtectedResourceMetadata(this.options.url, {}, this.fetch))
      .then(
        () => true,
        () => false,
      )
    return this.#metadata
  }

  /** The server answered something else than 401 to this header. */
  accepted(sent: string | undefined): void {
    if (sent === this.#unproven) this.#unproven = undefined
  }

  /** The server answered 403 `insufficient_scope`. */
  scopeMissing({ scope, ...challenge }: Challenge) {
    const before = this.#missing
    this.#missing = scope ?? ''
    this.#challenge = { ...this.#challenge, ...challenge, scope: allScopes(this.#saved?.tokens.scope, scope) }
    if (before !== this.#missing) this.options.onChange()
    return scopeNeeded({ ...this.options, command: this.#command }, scope)
  }

  needed() {
    return signInNeeded({ ...this.options, reason: this.#reason, command: this.#command })
  }

  /** Somebody signed in, or an operator wants another attempt: reads the ledger again. Tokens that were refused stay so. */
  async reload(): Promise<void> {
    this.#dead = undefined
    this.#missing = undefined
    this.#isLoaded = false
    await this.#load()
  }

  /** The tokens are gone from the ledger: nothing more is sent with them. */
  signedOut(): void {
    this.#revision = this.#saved = undefined
    this.#dead = { reason: 'somebody signed out', since: new Date() }
    this.options.onChange()
  }

  /** Changes by another process. Renewed tokens do not count: they are read when they are needed. */
  async news(): Promise<'signed in' | 'signed out' | undefined> {
    const store = this.options.store()
    if (this.#dead !== undefined) {
      const revision = await store.usableRevision(this.owner)
      return revision !== undefined && revision !== this.#seen ? 'signed in' : undefined
    }
    const isSignedIn = this.#saved !== undefined && this.#renewing === undefined
    return isSignedIn && (await store.revision(this.owner)) === undefined ? 'signed out' : undefined
  }

  get #reason(): string {
    if (this.#dead !== undefined) return this.#dead.reason
    return this.#missing === undefined
      ? 'nobody has signed in yet'
      : `the sign-in does not cover the scope ${this.#missing}`
  }

  get #command(): string {
    return loginCommand(this.options.server, this.options.principal)
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #read(): Promise<void> {
    try {
      this.#adopt(await this.#readStored())
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown
      // Written with another key: of no use to anybody.
      this.#seen = await this.options.store().revision(this.owner)
      this.#die('the stored tokens cannot be opened')
    }
    this.#isLoaded = true
  }

  async #readStored(): Promise<StoredToken | undefined> {
    const store = this.options.store()
    // A machine gets new ones by itself.
    return await (this.#isMachine ? store.readIfPossible(this.owner) : store.read(this.owner))
  }

  #adopt(stored: StoredToken | undefined): void {
    const isOther = stored !== undefined && !this.#isAccepted(stored.issuer)
    this.#seen = stored?.revision
    this.#revision = isOther ? undefined : stored?.revision
    this.#saved = undefined
    if (stored === undefined || isOther) return
    if (stored.dead !== null && !this.#isMachine) {
      this.#die(stored.dead)
      return
    }
    const saved = stored.body as SavedSignIn | undefined
    const { clientId, scopes } = this.options.auth ?? {}
    // A token of another client cannot be refreshed by this one.
    if (saved === undefined || (clientId !== undefined && saved.client.client_id !== clientId)) return
    // A machine gets a token with the scopes that are configured now.
    if (this.#isMachine && scopes !== undefined && saved.issuer.scope !== scopes.join(' ')) return
    this.#setSaved(saved)
  }

  #isAccepted(issuer: string): boolean {
    const pinned = this.options.auth?.issuer
    return pinned === undefined || isSameIssuer(pinned, issuer)
  }

  #setSaved(saved: SavedSignIn): void {
    const isFirst = this.#saved === undefined
    this.#saved = saved
    if (isFirst) this.options.onChange()
    this.secrets.add(saved)
  }

  #setRenewed(saved: SavedSignIn): void {
    this.#setSaved(saved)
    this.#unproven = headerOf(saved)
  }

  #current(): string | undefined | Promise<string | undefined> {
    if (this.#dead !== undefined) throw this.needed()
    const { tokens } = this.#saved ?? {}
    if (tokens === undefined) {
      if (!this.#isMachine) return undefined
      return this.#renew(this.#revision, 'the client credentials were refused').then(() => headerOf(this.#saved))
    }
    const { expires_at = Number.POSITIVE_INFINITY, lifetime = 0 } = tokens
    const left = expires_at - Date.now()
    if (left > Math.min(REFRESH_AHEAD_MS, lifetime / 5)) return headerOf(this.#saved)
    if (left <= 0 && this.#canRenew) {
      return this.#renew(this.#revision, 'the token has expired').then(() => headerOf(this.#saved))
    }
    // Still valid: this request does not wait.
    if (this.#canRenew && this.#renewing === undefined && Date.now() >= this.#notBefore)
      this.#renew(this.#revision, 'the sign-in has expired').catch((thrown: unknown) => {
        this.#notBefore = Date.now() + AFTER_FAILURE_MS
        const why = messageOf(thrown)
        this.options.log('warn', `the token could not be refreshed: ${this.secrets.clean(why)}`)
      })
    return headerOf(this.#saved)
  }

  get #canRenew(): boolean {
    return this.#saved?.tokens.refresh_token !== undefined || this.#isMachine
  }

  /** Replaces the tokens of this revision, once for all that wait. Throws `signInNeeded` if that is refused. */
  #renew(revision: number | undefined, why: string): Promise<void> {
    this.#renewing ??= this.#renewed(revision, why).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renewed(revision: number | undefined, why: string): Promise<void> {
    const stored = await this.#readStored()
    if (stored?.revision !== revision) {
      // Another process was faster, or somebody signed out.
      this.#adopt(stored)
      if (this.#saved !== undefined) return
      if (this.#dead !== undefined) throw this.needed()
    }
    const isUsable = stored !== undefined && stored.dead === null
    if (this.#isMachine) return await (isUsable ? this.#onceOfAll(stored, why) : this.#acquire())
    if (!isUsable || this.#saved === undefined) throw this.#die(why)
    if (this.#saved.tokens.refresh_token !== undefined) return await this.#onceOfAll(stored, why)
    throw await this.#kill(why)
  }

  /** Of all processes: the tokens of this revision are removed. */
  async #kill(why: string) {
    if (this.#revision !== undefined && (await this.options.store().kill(this.owner, this.#revision, why)))
      this.options.onDead(why)
    return this.#die(why)
  }

  /** One process of all renews this revision. The others wait for its tokens. */
  async #onceOfAll(stored: StoredToken, why: string): Promise<void> {
    const store = this.options.store()
    while (!(await store.claimRefresh(this.owner, stored.revision))) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if ((await store.revision(this.owner)) === stored.revision) continue
      this.#adopt(await this.#readStored())
      if (this.#saved === undefined) throw this.#dead === undefined ? this.#die(why) : this.needed()
      return
    }
    if (!this.#isMachine) return await this.#refresh(stored, why)
    await this.#acquire().catch(async (thrown: unknown) => {
      await store.releaseRefresh(this.owner, stored.revision)
      throw thrown
    })
  }

  async #refresh(stored: StoredToken, why: string): Promise<void> {
    const store = this.options.store()
    const saved = this.#saved as SavedSignIn
    let tokens: SavedTokens
    try {
      tokens = await refreshTokens(this.target(saved), saved.tokens.refresh_token ?? '')
    } catch (thrown) {
      if (thrown instanceof TokenRefused) return await this.#refreshRefused(stored, thrown, why)
      await store.releaseRefresh(this.owner, stored.revision)
      throw thrown
    }
    const next = { ...saved, tokens: { ...tokens, scope: tokens.scope ?? saved.tokens.scope } }
    // From now on the old refresh token may be worthless: this process goes on with the new one even if it cannot be stored.
    this.#setRenewed(next)
    await storeRefreshed(store, this.owner, { stored, body: next }, (line) => this.options.log('warn', line), {
      stored: (revision) => {
        if (this.#revision === stored.revision) this.#revision = this.#seen = revision
      },
      replaced: async () => this.#adopt(await this.#readStored()),
    })
  }

  async #refreshRefused(stored: StoredToken, { code, message }: TokenRefused, why: string): Promise<void> {
    const store = this.options.store()
    // The issuer has forgotten the host: without this, each further login would end there.
    if (isClientRefused(code)) await store.forgetClients(this.owner.server, stored.issuer)
    const reason = `${why}, and refreshing it was refused: ${this.secrets.clean(message)}`
    if (await store.kill(this.owner, stored.revision, reason)) {
      this.options.onDead(reason)
      throw this.#die(reason)
    }
    this.#adopt(await this.#readStored())
    if (this.#saved === undefined) throw this.#die(reason)
  }

  /** For machines. */
  async #acquire(): Promise<void> {
    const { url, auth } = this.options
    const { addresses, fetch, challenge } = this
    try {
      const saved = await clientCredentialsSignIn(url, { challenge, auth, addresses, fetch }, this.#saved?.issuer)
      this.#revision = this.#seen = await this.options.store().write(this.owner, saved.issuer.issuer, saved)
      this.#setRenewed(saved)
    } catch (thrown) {
      const isRefused = thrown instanceof TokenRefused
      // Otherwise asking again may help. Here somebody has to change what the server says, or the configuration.
      if (!isRefused && (!(thrown instanceof ToolError) || isTemporary(thrown))) throw thrown
      const said = this.secrets.clean(thrown.message)
      const reason = isRefused ? `the client credentials in auth were refused: ${said}` : said.replace(/\.$/, '')
      if (this.#saved !== undefined) this.options.onDead(reason)
      throw this.#die(reason)
    }
  }

  /** Whom to ask for tokens, and as whom: with the secret of the configuration, which is not stored. */
  target({ issuer, client }: Pick<SavedSignIn, 'issuer' | 'client'>): TokenTarget {
    const { clientSecret } = this.options.auth ?? {}
    const own = clientSecret === undefined ? client : { ...client, client_secret: clientSecret }
    return { issuer, client: own, fetch: this.fetch }
  }

  /** Logged once, when it happens. */
  #die(reason: string) {
    this.#saved = undefined
    if (this.#dead === undefined) {
      this.#dead = { reason, since: new Date() }
      this.options.log('warn', `needs a sign-in: ${reason}. Run: ${this.#command}`)
      this.options.onChange()
    }
    return this.needed()
  }
}

const headerOf = (saved: SavedSignIn | undefined): string | undefined =>
  saved === undefined ? undefined : `Bearer ${saved.tokens.access_token}`
