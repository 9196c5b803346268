/** Tells the issuer that tokens are no longer needed (RFC 7009), where it offers that. */
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import type { SavedSignIn } from './credential.ts'
import type { IssuerFetch } from './issuer-fetch.ts'

/** True: the issuer has revoked all of them. False: it does not offer that, or could not be asked. */
export async function revokeTokens(
  { issuer, tokens }: SavedSignIn,
  client: OAuthClientInformationMixed,
  fetch: IssuerFetch,
): Promise<boolean> {
  const endpoint = (issuer.metadata as { revocation_endpoint?: unknown }).revocation_endpoint
  if (typeof endpoint !== 'string') return false
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client')
  const { client_id, client_secret } = client
  const revoke = async (token: string, hint: string): Promise<boolean> => {
    const params = new URLSearchParams({ token, token_type_hint: hint })
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
    const method = selectClientAuthMethod(client, issuer.metadata.token_endpoint_auth_methods_supported ?? [])
    if (method === 'client_secret_basic')
      headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`)
    else params.set('client_id', client_id)
    if (method === 'client_secret_post' && client_secret !== undefined) params.set('client_secret', client_secret)
    const response = await fetch(endpoint, { method: 'POST', headers, body: params })
    return response.ok
  }
  try {
    // The refresh token first: with it, the issuer ends the access tokens that came from it.
    const refresh = tokens.refresh_token === undefined || (await revoke(tokens.refresh_token, 'refresh_token'))
    return (await revoke(tokens.access_token, 'access_token')) && refresh
  } catch {
    return false
  }
}
