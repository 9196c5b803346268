/**
 * Logins that have been started and not yet finished, in the memory of this process. Each is for one server and account, at one issuer:
 *
 * 1. Start: the issuer is discovered, the client is chosen, and the operator gets a link with a `state` that nobody can guess.
 * 2. The issuer sends the browser back with `state`, `iss` and a code. A `state` is good for one answer, within ten minutes.
 * 3. `iss` is compared, the code is exchanged with the PKCE verifier, and the tokens are stored with the name of who started.
 */
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import type { Decider } from '../../ledger/journal/decision.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { log } from '../../server/log.ts'
import { registeredClient, unregisteredClient } from './client-registration.ts'
import type { Credential, SavedSignIn } from './credential.ts'
import { type DeviceCode, followDeviceCode, requestDeviceCode } from './device-code.ts'
import { discoverIssuer, type Issuer, reasonIn } from './discover-issuer.ts'
import { exchangeCode, isClientRefused, type SavedTokens, TokenRefused } from './token-request.ts'

export interface Login {
  /** names it for questions; knowing it is good for nothing else */
  readonly id: string
  readonly server: string
  readonly principal: string
  readonly flow: 'browser' | 'device'
  /** of the flow browser: where the operator signs in */
  readonly authorization_url: string | null
  readonly redirect_uri: string | null
  /** of the flow device: the code to type at that address */
  readonly user_code: string | null
  readonly verification_uri: string | null
  readonly verification_uri_complete: string | null
  readonly expires_at: number
}

export interface LoginState {
  readonly id: string
  readonly server: string
  readonly status: 'waiting' | 'done' | 'failed'
  /** why it failed */
  readonly message: string | null
}

interface PendingLogin {
  readonly login: Login
  readonly credential: Credential
  readonly by: Decider
  readonly issuer: Issuer
  readonly client: OAuthClientInformationMixed
  readonly verifier: string
  readonly stop: AbortController
}

export interface LoginOptions {
  readonly flow: 'browser' | 'device'
  readonly by: Decider
  /** where the browser comes back to; may open a listener */
  readonly redirectUri: (hasOwnPath: boolean) => Promise<string>
  /** URL of a metadata document about the host, if it has one that issuers can read */
  readonly ownDocument: () => Promise<string | undefined>
}

const LIFETIME_MS = 10 * 60_000
const MAX_PENDING = 20
const MAX_ENDED = 100

export class Logins {
  readonly #ledger: () => Ledger
  readonly #onSignedIn: (credential: Credential) => Promise<void>
  readonly #now: () => number
  /** by `state`; a device login by its id */
  readonly #pending = new Map<string, PendingLogin>()
  readonly #states = new Map<string, LoginState>()

  /** `now` is for tests. */
  constructor(
    ledger: () => Ledger,
    onSignedIn: (credential: Credential) => Promise<void>,
    now: () => number = () => Date.now(),
  ) {
    this.#ledger = ledger
    this.#onSignedIn = onSignedIn
    this.#now = now
  }

  async start(credential: Credential, { flow, by, redirectUri, ownDocument }: LoginOptions): Promise<Login> {
    const { server, url, auth, principal } = credential.options
    this.#ledger().lock.requireSigner(by)
    const { challenge, addresses, fetch } = credential
    const issuer = await discoverIssuer(url, { challenge, auth, addresses, fetch })
    const isBrowser = flow === 'browser'
    if (isBrowser) assertPkce(issuer)
    const document = isBrowser ? await ownDocument() : undefined
    const known = unregisteredClient(auth, issuer, document)
    const hasOwnPath = known === undefined || known.client_id === document
    const redirect = isBrowser ? await redirectUri(hasOwnPath) : undefined
    const store = this.#ledger().upstreamTokens
    const client = known ?? (await registeredClient({ server, url, issuer, redirectUri: redirect, store, fetch }))
    this.#makeRoom()
    const about = { server, principal, credential, by, issuer, client }
    return redirect === undefined ? this.#device(about) : this.#browser(about, redirect)
  }

  async #browser(about: LoginSubject, redirectUri: string): Promise<Login> {
    const { startAuthorization } = await import('@modelcontextprotocol/client')
    const { issuer, client } = about
    const state = crypto.randomBytes(32).toString('base64url')
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer.issuer, {
      metadata: issuer.metadata,
      clientInformation: client,
      redirectUrl: redirectUri,
      state,
      ...(issuer.scope !== undefined && { scope: issuer.scope }),
      ...(issuer.resource !== undefined && { resource: issuer.resource }),
    })
    return this.#add(state, about, codeVerifier, {
      ...EMPTY,
      flow: 'browser',
      authorization_url: authorizationUrl.href,
      redirect_uri: redirectUri,
      expires_at: this.#now() + LIFETIME_MS,
    }).login
  }

  async #device(about: LoginSubject): Promise<Login> {
    const { credential } = about
    const target = credential.target(about)
    const code = await requestDeviceCode(target, credential.addresses).catch(async (thrown: unknown) => {
      throw await this.#refusal(about, thrown)
    })
    const pending = this.#add(crypto.randomUUID(), about, '', {
      ...EMPTY,
      flow: 'device',
      user_code: code.userCode,
      verification_uri: code.verificationUri,
      verification_uri_complete: code.verificationUriComplete ?? null,
      expires_at: this.#now() + code.lifetimeMs,
    })
    void this.#follow(pending, code, target)
    return pending.login
  }

  async #follow(
    pending: PendingLogin,
    code: DeviceCode,
    target: Parameters<typeof followDeviceCode>[0],
  ): Promise<void> {
    try {
      await this.#store(pending, await followDeviceCode(target, code, pending.stop.signal))
    } catch (thrown) {
      this.#end(pending, 'failed', reasonOf(await this.#refusal(pending, thrown)))
    }
  }

  /** What the browser brought back, or what the operator pasted. `path` is where it arrived. Throws with a reason for the operator. */
  async finish(params: URLSearchParams, path?: string): Promise<Login> {
    const state = params.get('state') ?? ''
    const pending = this.#pending.get(state)
    const isKnown = pending !== undefined && pending.login.flow === 'browser'
    if (!isKnown)
      throw denied('no login is waiting for this answer. It is used up, too old, or of another host. Start again')
    // Single use, whatever comes of it.
    this.#pending.delete(state)
    try {
      await this.#finish(pending, params, path)
      return pending.login
    } catch (thrown) {
      const why = await this.#refusal(pending, thrown)
      this.#end(pending, 'failed', reasonOf(why))
      throw why
    }
  }

  async #finish(pending: PendingLogin, params: URLSearchParams, path: string | undefined): Promise<void> {
    const { login, issuer, credential, verifier } = pending
    if (this.#now() > login.expires_at) throw denied('the login is too old. Start again')
    const redirectUri = login.redirect_uri ?? ''
    if (path !== undefined && path !== new URL(redirectUri).pathname)
      throw denied('the answer arrived at the address of another login')
    const { validateAuthorizationResponseIssuer } = await import('@modelcontextprotocol/client')
    const iss = params.get('iss') ?? undefined
    try {
      validateAuthorizationResponseIssuer({
        iss,
        expectedIssuer: issuer.issuer,
        issParameterSupported: issuer.metadata.authorization_response_iss_parameter_supported === true,
      })
    } catch {
      // The rest of the answer may be that of an attacker, and is not shown.
      throw denied(`the answer is not from ${issuer.issuer}, which was asked (RFC 9207)`)
    }
    const error = params.get('error')
    if (error !== null) throw denied(`${issuer.issuer} said ${reasonIn(error, params.get('error_description'))}`)
    const code = params.get('code')
    if (code === null) throw denied('the answer has no code')
    await this.#store(pending, await exchangeCode(credential.target(pending), { code, iss, verifier, redirectUri }))
  }

  /** The error for the operator. If the issuer does not know the client, the next login registers the host again. */
  async #refusal(
    { credential, issuer }: Pick<PendingLogin, 'credential' | 'issuer'>,
    thrown: unknown,
  ): Promise<unknown> {
    if (!(thrown instanceof TokenRefused)) return thrown
    const { server } = credential.options
    if (isClientRefused(thrown.code)) await this.#ledger().upstreamTokens.forgetClients(server, issuer.issuer)
    return denied(`${issuer.issuer} refused it: ${thrown.message}`)
  }

  async #store(pending: PendingLogin, tokens: SavedTokens): Promise<void> {
    const { credential, issuer, client, by, login } = pending
    const { clientSecret } = credential.options.auth ?? {}
    const saved: SavedSignIn = {
      issuer,
      client: clientSecret === undefined ? client : { client_id: client.client_id },
      tokens,
    }
    const ledger = this.#ledger()
    const writing = ledger.upstreamTokens.writing(credential.owner, issuer.issuer, saved)
    const { server, principal } = login
    await ledger.signIns.signIn({ server, principal, issuer: issuer.issuer, scopes: tokens.scope ?? '' }, by, writing)
    // Who asks how the login stands sees the server with the new account.
    await this.#onSignedIn(credential).finally(() => this.#end(pending, 'done', null))
  }

  /** Undefined: there never was one, or it is long ago. */
  state(id: string): LoginState | undefined {
    const state = this.#states.get(id)
    if (state?.status !== 'waiting') return state
    const pending = [...this.#pending.values()].find(({ login }) => login.id === id)
    const isOver = pending !== undefined && this.#now() > pending.login.expires_at
    if (isOver) this.#end(pending, 'failed', 'nobody signed in in time')
    return this.#states.get(id)
  }

  /** The waiting login of a server, if there is one; the newest. */
  waiting(server: string): Login | undefined {
    const all = [...this.#pending.values()].filter(({ login }) => login.server === server)
    return all.findLast(({ login }) => login.expires_at > this.#now())?.login
  }

  /** Forgets the logins of a server whose settings changed, or of all. */
  cancel(server?: string): void {
    for (const pending of this.#pending.values())
      if (server === undefined || pending.login.server === server)
        this.#end(pending, 'failed', 'the login was cancelled')
  }

  #add(
    key: string,
    about: LoginSubject,
    verifier: string,
    shape: Omit<Login, 'id' | 'server' | 'principal'>,
  ): PendingLogin {
    const { server, principal, ...rest } = about
    const login: Login = { id: `l-${crypto.randomBytes(6).toString('hex')}`, server, principal, ...shape }
    const pending = { ...rest, login, verifier, stop: new AbortController() }
    this.#pending.set(key, pending)
    this.#states.set(login.id, { id: login.id, server, status: 'waiting', message: null })
    return pending
  }

  #end(pending: PendingLogin, status: 'done' | 'failed', message: string | null): void {
    const { id, server } = pending.login
    for (const [key, one] of this.#pending) if (one === pending) this.#pending.delete(key)
    pending.stop.abort()
    if (this.#states.get(id)?.status === 'waiting') this.#states.set(id, { id, server, status, message })
    for (const old of this.#states.keys()) {
      if (this.#states.size <= MAX_ENDED) break
      this.#states.delete(old)
    }
  }

  #makeRoom(): void {
    for (const pending of this.#pending.values())
      if (this.#now() > pending.login.expires_at) this.#end(pending, 'failed', 'nobody signed in in time')
    const [oldest] = this.#pending.values()
    if (this.#pending.size >= MAX_PENDING && oldest !== undefined)
      this.#end(oldest, 'failed', 'too many logins were started')
  }
}

type LoginSubject = Pick<Login, 'server' | 'principal'> & Pick<PendingLogin, 'credential' | 'by' | 'issuer' | 'client'>

const EMPTY = {
  authorization_url: null,
  redirect_uri: null,
  user_code: null,
  verification_uri: null,
  verification_uri_complete: null,
}

/** Without PKCE a code that somebody intercepts is as good as the token. */
function assertPkce({ issuer, metadata }: Issuer): void {
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw denied(`${issuer} does not say that it supports PKCE (S256), which the specification requires`)
}

const denied = (why: string): ToolError => ToolError.of('PermissionError', `The sign-in failed: ${why}.`)

/** For the operator. An unexpected error is in the log. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof ToolError) return thrown.message
  log.error({ thrown }, 'a sign-in failed')
  return 'The sign-in failed. The log of the host has the cause.'
}
