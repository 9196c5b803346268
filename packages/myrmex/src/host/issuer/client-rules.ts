/**
 * Which clients may use the issuer: public clients with PKCE, which receive the answer at an https URL, on this machine, or at a scheme that
 * the operator allows. Whatever else a client says about itself is dropped, so it gains nothing by it.
 */

import { LOOPBACK_NAMES } from '../../protocol/loopback.ts'
import { clip } from '../../protocol/text.ts'

const MAX_REDIRECTS = 10
const MAX_URI = 2000
const MAX_NAME = 100

/** What is wrong with it, as a sentence; undefined if it is allowed. */
export function redirectFault(uri: unknown, schemes: readonly string[]): string | undefined {
  const url = typeof uri === 'string' && uri.length <= MAX_URI ? URL.parse(uri) : null
  if (url === null) return 'A redirect URI is not a URL.'
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'A redirect URI has credentials or a fragment.'
  const scheme = url.protocol.slice(0, -1)
  if (scheme === 'https' || schemes.includes(scheme)) return undefined
  if (scheme !== 'http')
    return `Redirect URIs of the scheme ${clip(scheme, 50)} are not allowed. The operator can add it to redirect_schemes of host.sign_in.`
  return LOOPBACK_NAMES.includes(url.hostname)
    ? undefined
    : 'A redirect URI with http must be on this machine; use https.'
}

/** The metadata with which a client is registered, or what is wrong with those it sent. */
export function registration(
  sent: Readonly<Record<string, unknown>>,
  schemes: readonly string[],
): { readonly metadata: Record<string, unknown> } | { readonly fault: string } {
  const { redirect_uris: uris, client_name: name } = sent
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
    return { fault: `redirect_uris must have 1 to ${MAX_REDIRECTS} URIs.` }
  const fault = uris.map((uri) => redirectFault(uri, schemes)).find((one) => one !== undefined)
  if (fault !== undefined) return { fault }
  return { metadata: { redirect_uris: uris, client_name: clientName(name), ...PUBLIC_CLIENT } }
}

/** Native: RFC 8252 lets the port of a loopback address vary, and every sign-in asks its user. */
export const PUBLIC_CLIENT = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'ES256',
} as const

/** Its own words, on one line and without characters that nobody sees. */
export function clientName(name: unknown): string {
  const text = typeof name === 'string' ? name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim() : ''
  return text === '' ? 'A client without a name' : clip(text, MAX_NAME)
}
