/**
 * Who may use this port: Host and Origin are checked against DNS rebinding, then the bearer token if any is configured: MYRMEX_TOKEN,
 * a principal of the policy, or a JWT. Then the program's own authenticator is asked, if there is one. If none of these is configured,
 * callers must be of the same user on this machine and no children of this process, where the platform can tell, and must not come
 * through a proxy. Only a JWT, an authenticator and the first request of a connection may need a promise.
 */
import type { IncomingMessage } from 'node:http'
import { TOKEN_PREFIX } from '../../ledger/decisions/token-text.ts'
import { isPromise } from '../../pipeline/outcome.ts'
import type { JwtPolicy, Policy, PolicyPrincipal } from '../../pipeline/rules/policy.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isLoopback } from '../../protocol/loopback.ts'
import { LOCAL, type Principal } from '../../tool/context.ts'
import { type Authenticate, withAuthenticator } from './authenticate.ts'
import { isForwarded, targetReader } from './forwarded.ts'
import { BadToken, JwtVerifier, KeysUnavailable } from './jwt.ts'
import { type LocalPeers, localPeers, type Peer } from './local-peers.ts'
import { originCheck } from './origin-check.ts'
import { ProtectedResource } from './protected-resource.ts'
import {
  NO_TOKEN,
  OTHER_USER,
  type Refusal,
  THROUGH_PROXY,
  TOKEN_IN_URL,
  UNAVAILABLE,
  UNKNOWN_PROCESS,
  UNKNOWN_TOKEN,
} from './refusals.ts'

export interface GuardOptions {
  host: string
  /** allows every call. Required, or else principals or a JWT issuer, unless the host is loopback */
  token?: string
  policy?: Pick<Policy, 'principals' | 'jwt'>
  /** accepted host names (without port), besides loopback */
  allowedHosts?: readonly string[]
  /** full origins whose pages may call, such as https://console.example */
  allowedOrigins?: readonly string[]
  /** proxies whose headers are believed: addresses, ranges such as 10.0.0.0/8, or loopback. Callers need a token then */
  trustProxy?: readonly string[]
  /** who may call on loopback without a token: the user of this process and root (default), or every user of this machine */
  localUsers?: 'own' | 'all'
  /** tokens of the ledger; with these, callers on loopback without a token still need none */
  tokens?: CallerTokens
  /** every caller needs a token, on loopback too */
  requireToken?: boolean
  /** the embedded issuer, whose users can sign in */
  signIn?: TokenAdmission
  /** finds out who sends a request that no token of the server admits */
  authenticate?: Authenticate
}

/** Tokens that can be created and revoked while the server runs. */
export interface CallerTokens {
  /** The caller of a token that counts now. The same object every time. */
  find(token: string): Principal | undefined
  /** The same, for a token that may just have been created elsewhere. */
  findNew(token: string): Promise<Principal | undefined>
  /** Calls the listener when a token no longer counts, with what `find` returned. */
  onEnd(listener: (ended: Principal) => void): () => void
}

/** Who may use tokens of the embedded issuer, in place of the policy's `jwt`. */
export interface TokenAdmission {
  readonly jwt: JwtPolicy
  /** Whether tokens for this audience are for this server. */
  readonly isAudience: (audience: string) => boolean
  /** The principal of a valid token as its user is now. Asked for every request. Throws BadToken if the user may not use it any more. */
  readonly admit: (verified: Principal) => Principal
  /** Whether `admit` still returns this principal. True for those that it never returned. */
  readonly isCurrent: (principal: Principal) => boolean
  /** Calls the listener when that may have changed for any of them. */
  readonly onChange: (listener: () => void) => () => void
}

/** `isOAuth`: the token is of the issuer, so its holder can ask for one with more scopes. */
export type Admission = { readonly principal: Principal; readonly isOAuth?: true } | Refusal
export type Guard = (request: IncomingMessage) => Admission | Promise<Admission>

/** Whether every caller must say who it is. */
export const needsToken = (options: GuardOptions): boolean =>
  hasTokens(options) || options.requireToken === true || options.authenticate !== undefined

/** Who is at the other end of a connection, if that decides who may call. */
export function peersOf(options: GuardOptions): LocalPeers | undefined {
  const { host, localUsers } = options
  return needsToken(options) || localUsers === 'all' || !isLoopback(host) ? undefined : localPeers()
}

const hasTokens = ({ token, policy, signIn }: GuardOptions): boolean =>
  token !== undefined || signIn !== undefined || policy?.jwt !== undefined || (policy?.principals ?? []).length > 0

/** Undefined if the policy names no issuer. `modules`: see there. */
export function protectedResource(
  { policy, trustProxy, signIn }: GuardOptions,
  modules?: () => readonly string[],
): ProtectedResource | undefined {
  const jwt = signIn?.jwt ?? policy?.jwt
  return jwt === undefined ? undefined : new ProtectedResource(jwt, targetReader(trustProxy), modules)
}

export interface GuardParts {
  readonly peers: LocalPeers | undefined
  readonly resource: ProtectedResource | undefined
}

export function guard(
  options: GuardOptions,
  parts: GuardParts = { peers: peersOf(options), resource: protectedResource(options) },
): Guard {
  const { host, authenticate } = options
  const fixed =
    authenticate === undefined || hasTokens(options) ? admission(options, isLoopback(host), parts) : undefined
  const given = withCallerTokens(options, fixed)
  const admit = authenticate === undefined ? (given as Guard) : withAuthenticator(authenticate, given)
  const checkOrigin = originCheck(options)
  return (request) => {
    const { url = '/' } = request
    const refusal = checkOrigin(request)
    if (refusal !== undefined) return refusal
    if (url.includes('?') && hasToken(url)) return TOKEN_IN_URL
    return admit(request)
  }
}

interface KnownToken {
  readonly digest: Buffer
  readonly verdict: Admission
}

/** Identifies the caller by the Authorization header. */
function admission(options: GuardOptions, local: boolean, parts: GuardParts): Guard {
  const { host, token, policy, trustProxy, requireToken, signIn } = options
  const { peers, resource } = parts
  const principals = policy?.principals ?? []
  if (token !== undefined) assertCallerToken(token, host, local, principals)
  const known = [...principals.map(knownPrincipal), ...(token === undefined ? [] : [knownToken(token)])]
  if (signIn !== undefined && policy?.jwt !== undefined) throw ToolError.of('RegistrationError', TWO_ISSUERS)
  const jwt = signIn?.jwt ?? policy?.jwt
  if (known.length === 0 && jwt === undefined && requireToken !== true) {
    if (local && (trustProxy ?? []).length > 0) throw ToolError.of('RegistrationError', OPEN_BEHIND_PROXY)
    if (local) return localGuard(peers)
    throw ToolError.of(
      'RegistrationError',
      `${host} can be reached from other machines: set a bearer token (MYRMEX_TOKEN), give the policy principals or a jwt ` +
        'issuer, require the tokens of npx myrmex tokens create (host.require_token), or listen on 127.0.0.1',
    )
  }
  const verifier = jwt === undefined ? undefined : new JwtVerifier(jwt, signIn?.isAudience)

  const unauthorised = (request: IncomingMessage, reason?: string): Refusal => {
    const error = reason === undefined ? '' : `, error="invalid_token", error_description="${reason}"`
    return {
      status: 401,
      message: reason ?? 'A valid bearer token is required in the Authorization header',
      error_type: 'AuthenticationError',
      challenge: resource?.unauthorised(request, reason) ?? `Bearer realm="myrmex"${error}`,
    }
  }
  const tokenError = (request: IncomingMessage, error: unknown): Refusal => {
    if (error instanceof BadToken) return unauthorised(request, error.message)
    if (error instanceof KeysUnavailable) return UNAVAILABLE
    throw error
  }

  const signedIn = (
    request: IncomingMessage,
    { admit }: TokenAdmission,
    verified: Principal | Promise<Principal>,
  ): Admission | Promise<Admission> => {
    if (isPromise(verified))
      return verified.then(
        (late) => signedIn(request, signIn as TokenAdmission, late),
        (error) => tokenError(request, error),
      )
    try {
      return { principal: admit(verified), isOAuth: true }
    } catch (error) {
      return tokenError(request, error)
    }
  }

  return (request) => {
    const { authorization } = request.headers
    if (authorization === undefined) return unauthorised(request)
    const given = bearerToken(authorization)
    if (given === undefined) return unauthorised(request, 'The Authorization header has no bearer token')
    const digest = digestOf(given)
    let verdict: Admission | undefined
    // Compare with all, so the time does not reveal which one matched.
    for (const one of known) if (crypto.timingSafeEqual(digest, one.digest)) verdict = one.verdict
    if (verdict !== undefined) return verdict
    if (verifier === undefined || !JWT.test(given)) return unauthorised(request, 'Unknown token')
    const principal = verifier.verify(given, digest.toString('latin1'))
    if (signIn !== undefined) return signedIn(request, signIn, principal)
    if (!isPromise(principal)) return { principal, isOAuth: true }
    return principal.then(
      (late) => ({ principal: late, isOAuth: true }),
      (error) => tokenError(request, error),
    )
  }
}

/** A text of this form may also be a token that the policy has by its hash. */
function withCallerTokens({ tokens, ...options }: GuardOptions, fixed: Guard | undefined): Guard | undefined {
  if (tokens === undefined) return fixed
  const isOpen = !needsToken(options)
  // On an open port its sender would otherwise go on as the local user, with more rights.
  const unknown = (request: IncomingMessage): Admission | Promise<Admission> =>
    isOpen || fixed === undefined ? UNKNOWN_TOKEN : fixed(request)
  return (request) => {
    const { authorization } = request.headers
    const given = authorization === undefined ? undefined : bearerToken(authorization)
    if (given?.startsWith(TOKEN_PREFIX) === true) {
      const principal = tokens.find(given)
      if (principal !== undefined) return { principal }
      return tokens.findNew(given).then((late) => (late === undefined ? unknown(request) : { principal: late }))
    }
    return fixed === undefined ? NO_TOKEN : fixed(request)
  }
}

const LOCAL_CALLER: Admission = { principal: LOCAL }

/** Everybody on this machine is let in if `peers` is undefined. Behind a proxy, anybody may be there. */
function localGuard(peers: LocalPeers | undefined): Guard {
  return (request) => {
    if (isForwarded(request)) return THROUGH_PROXY
    if (peers === undefined) return LOCAL_CALLER
    const peer = peers.peerOf(request.socket)
    return isPromise(peer) ? peer.then(localVerdict) : localVerdict(peer)
  }
}

const localVerdict = (peer: Peer): Admission => peerRefusal(peer) ?? LOCAL_CALLER

/** Undefined for a caller of this user. */
export function peerRefusal(peer: Peer): Refusal | undefined {
  if (peer === 'own') return undefined
  return peer === 'other user' ? OTHER_USER : UNKNOWN_PROCESS
}

const OPEN_BEHIND_PROXY =
  'Behind a proxy every caller seems to be on this machine, so callers need a token: set MYRMEX_TOKEN, or give the policy principals or a ' +
  'jwt issuer'

export const TWO_ISSUERS =
  'host.sign_in of myrmex.json starts an issuer, and the policy has jwt, another issuer. A host has one issuer: remove one of them.'

/** 24 random bytes have this many characters in base64. */
const MIN_TOKEN_LENGTH = 32
/** A random hexadecimal token of that length has fewer than these in one of a million cases. */
const MIN_DISTINCT = 10

function assertCallerToken(token: string, host: string, local: boolean, principals: readonly PolicyPrincipal[]): void {
  if (token === '') throw ToolError.of('RegistrationError', 'The bearer token is empty: set a value or unset it')
  const isWeak = token.length < MIN_TOKEN_LENGTH || new Set(token).size < MIN_DISTINCT
  if (isWeak && !local) {
    throw ToolError.of(
      'RegistrationError',
      `${host} can be reached from other machines, and the bearer token (MYRMEX_TOKEN) can be guessed: it needs at least ` +
        `${MIN_TOKEN_LENGTH} characters, of which at least ${MIN_DISTINCT} differ. Make one with: openssl rand -base64 32`,
    )
  }
  const digest = digestOf(token)
  const same = principals.find(({ token_sha256 }) => digest.equals(Buffer.from(token_sha256, 'hex')))
  if (same !== undefined) {
    throw ToolError.of(
      'RegistrationError',
      `The bearer token (MYRMEX_TOKEN) is also the token of the principal ${same.id}, which would then have no scopes. Use two tokens.`,
    )
  }
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** Digests have equal length, so the comparison reveals nothing about the token's. */
export const digestOf = (text: string): Buffer => crypto.hash('sha256', text, 'buffer')

function knownPrincipal({ id, token_sha256, scopes, profile }: PolicyPrincipal): KnownToken {
  const limited = profile !== undefined && { profile }
  const principal: Principal = Object.freeze({ id, kind: 'bearer', scopes: Object.freeze([...scopes]), ...limited })
  return { digest: Buffer.from(token_sha256, 'hex'), verdict: { principal } }
}

function knownToken(token: string): KnownToken {
  const digest = digestOf(token)
  return { digest, verdict: { principal: { id: `bearer:${digest.toString('hex').slice(0, 12)}`, kind: 'bearer' } } }
}

/** The scheme is case-insensitive. */
export function bearerToken(header: string): string | undefined {
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  const token = header.slice(7).trim()
  return token === '' ? undefined : token
}

const TOKEN_NAMES = new Set(['access_token', 'token', 'api_key'])

function hasToken(url: string): boolean {
  for (const name of new URLSearchParams(url.slice(url.indexOf('?') + 1)).keys()) {
    if (TOKEN_NAMES.has(name.toLowerCase())) return true
  }
  return false
}
