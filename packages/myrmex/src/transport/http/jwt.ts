/**
 * Verifies JSON Web Tokens of the policy's issuer with jose, which is loaded by the first token. A valid token is cached until it
 * expires, so later requests with it are synchronous and get the same principal.
 */
import type { JWTPayload, JWTVerifyGetKey, KeyObject } from 'jose'
import { acceptedAlgorithms, type JwtPolicy } from '../../pipeline/rules/policy-schema.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { deepFreeze } from '../../protocol/json.ts'
import { log } from '../../server/log.ts'
import type { Principal } from '../../tool/context.ts'

type Jose = typeof import('jose')

/** Allowed difference between clocks. */
const TOLERANCE_S = 30
const MAX_CACHED = 1000
/** Minimum time between requests for the issuer's keys. */
const COOLDOWN_MS = 1000
const FETCH_TIMEOUT_MS = 5000
/** Required by HS256. */
const MIN_SECRET_BYTES = 32
const MAX_SUBJECT = 200

/** The reason for rejecting a token, safe to send. */
export class BadToken extends Error {}
/** The keys are unavailable, so the token cannot be checked. */
export class KeysUnavailable extends Error {}

interface CachedToken {
  readonly principal: Principal
  /** milliseconds since the epoch */
  readonly until: number
}

export class JwtVerifier {
  readonly #policy: JwtPolicy
  /** read at start, so that a missing key is reported then */
  readonly #fixedKey: KeyObject | undefined
  readonly #issuer: string
  readonly #audiences: ((audience: string) => boolean) | undefined
  readonly #cache = new Map<string, CachedToken>()
  readonly #pending = new Map<string, Promise<Principal>>()
  #keys: { jose: Jose; find: JWTVerifyGetKey } | undefined
  #pausedUntil = 0

  /** `audiences` decides in place of the policy's audience which tokens are for this server. */
  constructor(policy: JwtPolicy, audiences?: (audience: string) => boolean) {
    this.#policy = policy
    this.#audiences = audiences
    this.#fixedKey = fixedKey(policy)
    this.#issuer = URL.canParse(policy.issuer) ? new URL(policy.issuer).host : policy.issuer
  }

  /** `digest` is the token's. Synchronous if cached. Rejects with BadToken or KeysUnavailable. */
  verify(token: string, digest: string): Principal | Promise<Principal> {
    const known = this.#cache.get(digest)
    if (known !== undefined) {
      if (Date.now() < known.until) return known.principal
      this.#cache.delete(digest)
    }
    return getOrMake(this.#pending, digest, () =>
      this.#check(token, digest).finally(() => this.#pending.delete(digest)),
    )
  }

  async #check(token: string, digest: string): Promise<Principal> {
    const { issuer, audience } = this.#policy
    const algorithms = [...acceptedAlgorithms(this.#policy)]
    this.#keys ??= await this.#open()
    const { jose, find } = this.#keys
    let payload: JWTPayload
    try {
      const options = { issuer, algorithms, clockTolerance: TOLERANCE_S, requiredClaims: ['exp', 'sub'] }
      // Of the embedded issuer only access tokens count: its other tokens are signed with the same key.
      const more = this.#audiences === undefined ? { audience } : { typ: 'at+jwt' }
      payload = (await jose.jwtVerify(token, find, { ...options, ...more })).payload
    } catch (error) {
      throw error instanceof KeysUnavailable ? error : new BadToken(reasonOf(error), { cause: error })
    }
    const { aud } = payload
    if (this.#audiences !== undefined && !(typeof aud === 'string' && this.#audiences(aud)))
      throw new BadToken(CLAIMS.aud)
    const principal = this.#principalOf(payload)
    const [oldest] = this.#cache.keys()
    if (oldest !== undefined && this.#cache.size >= MAX_CACHED) this.#cache.delete(oldest)
    this.#cache.set(digest, { principal, until: ((payload.exp as number) + TOLERANCE_S) * 1000 })
    return principal
  }

  #principalOf(payload: JWTPayload): Principal {
    const { sub } = payload
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT || /\p{C}/u.test(sub)) {
      throw new BadToken('The subject (sub) of the token is invalid')
    }
    const { scope_claim, scope_prefix } = this.#policy
    const claimed = Object.hasOwn(payload, scope_claim) ? payload[scope_claim] : undefined
    const words = typeof claimed === 'string' ? claimed.split(' ') : Array.isArray(claimed) ? claimed : []
    const scopes = words
      .filter((word) => typeof word === 'string' && word.startsWith(scope_prefix))
      .map((word: string) => word.slice(scope_prefix.length))
      .filter((word) => word !== '')
    const claims = deepFreeze(payload)
    const profile = this.#profileOf(payload)
    return Object.freeze({
      ...{ id: `jwt:${this.#issuer}:${sub}`, kind: 'bearer', scopes: Object.freeze(scopes), claims },
      ...(profile !== undefined && { profile }),
    })
  }

  #profileOf(payload: JWTPayload): string | undefined {
    const { profile_claim: claim } = this.#policy
    if (claim === undefined) return undefined
    const profile = Object.hasOwn(payload, claim) ? payload[claim] : undefined
    if (typeof profile !== 'string' || profile === '') throw new BadToken('The token names no profile')
    return profile
  }

  async #open(): Promise<{ jose: Jose; find: JWTVerifyGetKey }> {
    const jose = await import('jose')
    const { jwks, jwks_url } = this.#policy
    const key = this.#fixedKey
    if (key !== undefined) return { jose, find: async () => key }
    const set =
      jwks_url === undefined
        ? jose.createLocalJWKSet(jwks as unknown as Parameters<Jose['createLocalJWKSet']>[0])
        : jose.createRemoteJWKSet(new URL(jwks_url), {
            cooldownDuration: COOLDOWN_MS,
            timeoutDuration: FETCH_TIMEOUT_MS,
            [jose.customFetch]: (url, options) => this.#fetch(url, options),
          })
    return { jose, find: (header, token) => set(header, token).catch((error) => this.#keyError(jose, error)) }
  }

  /** An issuer that is down is not asked again by every request. */
  #fetch(url: string, options: RequestInit): Promise<Response> {
    if (performance.now() < this.#pausedUntil) throw new KeysUnavailable('asked a moment ago')
    return fetch(url, options)
  }

  /** A missing key is the token's fault. Other errors are the issuer's. */
  #keyError(jose: Jose, error: unknown): never {
    const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = jose.errors
    if (
      error instanceof KeysUnavailable ||
      error instanceof JWKSNoMatchingKey ||
      error instanceof JWKSMultipleMatchingKeys ||
      error instanceof JOSENotSupported
    )
      throw error
    this.#pausedUntil = performance.now() + COOLDOWN_MS
    log.error(
      { jwks_url: this.#policy.jwks_url, thrown: error },
      "the issuer's keys are unavailable: tokens are rejected",
    )
    throw new KeysUnavailable('the keys are unavailable', { cause: error })
  }
}

function fixedKey({ public_key, secret_env }: JwtPolicy): KeyObject | undefined {
  if (public_key !== undefined) {
    try {
      return crypto.createPublicKey(public_key)
    } catch (error) {
      throw ToolError.of('RegistrationError', `jwt.public_key of the policy is not a key: ${(error as Error).message}`)
    }
  }
  if (secret_env === undefined) return undefined
  const secret = process.env[secret_env]
  if (secret === undefined || Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
    const what = secret === undefined ? 'is not set' : `has fewer than ${MIN_SECRET_BYTES} bytes`
    throw ToolError.of('RegistrationError', `${secret_env}, which jwt.secret_env of the policy names, ${what}`)
  }
  return crypto.createSecretKey(Buffer.from(secret))
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is wrong',
  ERR_JWKS_NO_MATCHING_KEY: 'The issuer has no key that fits the token',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The token does not say which of several keys it is signed with (kid)',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed in a way that is not accepted here',
}
const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'The token is from another issuer',
  aud: 'The token is for another audience',
  nbf: 'The token is not valid yet',
  typ: 'The token is not an access token',
}

/** Fixed texts: nothing of a token reaches a header. */
function reasonOf(error: unknown): string {
  const { code = '', claim = '', reason } = error as { code?: string; claim?: string; reason?: string }
  if (code !== 'ERR_JWT_CLAIM_VALIDATION_FAILED') return REASONS[code] ?? 'The token is malformed'
  if (reason === 'missing') return `The token has no ${claim}`
  return CLAIMS[claim] ?? `The ${claim} of the token is not valid`
}
