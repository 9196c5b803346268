/**
 * Who may use this port: Host and Origin are checked against DNS rebinding, then the bearer token if any is configured: MYRMEX_TOKEN,
 * a principal of the policy, or a JWT. Only a JWT may need a promise.
 */
import type { IncomingMessage } from 'node:http'
import { isPromise } from '../../pipeline/outcome.ts'
import type { Policy, PolicyPrincipal } from '../../pipeline/rules/policy.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { LOCAL, type Principal } from '../../tool/context.ts'
import { BadToken, JwtVerifier, KeysUnavailable } from './jwt.ts'
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

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

const isLoopback = (host: string): boolean => LOOPBACK.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Checks Host and Origin only. Returns undefined if the request is accepted. */
export type OriginCheck = (request: IncomingMessage) => Refusal | undefined

/** `ownForms`: accept forms from the server's own pages, whose origin is the requested host. */
export function originCheck(options: GuardOptions, { ownForms = false } = {}): OriginCheck {
  const local = isLoopback(options.host)
  const hosts = new Set([...LOOPBACK, ...(options.allowedHosts ?? [])])
  const origins = new Set(options.allowedOrigins ?? [])
  const checkHost = local || options.allowedHosts !== undefined

  return (request) => {
    const { headers } = request
    if (checkHost && !hosts.has(hostName(headers.host)))
      return forbidden(`Host ${headers.host ?? '(none)'} is not served here`)
    const { origin } = headers
    const isOurs = (text: string): boolean =>
      origins.has(text) || (local ? isLoopbackOrigin(text) : ownForms && hostOf(text) === headers.host?.toLowerCase())
    if (origin !== undefined && !isOurs(origin)) {
      return forbidden(`Origin ${origin} is not allowed`)
    }
    return undefined
  }
}

export function guard(options: GuardOptions): Guard {
  const admit = admission(options, isLoopback(options.host))
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
function admission({ host, token, policy }: GuardOptions, local: boolean): Guard {
  if (token === '') throw ToolError.of('RegistrationError', 'The bearer token is empty: set a value or unset it')
  const known = [...(policy?.principals ?? []).map(knownPrincipal), ...(token === undefined ? [] : [knownToken(token)])]
  const jwt = policy?.jwt
  if (known.length === 0 && jwt === undefined) {
    if (local) return () => LOCAL_CALLER
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

function hostName(host: string | undefined): string {
  if (host === undefined) return ''
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  return (end > 0 ? host.slice(0, end) : host).toLowerCase()
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

const isLoopbackOrigin = (origin: string): boolean => LOOPBACK.has(URL.parse(origin)?.hostname ?? '')
