/**
 * OAuth protected resource metadata (RFC 9728): where a client that has no token learns who gives them out. It is public, and
 * there only where the policy names an issuer.
 */
import type { IncomingMessage } from 'node:http'
import type { JwtPolicy } from '../../pipeline/rules/policy.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** It stands at the root, and once more with the path of the resource behind it. */
export const isMetadataPath = (path: string): boolean => path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`)

export function resourceMetadata(jwt: JwtPolicy, name: string, request: IncomingMessage): string {
  return JSON.stringify({
    resource: resource(jwt, request)?.href,
    resource_name: name,
    ...(URL.canParse(jwt.issuer) && { authorization_servers: [jwt.issuer] }),
    bearer_methods_supported: ['header'],
  })
}

/** Where the metadata is, as a parameter of a challenge; undefined where nobody knows by what name we are reached. */
export function resourceMetadataUrl(jwt: JwtPolicy, request: IncomingMessage): string | undefined {
  const served = resource(jwt, request)
  if (served === undefined) return undefined
  return `${served.origin}${WELL_KNOWN}${served.pathname === '/' ? '' : served.pathname}`
}

/** The audience is the URL of this server, as MCP wants it; where it is none, what the client calls us has to do. */
function resource({ audience }: JwtPolicy, { headers }: IncomingMessage): URL | undefined {
  if (/^https?:\/\//.test(audience) && URL.canParse(audience)) return new URL(audience)
  const own = `http://${headers.host}/mcp`
  return /^[\w.:[\]-]+$/.test(headers.host ?? '') && URL.canParse(own) ? new URL(own) : undefined
}
