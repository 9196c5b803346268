/**
 * Finds the authorization server of an MCP server: the server's metadata (RFC 9728) names the issuer, the issuer's metadata (RFC 8414)
 * names its endpoints. Nothing that they say is used before it is checked: the resource is this server, the issuer is the one that
 * was asked for and the one that the operator allows, and every endpoint is at a safe address.
 */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import type { AuthSettings } from '../settings.ts'
import type { IssuerAddresses } from './issuer-address.ts'
import { type IssuerFetch, isTemporary } from './issuer-fetch.ts'

/** What a 401 or 403 of the server says about signing in. */
export interface Challenge {
  readonly resourceMetadataUrl?: string | undefined
  readonly scope?: string | undefined
}

export interface Issuer {
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata
  /** sent as the resource indicator (RFC 8707); undefined for a server without metadata of its own */
  readonly resource: string | undefined
  /** what to ask for, separated by spaces; undefined: the issuer decides */
  readonly scope: string | undefined
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const

export interface DiscoveryOptions {
  readonly challenge: Challenge
  readonly auth: AuthSettings | undefined
  readonly addresses: IssuerAddresses
  readonly fetch: IssuerFetch
}

/** Throws PermissionError, and TransportError where asking again later may help. */
export async function discoverIssuer(server: string, options: DiscoveryOptions): Promise<Issuer> {
  let broken: string | undefined
  const fetch: IssuerFetch = async (url, init) => {
    const response = await options.fetch(url, init)
    if (response.status >= 500 || response.status === 429) broken = `${new URL(url).origin} answered ${response.status}`
    return response
  }
  try {
    return await discovered(server, { ...options, fetch })
  } catch (thrown) {
    if (broken === undefined || isTemporary(thrown)) throw thrown
    throw ToolError.of('TransportError', `${reason(thrown)} It may be broken for now: ${broken}.`)
  }
}

async function discovered(server: string, options: DiscoveryOptions): Promise<Issuer> {
  const { challenge, auth, addresses, fetch } = options
  const client = await import('@modelcontextprotocol/client')
  addresses.assertScheme('the URL of the server', server)
  const resource = await resourceMetadata(server, options)
  if (resource !== undefined) {
    const own = client.resourceUrlFromServerUrl(server)
    const isOwn = client.checkResourceAllowed({ requestedResource: own, configuredResource: resource.resource })
    if (!isOwn)
      throw invalid(
        `its metadata is about ${quoted(resource.resource)}, and the server is ${new URL(own).origin}${new URL(own).pathname}`,
      )
  }
  const address = chooseIssuer(server, resource?.authorization_servers ?? [], auth?.issuer)
  addresses.assertScheme('the issuer', address)
  const metadata = await client
    .discoverAuthorizationServerMetadata(address, { fetchFn: fetch })
    .catch((thrown: unknown) => {
      throw thrown instanceof ToolError
        ? thrown
        : invalid(`the metadata of ${quoted(address)} cannot be used: ${reason(thrown)}`)
    })
  if (metadata === undefined) throw invalid(`${quoted(address)} has no metadata of an authorization server (RFC 8414)`)
  const known = metadata as Readonly<Record<string, unknown>>
  for (const name of ENDPOINTS)
    if (known[name] !== undefined) addresses.assertScheme(`the ${name} of ${metadata.issuer}`, String(known[name]))
  const offered = resource?.scopes_supported?.join(' ')
  const scope = auth?.scopes?.join(' ') ?? challenge.scope ?? offered
  return {
    issuer: metadata.issuer,
    metadata,
    resource: resource?.resource,
    scope: withOfflineAccess(scope, metadata, auth),
  }
}

async function resourceMetadata(server: string, { challenge, fetch }: DiscoveryOptions) {
  const { discoverOAuthProtectedResourceMetadata } = await import('@modelcontextprotocol/client')
  const { resourceMetadataUrl } = challenge
  try {
    return await discoverOAuthProtectedResourceMetadata(
      server,
      { ...(resourceMetadataUrl && { resourceMetadataUrl }) },
      fetch,
    )
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown
    // Servers of the revision 2025-03-26 have none: the server itself is the issuer.
    if (resourceMetadataUrl === undefined) return undefined
    throw invalid(`its metadata at ${quoted(resourceMetadataUrl)} cannot be used: ${reason(thrown)}`)
  }
}

function chooseIssuer(server: string, named: readonly string[], pinned: string | undefined): string {
  if (pinned === undefined) return named[0] ?? new URL('/', server).href
  const isSame = (one: string): boolean => isSameIssuer(one, pinned)
  if (named.length > 0 && !named.some(isSame))
    throw invalid(`it names the issuer ${named.map(quoted).join(', ')}, and auth.issuer is ${pinned}`)
  return named.find(isSame) ?? pinned
}

/** Issuers write theirs with or without a slash at the end. */
export const isSameIssuer = (one: string, other: string): boolean => one.replace(/\/$/, '') === other.replace(/\/$/, '')

/** Without it many issuers give no refresh token, and the sign-in would end within the hour. */
function withOfflineAccess(
  scope: string | undefined,
  { scopes_supported }: AuthorizationServerMetadata,
  auth: AuthSettings | undefined,
): string | undefined {
  const isOffered = scopes_supported?.includes('offline_access') === true
  const isWanted = auth?.scopes === undefined && auth?.grant !== 'client_credentials'
  if (!isOffered || !isWanted || scope?.split(' ').includes('offline_access')) return scope
  return scope === undefined ? undefined : `${scope} offline_access`
}

/** Both lists of scopes, separated by spaces; undefined if there are none. */
export function allScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []).filter((one) => one !== ''))
  return all.size === 0 ? undefined : [...all].join(' ')
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 200))
const reason = (thrown: unknown): string => oneLineReason(messageOf(thrown))

/** What an issuer or a library says, for a person: in one line, without control characters. */
export const oneLineReason = (text: string): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

/** An error of OAuth with its description, which is optional and says what the issuer likes. */
export const reasonIn = (error: string, description: unknown): string =>
  oneLineReason(typeof description === 'string' && description !== '' ? `${error}: ${description}` : error)

const invalid = (why: string): ToolError => ToolError.of('PermissionError', `Signing in is not possible: ${why}.`)
