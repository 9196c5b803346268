/**
 * OAuth protected resource metadata (RFC 9728): tells clients without a token who issues them. Public, and only served if the policy
 * names an issuer.
 */
import type { IncomingMessage } from 'node:http'
import type { JwtPolicy } from '../../pipeline/rules/policy.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Served at the root, and with the path of the resource appended. */
export const isMetadataPath = (path: string): boolean => path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`)

export function resourceMetadata(jwt: JwtPolicy, name: string, request: IncomingMessage): string {
  return JSON.stringify({
    resource: resource(jwt, request)?.href,
    resource_name: name,
    ...(URL.canParse(jwt.issuer) && { authorization_servers: [jwt.issuer] }),
    bearer_methods_supported: ['header'],
  })
}

/** The URL for a challenge; undefined if our host name is unknown. */
export function resourceMetadataUrl(jwt: JwtPolicy, request: IncomingMessage): string | undefined {
  const served = resource(jwt, request)
  if (served === undefined) return undefined
  return `${served.origin}${WELL_KNOWN}${served.pathname === '/' ? '' : served.pathname}`
}

/** The audience if it is a URL, as MCP requires; otherwise the host name that the client used. */
function resource({ audience }: JwtPolicy, { headers }: IncomingMessage): URL | undefined {
  if (/^https?:\/\//.test(audience) && URL.canParse(audience)) return new URL(audience)
  const own = `http://${headers.host}/mcp`
  return /^[\w.:[\]-]+$/.test(headers.host ?? '') && URL.canParse(own) ? new URL(own) : undefined
}
