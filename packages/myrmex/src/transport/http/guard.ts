/**
 * Who may use this port: Host and Origin are checked against DNS rebinding, then the bearer token if any is configured: MYRMEX_TOKEN,
 * a principal of the policy, or a JWT. If none is configured, callers must be of the same user on this machine and no children of this
 * process, where the platform can tell. Only a JWT and the first request of a connection may need a promise.
 */
import type { IncomingMessage } from 'node:http'
import { isPromise } from '../../pipeline/outcome.ts'
import type { Policy, PolicyPrincipal } from '../../pipeline/rules/policy.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { LOCAL, type Principal } from '../../tool/context.ts'
import { hostNameOf, hostNameOfAddress, isLoopback, LOOPBACK_NAMES } from './host-header.ts'
import { BadToken, JwtVerifier, KeysUnavailable } from './jwt.ts'
import { type LocalPeers, localPeers, type Peer } from './local-peers.ts'
import { resourceMetadataUrl } from './protected-resource.ts'

export interface GuardOptions {
  host: string
  /** allows every call. Required, or else principals or a JWT issuer, unless the host is loopback */
  token?: string
  policy?: Pick<Policy, 'principals' | 'jwt'>
  /** accepted host names (without port), besides loopback */
  allowedHosts?: readonly string[]
  /** full origins, such as https://console.example */
  allowedOrigins?: readonly string[]
  /** who may call on loopback without a token: the user of this process and root (default), or every user of this machine */
  localUsers?: 'own' | 'all'
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 503
  readonly message: string
  readonly error_type: string
  /** for WWW-Authenticate */
  readonly challenge?: string
}
export type Admission = { readonly principal: Principal } | Refusal
export type Guard = (request: IncomingMessage) => Admission | Promise<Admission>

/** Checks Host and Origin only. Returns undefined if the request is accepted. */
export type OriginCheck = (request: IncomingMessage) => Refusal | undefined

/** `ownForms`: accept forms from the server's own pages, whose origin is the requested host. */
export function originCheck(options: GuardOptions, { ownForms = false } = {}): OriginCheck {
  const local = isLoopback(options.host)
  const allowed = (options.allowedHosts ?? []).map((name) => name.toLowerCase())
  const hosts = new Set<string | undefined>([...LOOPBACK_NAMES, hostNameOfAddress(options.host), ...allowed])
  let lastServed: string | undefined
  const isServed = (host: string | undefined): boolean => {
    if (host !== undefined && host === lastServed) return true
    if (!hosts.has(hostNameOf(host))) return false
    lastServed = host
    return true
  }
  const origins = new Set(options.allowedOrigins ?? [])
  const checkHost = local || options.allowedHosts !== undefined

  return (request) => {
    const { headers } = request
    if (checkHost && !isServed(headers.host)) return forbidden(`Host ${headers.host ?? '(none)'} is not served here`)
    const { origin } = headers
    const isOurs = (text: string): boolean =>
      origins.has(text) || (local ? isLoopbackOrigin(text) : ownForms && hostOf(text) === headers.host?.toLowerCase())
    if (origin !== undefined && !isOurs(origin)) {
      return forbidden(`Origin ${origin} is not allowed`)
    }
    return undefined
  }
}

/** Who is at the other end of a connection, if that decides who may call. */
export function peersOf({ host, token, policy, localUsers }: GuardOptions): LocalPeers | undefined {
  const needsToken = token !== undefined || policy?.jwt !== undefined || (policy?.principals ?? []).length > 0
  return needsToken || localUsers === 'all' || !isLoopback(host) ? undefined : localPeers()
}

export function guard(options: GuardOptions, peers: LocalPeers | undefined = peersOf(options)): Guard {
  const admit = admission(options, isLoopback(options.host), peers)
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
function admission({ host, token, policy }: GuardOptions, local: boolean, peers: LocalPeers | undefined): Guard {
  const principals = policy?.principals ?? []
  if (token !== undefined) assertCallerToken(token, host, local, principals)
  const known = [...principals.map(knownPrincipal), ...(token === undefined ? [] : [knownToken(token)])]
  const jwt = policy?.jwt
  if (known.length === 0 && jwt === undefined) {
    if (local) return localGuard(peers)
    throw ToolError.of(
      'RegistrationError',
      `${host} can be reached from other machines: set a bearer token (MYRMEX_TOKEN), give the policy principals or a jwt ` +
        'issuer, or listen on 127.0.0.1',
    )
  }
  const verifier = jwt === undefined ? undefined : new JwtVerifier(jwt)

  const unauthorised = (request: IncomingMessage, reason?: string): Refusal => {
    const at = jwt === undefined ? undefined : resourceMetadataUrl(jwt, request)
    const error = reason === undefined ? '' : `, error="invalid_token", error_description="${reason}"`
    return {
      status: 401,
      message: reason ?? 'A valid bearer token is required in the Authorization header',
      error_type: 'AuthenticationError',
      challenge: `Bearer realm="myrmex"${error}${at === undefined ? '' : `, resource_metadata="${at}"`}`,
    }
  }
  const tokenError = (request: IncomingMessage, error: unknown): Refusal => {
    if (error instanceof BadToken) return unauthorised(request, error.message)
    if (error instanceof KeysUnavailable) return UNAVAILABLE
    throw error
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
    if (!isPromise(principal)) return { principal }
    return principal.then(
      (late) => ({ principal: late }),
      (error) => tokenError(request, error),
    )
  }
}

const LOCAL_CALLER: Admission = { principal: LOCAL }

/** Everybody is let in if `peers` is undefined. */
function localGuard(peers: LocalPeers | undefined): Guard {
  if (peers === undefined) return () => LOCAL_CALLER
  return ({ socket }) => {
    const peer = peers.peerOf(socket)
    return isPromise(peer) ? peer.then(localVerdict) : localVerdict(peer)
  }
}

const localVerdict = (peer: Peer): Admission => peerRefusal(peer) ?? LOCAL_CALLER

/** Undefined for a caller of this user. */
export function peerRefusal(peer: Peer): Refusal | undefined {
  if (peer === 'own') return undefined
  return peer === 'other user' ? OTHER_USER : UNKNOWN_PROCESS
}

/** For the router: the health check is for everybody on this machine. */
export const isPeerRefusal = (refusal: Refusal): boolean => refusal === OTHER_USER || refusal === UNKNOWN_PROCESS

const OTHER_USER: Refusal = {
  status: 403,
  message:
    'This connection is of another user of this machine, or its user cannot be found out. Without a token only the user who runs ' +
    'this server may call it. Its operator can set MYRMEX_TOKEN and give you the token, or set MYRMEX_LOCAL_USERS=all.',
  error_type: 'PermissionError',
}

const UNKNOWN_PROCESS: Refusal = {
  status: 403,
  message:
    'This connection is of a program that this server started, or its process cannot be found out, as in another container or through ' +
    'sshd. Such a process needs a token. The operator can set MYRMEX_TOKEN, or give the policy principals.',
  error_type: 'PermissionError',
}

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

function knownPrincipal({ id, token_sha256, scopes }: PolicyPrincipal): KnownToken {
  const principal: Principal = Object.freeze({ id, kind: 'bearer', scopes: Object.freeze([...scopes]) })
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

const TOKEN_IN_URL: Refusal = {
  status: 400,
  message:
    'A token must not be in the URL, because logs and histories keep it. Send it as: Authorization: Bearer <token>',
  error_type: 'AuthenticationError',
  challenge:
    'Bearer realm="myrmex", error="invalid_request", error_description="The token belongs in the Authorization header"',
}

const UNAVAILABLE: Refusal = {
  status: 503,
  message: "The token cannot be checked because its issuer's keys are unavailable. Try again in a moment.",
  error_type: 'UnavailableError',
}

const TOKEN_NAMES = new Set(['access_token', 'token', 'api_key'])

function hasToken(url: string): boolean {
  for (const name of new URLSearchParams(url.slice(url.indexOf('?') + 1)).keys()) {
    if (TOKEN_NAMES.has(name.toLowerCase())) return true
  }
  return false
}

const forbidden = (message: string): Refusal => ({ status: 403, message, error_type: 'PermissionError' })

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

const isLoopbackOrigin = (origin: string): boolean => LOOPBACK_NAMES.includes(URL.parse(origin)?.hostname ?? '')
