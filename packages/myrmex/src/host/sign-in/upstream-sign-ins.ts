/**
 * The sign-ins of a host: a credential for each server that may need one, the logins in progress, and what the operator sees of both.
 * Only an operator signs in or out. A sign-in of another process that shares the ledger is noticed within seconds.
 */
import type { Decider } from '../../ledger/journal/decision.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { describeThrown, ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import type { ServerSettings } from '../settings.ts'
import { CALLBACK_PATH } from './callback-pages.ts'
import { documentUrl } from './client-document.ts'
import { Credential, type SavedSignIn } from './credential.ts'
import { isPublic, type Resolve } from './issuer-address.ts'
import { type Login, type LoginState, Logins } from './logins.ts'
import { listenForRedirect, type RedirectListener } from './redirect-listener.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { loginCommand, type NeededSignIn, scopeWayOf } from './sign-in-needed.ts'

export interface SignInOptions {
  readonly ledger: () => Ledger
  readonly log: (level: 'info' | 'warn', line: string) => void
  /** somebody signed in: the server is connected with the new account of this caller, '' for all */
  readonly onSignedIn: (server: string, principal: string) => Promise<void>
  /** somebody signed out: the connection is of no use any more */
  readonly onSignedOut: (server: string, principal: string, needed: ToolError) => Promise<void>
  readonly onChange: (server: string) => void
  readonly onDead: (dead: NeededSignIn) => void
}

export interface LoginRequest {
  readonly flow?: 'browser' | 'device' | undefined
  /** the caller who signs in; default: the account that all callers share */
  readonly principal?: string | undefined
  readonly by: Decider
}

/**
 * Callers of one server whose credentials are in memory. Each costs time in every message of that server, which is searched for their
 * tokens, and a look into the ledger every two seconds. The ledger has them all: another caller's is read again when it is needed.
 */
export const MAX_CALLERS = 200

/** How soon a sign-in of another process is noticed. */
const NEWS_MS = 2000

export class UpstreamSignIns {
  /** where the browser comes back to: the host's own port; undefined: a port is opened for each login */
  callbackOrigin: string | undefined
  /** the https URL under which browsers elsewhere know the host, if it has one; they come back there instead */
  publicOrigin: string | undefined
  /** of its name; for tests; default: DNS */
  resolve: Resolve | undefined
  readonly #options: SignInOptions
  readonly #logins: Logins
  /** by server, then by principal */
  readonly #credentials = new Map<string, Map<string, Credential>>()
  readonly #settings = new Map<string, ServerSettings>()
  readonly #listeners = new Map<number, RedirectListener>()
  #news: NodeJS.Timeout | undefined
  #readingNews: Promise<void> | undefined

  constructor(options: SignInOptions) {
    this.#options = options
    this.#logins = new Logins(options.ledger, (credential) => this.#signedIn(credential))
  }

  /** For a new or changed server. Undefined: it uses no OAuth. */
  register(settings: ServerSettings): Credential | undefined {
    const { name } = settings
    this.forget(name)
    this.#settings.set(name, settings)
    return usesOAuth(settings) ? this.#credential(name, '') : undefined
  }

  forget(server: string): void {
    this.#logins.cancel(server)
    this.#settings.delete(server)
    this.#credentials.delete(server)
  }

  /** The credentials of callers; undefined: all of them share one account. */
  accountsOf(settings: ServerSettings): ((principal: string) => Credential) | undefined {
    return isPerCaller(settings) ? (principal) => this.#require(settings.name, principal) : undefined
  }

  /** The credential of a caller; undefined: this server has none. */
  credentialOf(server: string, principal: string): Credential | undefined {
    const settings = this.#settings.get(server)
    return settings !== undefined && usesOAuth(settings) ? this.#credential(server, principal) : undefined
  }

  /** What an operator sees; null: this server needs no sign-in, as far as the host knows. */
  status(server: string): ServerStatus['sign_in'] {
    const credential = this.#credentials.get(server)?.get('')
    if (credential === undefined) return null
    const { dead, saved, missingScope, options } = credential
    if (dead === undefined && saved === undefined) return null
    const command = loginCommand(server)
    const scopes = saved?.tokens.scope?.split(' ') ?? []
    return {
      state: dead === undefined ? 'signed_in' : 'needed',
      reason: dead?.reason ?? (missingScope === undefined ? null : scopeReason(credential, missingScope)),
      since: dead?.since.toISOString() ?? null,
      command: dead === undefined && missingScope === undefined ? null : command,
      issuer: saved?.issuer.issuer ?? options.auth?.issuer ?? null,
      scopes,
      missing_scopes: missingScope?.split(' ').filter((scope) => scope !== '') ?? [],
      expires_at: saved?.tokens.expires_at === undefined ? null : new Date(saved.tokens.expires_at).toISOString(),
      refreshable: saved?.tokens.refresh_token !== undefined || options.auth?.grant === 'client_credentials',
      callers: this.#callers(server),
      login: this.#logins.waiting(server)?.id ?? null,
    }
  }

  /** Starts a login. With client credentials there is nothing to do for a person, and undefined is returned when it is done. */
  async login(server: string, { flow, principal = '', by }: LoginRequest): Promise<Login | undefined> {
    const credential = this.#require(server, principal)
    const { auth } = credential.options
    if (auth?.grant === 'client_credentials') {
      this.#options.ledger().lock.requireSigner(by)
      await credential.reload()
      try {
        await credential.header()
      } catch (thrown) {
        const { dead } = credential
        throw dead === undefined ? thrown : ToolError.of('PermissionError', `The sign-in failed: ${dead.reason}.`)
      }
      await this.#signedIn(credential)
      return undefined
    }
    return await this.#logins.start(credential, {
      flow: flow ?? (auth?.grant === 'device' ? 'device' : 'browser'),
      by,
      redirectUri: async (hasOwnPath) => {
        const origin = await this.#redirectOrigin(auth?.redirectPort)
        return `${origin}${CALLBACK_PATH}${hasOwnPath ? `/${server}` : ''}`
      },
      ownDocument: async () => {
        const own = auth?.redirectPort === undefined ? this.publicOrigin : undefined
        return own !== undefined && (await isPublic(own, this.resolve)) ? documentUrl(own, server) : undefined
      },
    })
  }

  finish(params: URLSearchParams, path?: string): Promise<Login> {
    return this.#logins.finish(params, path)
  }

  /** The address that the browser ended at, as the operator copied it. */
  async finishPasted(server: string, address: string): Promise<Login> {
    const url = URL.parse(address.trim())
    if (url === null || url.searchParams.get('state') === null)
      throw ToolError.of(
        'ValidationError',
        'This is not the address that the browser ended at: it has no state. Copy the whole address, which begins with the redirect_uri of the login.',
      )
    const waiting = this.#logins.waiting(server)
    if (waiting === undefined)
      throw ToolError.of('ValidationError', `No login of ${server} is waiting. Start one with: ${loginCommand(server)}`)
    return await this.finish(url.searchParams, url.pathname)
  }

  loginState(id: string): LoginState | undefined {
    return this.#logins.state(id)
  }

  /** Removes the tokens. `revoked`: the issuer has revoked them too. `signedIn`: there were any. */
  async logout(
    server: string,
    principal: string,
    by: Decider,
  ): Promise<{ readonly signedIn: boolean; readonly revoked: boolean }> {
    const isKnown = this.#credentials.get(server)?.has(principal) === true
    const credential = this.#require(server, principal)
    this.#logins.cancel(server)
    const { signIns, upstreamTokens } = this.#options.ledger()
    const isStored = (await upstreamTokens.revision(credential.owner)) !== undefined
    const stored = await upstreamTokens.readIfPossible(credential.owner)
    await signIns.signOut(server, principal, by, upstreamTokens.removing(credential.owner))
    // The next login registers again, also where the issuer has forgotten this registration.
    await upstreamTokens.forgetClients(server)
    const saved = stored?.body as SavedSignIn | undefined
    const revoked = saved !== undefined && (await revokeTokens(credential.target(saved), saved.tokens))
    await this.#signedOut(credential)
    if (!isKnown && !isStored) this.#credentials.get(server)?.delete(principal)
    return { signedIn: isStored, revoked }
  }

  /** Callers that have used the server since the host started, or for whom somebody signed in or out: the latest of them. */
  #callers(server: string): NonNullable<ServerStatus['sign_in']>['callers'] {
    const all = [...(this.#credentials.get(server)?.values() ?? [])].filter(({ options }) => options.principal !== '')
    return all.map(({ options: { principal }, saved, dead }) => ({
      principal,
      state: saved === undefined ? 'needed' : 'signed_in',
      reason: dead?.reason ?? null,
    }))
  }

  async close(): Promise<void> {
    clearInterval(this.#news)
    this.#logins.cancel()
    await Promise.all([...this.#listeners.values()].map((one) => one.close()))
  }

  #require(server: string, principal: string): Credential {
    const settings = this.#settings.get(server)
    if (principal !== '' && settings !== undefined && usesOAuth(settings) && !isPerCaller(settings))
      throw ToolError.of(
        'ValidationError',
        `All callers share one account of ${server}. For an account of each, set auth.per_caller of ${server} in myrmex.json.`,
      )
    const credential = this.credentialOf(server, principal)
    if (credential !== undefined) return credential
    const why =
      settings === undefined
        ? 'has no such server, or loads it into its own process'
        : settings.endpoint.where !== 'url'
          ? `starts ${server} as a program, which signs in by itself`
          : `has ${settings.endpoint.auth === 'none' ? 'auth: none' : 'an Authorization header'} for ${server} in myrmex.json; remove it first`
    throw ToolError.of('ValidationError', `Nobody can sign in to ${server} here: this host ${why}.`)
  }

  #credential(server: string, principal: string): Credential | undefined {
    const settings = this.#settings.get(server)
    if (settings?.endpoint.where !== 'url') return undefined
    const { url, auth } = settings.endpoint
    const known = this.#credentials.get(server) ?? new Map<string, Credential>()
    this.#credentials.set(server, known)
    const found = known.get(principal)
    if (found !== undefined) {
      // The one that was used last comes last.
      if (known.delete(principal)) known.set(principal, found)
      return found
    }
    const credential: Credential = new Credential({
      server,
      url,
      auth: auth === 'none' ? undefined : auth,
      principal,
      store: () => this.#options.ledger().upstreamTokens,
      log: (level, line) => this.#options.log(level, `${server}: ${line}`),
      onChange: () => {
        this.#watchNews()
        this.#options.onChange(server)
      },
      onDead: (reason) => this.#options.onDead({ server, principal, reason, command: loginCommand(server, principal) }),
    })
    known.set(principal, credential)
    for (const [other, { uses, secrets }] of known) {
      if (known.size <= MAX_CALLERS) break
      if (other === '' || other === principal || uses > 0) continue
      known.delete(other)
      secrets.forget()
    }
    return credential
  }

  async #signedIn(credential: Credential): Promise<void> {
    const { server, principal } = credential.options
    await credential.reload()
    this.#options.log('info', `${server}: signed in${principal === '' ? '' : ` for ${principal}`}`)
    this.#options.onChange(server)
    await this.#options.onSignedIn(server, principal)
  }

  async #signedOut(credential: Credential): Promise<void> {
    const { server, principal } = credential.options
    if (credential.dead !== undefined || credential.saved === undefined) return
    credential.signedOut()
    this.#options.log('info', `${server}: signed out${principal === '' ? '' : ` for ${principal}`}`)
    await this.#options.onSignedOut(server, principal, credential.needed())
  }

  /** Another process may sign in or out. */
  #watchNews(): void {
    this.#news ??= setInterval(() => {
      // One at a time: connecting a server again may take longer than the interval.
      this.#readingNews ??= this.#readNews().finally(() => {
        this.#readingNews = undefined
      })
    }, NEWS_MS).unref()
  }

  async #readNews(): Promise<void> {
    for (const credential of [...this.#credentials.values()].flatMap((all) => [...all.values()])) {
      // A ledger that cannot be read now is read again.
      const news = await credential.news().catch(() => undefined)
      if (news === undefined) continue
      try {
        await (news === 'signed in' ? this.#signedIn(credential) : this.#signedOut(credential))
      } catch (thrown) {
        const why = credential.secrets.clean(describeThrown(thrown))
        this.#options.log(
          'warn',
          `${credential.options.server}: somebody ${news} in another process, which could not be followed: ${why}`,
        )
      }
    }
  }

  async #redirectOrigin(port: number | undefined): Promise<string> {
    if (port === undefined && this.publicOrigin !== undefined) return this.publicOrigin
    const own = this.callbackOrigin
    if (own !== undefined && (port === undefined || new URL(own).port === String(port))) return own
    const known = this.#listeners.get(port ?? 0)
    if (known !== undefined) return known.origin
    const listener = await listenForRedirect(port ?? 0, (params, path) => this.finish(params, path))
    this.#listeners.set(port ?? 0, listener)
    return listener.origin
  }
}

const scopeReason = ({ options: { auth } }: Credential, scope: string): string =>
  `a request needed the scope ${scope}${scopeWayOf(auth) === 'login' ? '' : ', which is not in auth.scopes'}`

const isPerCaller = ({ endpoint }: ServerSettings): boolean =>
  endpoint.where === 'url' && isObject(endpoint.auth) && endpoint.auth.perCaller === true

/** A server whose configuration has an authorization needs no other, unless it asks for one. */
function usesOAuth({ endpoint }: ServerSettings): boolean {
  if (endpoint.where !== 'url' || endpoint.auth === 'none') return false
  if (endpoint.auth !== undefined) return true
  return !Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'authorization')
}
