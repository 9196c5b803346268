/**
 * OAuth 2.1 for a protected resource: the metadata that tells clients who issues tokens and which scopes there are (RFC 9728), and the
 * challenges that tell them which scopes a request needs (RFC 6750). Only if the policy names an issuer. The metadata is public.
 *
 * - Each resource has its own metadata: that of `/mcp/p/NAME` is at the well-known path with this path appended (section 3.1).
 * - Scopes are offered as the policy lists them, or else one for each module. A client requests these first.
 * - A request out of scope is answered with 403 and the offered scope that covers it, so that the client can ask for that one alone.
 */
import type { IncomingMessage } from 'node:http'
import type { JwtPolicy } from '../../pipeline/rules/policy.ts'
import { matchesName } from '../../tool/rule-names.ts'
import type { RequestTarget, TargetReader } from './forwarded.ts'
import { pathOf } from './reply.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Served at the root, and with the path of the resource appended. */
export const isMetadataPath = (path: string): boolean => path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`)

/** The path of the resource that the metadata is requested of. */
const metadataTarget = (request: IncomingMessage): string => pathOf(request).slice(WELL_KNOWN.length)

const PROFILE = /^\/p\/[a-z0-9][a-z0-9_-]{0,63}$/
/** `/mcp/p/NAME`, whether or not there is such a profile: that is not for everybody to know. */
export const isProfilePath = (path: string, root: string): boolean =>
  path.startsWith(root) && PROFILE.test(path.slice(root.length))

/** A longer list is only in the metadata: a header has a limit. */
const MAX_SCOPE_LENGTH = 2000
/** RFC 6749; what else a name may have cannot be a scope. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export class ProtectedResource {
  readonly #jwt: JwtPolicy
  readonly #targetOf: TargetReader
  readonly #modules: () => readonly string[]

  /** `modules`: a scope for each module, if the policy lists none. */
  constructor(jwt: JwtPolicy, targetOf: TargetReader, modules: () => readonly string[] = () => []) {
    this.#jwt = jwt
    this.#targetOf = targetOf
    this.#modules = modules
  }

  metadata(name: string, request: IncomingMessage): string {
    const { issuer } = this.#jwt
    const scopes = this.#offered().map((scope) => this.#named(scope))
    return JSON.stringify({
      resource: this.#resourceUrl(request, metadataTarget(request))?.href,
      resource_name: name,
      ...(URL.canParse(issuer) && { authorization_servers: [issuer] }),
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
    })
  }

  /** For a request without a valid token: 401. `reason` is one of a fixed list. */
  unauthorised(request: IncomingMessage, reason?: string): string {
    const error = reason === undefined ? [] : ['error="invalid_token"', `error_description="${reason}"`]
    return this.#challenge(request, error, this.#offered())
  }

  /** For a request that its token does not cover: 403. `also` are scopes that the next token should keep. */
  insufficientScope(request: IncomingMessage, missing: string, also: readonly string[] = []): string {
    const fitting = this.#offered().filter((scope) => matchesName(scope, missing))
    const [best = missing] = fitting.sort((a, b) => b.length - a.length)
    const error = ['error="insufficient_scope"', 'error_description="The token does not cover this request"']
    return this.#challenge(request, error, [...also, best])
  }

  #challenge(request: IncomingMessage, error: readonly string[], scopes: readonly string[]): string {
    const scope = [...new Set(scopes.map((one) => this.#named(one)))].filter((one) => SCOPE.test(one)).join(' ')
    const metadata = this.#metadataUrl(request)
    const parameters = [
      'realm="myrmex"',
      ...error,
      ...(scope === '' || scope.length > MAX_SCOPE_LENGTH ? [] : [`scope="${scope}"`]),
      ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ]
    return `Bearer ${parameters.join(', ')}`
  }

  #offered(): readonly string[] {
    return this.#jwt.scopes_supported ?? this.#modules()
  }

  /** As tokens have it. */
  #named(scope: string): string {
    return `${this.#jwt.scope_prefix}${scope}`
  }

  /** The resource at a path below the audience's, such as that of a profile; otherwise the audience. */
  #resourceUrl(request: IncomingMessage, path: string): URL | undefined {
    const url = this.#url(request)
    return url !== undefined && isProfilePath(path, url.pathname) ? new URL(path, url) : url
  }

  /** Undefined if our host name is unknown. */
  #metadataUrl(request: IncomingMessage): string | undefined {
    const url = this.#resourceUrl(request, pathOf(request))
    return url && `${url.origin}${WELL_KNOWN}${url.pathname === '/' ? '' : url.pathname}`
  }

  /** The audience if it is a URL, as MCP requires; otherwise the host name that the client used. */
  #url(request: IncomingMessage): URL | undefined {
    const { audience } = this.#jwt
    if (/^https?:\/\//.test(audience) && URL.canParse(audience)) return new URL(audience)
    const target: RequestTarget | undefined = this.#targetOf(request)
    const own = `${target?.protocol}://${target?.host}/mcp`
    return /^[\w.:[\]-]+$/.test(target?.host ?? '') && URL.canParse(own) ? new URL(own) : undefined
  }
}
