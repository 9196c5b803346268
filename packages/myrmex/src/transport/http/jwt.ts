/**
 * JSON Web Tokens of the issuer the policy names, checked by jose, which is loaded with the first of them. A token that was
 * found good is remembered until it expires, so that later requests with it are answered at once and as the same principal.
 */
import type { JWTPayload, JWTVerifyGetKey, KeyObject } from 'jose'
import type { JwtPolicy } from '../../pipeline/rules/policy.ts'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { log } from '../../server/log.ts'
import type { Principal } from '../../tool/context.ts'

type Jose = typeof import('jose')

/** How far the clocks of two machines may be apart. */
const TOLERANCE_S = 30
const MOST_REMEMBERED = 1000
/** The issuer is asked for new keys no more often than this, however many tokens name a key nobody knows. */
const COOLDOWN_MS = 1000
const FETCH_TIMEOUT_MS = 5000
/** What HS256 wants; a shorter secret can be guessed from one token. */
const LEAST_SECRET_BYTES = 32
const LONGEST_SUBJECT = 200

/** Why a token is refused, in words that may be told. */
export class BadToken extends Error {}
/** The keys cannot be had: nobody knows whether the token is good. */
export class KeysUnavailable extends Error {}

interface Remembered {
  readonly principal: Principal
  /** milliseconds since the epoch */
  readonly until: number
}

export class JwtVerifier {
  readonly #policy: JwtPolicy
  /** read at the start, so that what is missing is told then */
  readonly #fixedKey: KeyObject | undefined
  readonly #issuer: string
  readonly #remembered = new Map<string, Remembered>()
  readonly #pending = new Map<string, Promise<Principal>>()
  #keys: { jose: Jose; find: JWTVerifyGetKey } | undefined
  #pausedUntil = 0

  constructor(policy: JwtPolicy) {
    this.#policy = policy
    this.#fixedKey = fixedKey(policy)
    this.#issuer = URL.canParse(policy.issuer) ? new URL(policy.issuer).host : policy.issuer
  }

  /** `digest` is the token's. At once where it is known; otherwise rejects with BadToken or KeysUnavailable. */
  verify(token: string, digest: string): Principal | Promise<Principal> {
    const known = this.#remembered.get(digest)
    if (known !== undefined) {
      if (Date.now() < known.until) return known.principal
      this.#remembered.delete(digest)
    }
    let pending = this.#pending.get(digest)
    if (pending === undefined) {
      pending = this.#check(token, digest).finally(() => this.#pending.delete(digest))
      this.#pending.set(digest, pending)
    }
    return pending
  }

  async #check(token: string, digest: string): Promise<Principal> {
    const { issuer, audience, algorithms } = this.#policy
    this.#keys ??= await this.#open()
    const { jose, find } = this.#keys
    let payload: JWTPayload
    try {
      const options = { issuer, audience, algorithms, clockTolerance: TOLERANCE_S, requiredClaims: ['exp', 'sub'] }
      payload = (await jose.jwtVerify(token, find, options)).payload
    } catch (error) {
      throw error instanceof KeysUnavailable ? error : new BadToken(reasonOf(error), { cause: error })
    }
    const principal = this.#principalOf(payload)
    if (this.#remembered.size >= MOST_REMEMBERED) this.#forgetOldest()
    this.#remembered.set(digest, { principal, until: ((payload.exp as number) + TOLERANCE_S) * 1000 })
    return principal
  }

  #forgetOldest(): void {
    const [oldest] = this.#remembered.keys()
    if (oldest !== undefined) this.#remembered.delete(oldest)
  }

  #principalOf(payload: JWTPayload): Principal {
    const { sub } = payload
    if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT || /\p{C}/u.test(sub)) {
      throw new BadToken('The subject (sub) of the token is no name')
    }
    const { scope_claim, scope_prefix } = this.#policy
    const claimed = Object.hasOwn(payload, scope_claim) ? payload[scope_claim] : undefined
    const words = typeof claimed === 'string' ? claimed.split(' ') : Array.isArray(claimed) ? claimed : []
    const scopes = words
      .filter((word) => typeof word === 'string' && word.startsWith(scope_prefix))
      .map((word: string) => word.slice(scope_prefix.length))
      .filter((word) => word !== '')
    return Object.freeze({ id: `jwt:${this.#issuer}:${sub}`, kind: 'bearer', scopes: Object.freeze(scopes) })
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
    return { jose, find: (header, token) => set(header, token).catch((error) => this.#unfound(jose, error)) }
  }

  /** An issuer that is down is not asked again by every request. */
  #fetch(url: string, options: RequestInit): Promise<Response> {
    if (performance.now() < this.#pausedUntil) throw new KeysUnavailable('asked a moment ago')
    return fetch(url, options)
  }

  /** That no key fits is the token's fault; everything else that goes wrong with the keys is not. */
  #unfound(jose: Jose, error: unknown): never {
    const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = jose.errors
    if (
      error instanceof KeysUnavailable ||
      error instanceof JWKSNoMatchingKey ||
      error instanceof JWKSMultipleMatchingKeys ||
      error instanceof JOSENotSupported
    )
      throw error
    this.#pausedUntil = performance.now() + COOLDOWN_MS
    log.error({ jwks_url: this.#policy.jwks_url, thrown: error }, "the issuer's keys cannot be had: tokens are refused")
    throw new KeysUnavailable('the keys cannot be had', { cause: error })
  }
}

function fixedKey({ public_key, secret_env }: JwtPolicy): KeyObject | undefined {
  if (public_key !== undefined) {
    try {
      return crypto.createPublicKey(public_key)
    } catch (error) {
      throw ToolError.of('RegistrationError', `jwt.public_key of the policy is no key: ${(error as Error).message}`)
    }
  }
  if (secret_env === undefined) return undefined
  const secret = process.env[secret_env]
  if (secret === undefined || Buffer.byteLength(secret) < LEAST_SECRET_BYTES) {
    const what = secret === undefined ? 'is not set' : `has fewer than ${LEAST_SECRET_BYTES} bytes`
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
  iss: 'The token is of another issuer',
  aud: 'The token is for another audience',
  nbf: 'The token is not valid yet',
}

/** Our own words: nothing of a token finds its way into a header. */
function reasonOf(error: unknown): string {
  const { code = '', claim = '', reason } = error as { code?: string; claim?: string; reason?: string }
  if (code !== 'ERR_JWT_CLAIM_VALIDATION_FAILED') return REASONS[code] ?? 'The token is malformed'
  if (reason === 'missing') return `The token has no ${claim}`
  return CLAIMS[claim] ?? `The ${claim} of the token is not valid`
}
