/**
 * `listenHttp(server, { authenticate })`: the author's own way to find out who calls. It is asked for every request that no token of the server
 * admits, after Host and Origin were checked, and nothing that it says is kept for another request. A request is admitted only with a
 * principal that is well formed: if the function fails or takes too long, the request is rejected and the cause is in the log.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isPromise } from '../../pipeline/outcome.ts'
import { describeThrown } from '../../protocol/errors.ts'
import { deepFreeze, isObject } from '../../protocol/json.ts'
import { scrub } from '../../protocol/secret.ts'
import { toJson } from '../../protocol/serialise.ts'
import { log } from '../../server/log.ts'
import type { Principal } from '../../tool/context.ts'
import { areScopes, isPrincipalId } from '../../tool/principal.ts'
import type { Admission, Guard } from './guard.ts'
import type { Refusal } from './refusals.ts'
import { credentialTexts } from './request-info.ts'

/** A request whose sender is to be found out. Its headers have the credentials. */
export interface AuthenticateRequest {
  readonly method: string
  /** path and query */
  readonly url: string
  readonly headers: Readonly<IncomingHttpHeaders>
  /** of the connection: that of a proxy, if there is one */
  readonly remoteAddress: string | undefined
}

export interface AuthenticatedPrincipal {
  /** at most 200 characters; not `local`, and not beginning with `bearer:`, `jwt:`, `token:` or `user:`, which the server gives itself */
  readonly id: string
  /** what it may call: `module.tool`, `module.*`, or `*` for everything */
  readonly scopes: readonly string[]
  /** the profile that it is limited to; default: none */
  readonly profile?: string
  /** for tools and middleware: `ctx.principal.claims` */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** Returns undefined if the request is not to be admitted. Throws if that cannot be found out now. */
export type Authenticate = (
  request: AuthenticateRequest,
) => AuthenticatedPrincipal | undefined | Promise<AuthenticatedPrincipal | undefined>

const TIME_LIMIT_MS = 10_000

/** `tokens` is undefined if the server has no tokens of its own. */
export function withAuthenticator(authenticate: Authenticate, tokens: Guard | undefined): Guard {
  const ask = async (request: IncomingMessage, otherwise: Refusal): Promise<Admission> => {
    try {
      const found = await inTime(authenticate(shown(request)))
      return found === undefined ? otherwise : { principal: principalOf(found) }
    } catch (thrown) {
      const cause = scrub(describeThrown(thrown), credentialTexts(request))
      log.error({ cause }, 'authenticate failed: a request was rejected')
      return UNAVAILABLE
    }
  }
  if (tokens === undefined) return (request) => ask(request, UNKNOWN)
  return (request) => {
    const verdict = tokens(request)
    const orAsk = (late: Admission): Admission | Promise<Admission> =>
      'status' in late && late.status === 401 ? ask(request, late) : late
    return isPromise(verdict) ? verdict.then(orAsk) : orAsk(verdict)
  }
}

const shown = ({ method = '', url = '', headers, socket }: IncomingMessage): AuthenticateRequest => ({
  method,
  url,
  // A copy: the server reads them too.
  headers: { ...headers },
  remoteAddress: socket.remoteAddress,
})

async function inTime<T>(work: T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${TIME_LIMIT_MS} ms`)), TIME_LIMIT_MS)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Identities that the server gives itself. */
const RESERVED = /^(local$|bearer:|jwt:|token:|user:)/

function principalOf(found: AuthenticatedPrincipal): Principal {
  const { id, scopes, profile, claims } = isObject(found) ? found : ({} as Partial<AuthenticatedPrincipal>)
  if (!isPrincipalId(id) || RESERVED.test(id)) throw new Error('the principal has no valid id')
  if (!areScopes(scopes)) throw new Error(`the principal ${id} has no list of scopes; ['*'] is everything`)
  if (claims !== undefined && !isObject(claims)) throw new Error(`the claims of the principal ${id} are no object`)
  if (profile !== undefined && (typeof profile !== 'string' || profile === ''))
    throw new Error(`the profile of the principal ${id} is no name`)
  const limited = profile !== undefined && { profile }
  const kept = claims && { claims: deepFreeze(structuredClone(toJson(claims))) as NonNullable<Principal['claims']> }
  return Object.freeze({ id, kind: 'bearer', scopes: Object.freeze([...scopes]), ...limited, ...kept })
}

const UNKNOWN: Refusal = {
  status: 401,
  message: 'Valid credentials are required',
  error_type: 'AuthenticationError',
  challenge: 'Bearer realm="myrmex"',
}

const UNAVAILABLE: Refusal = {
  status: 503,
  message: 'The credentials cannot be checked now. Try again in a moment.',
  error_type: 'UnavailableError',
}
