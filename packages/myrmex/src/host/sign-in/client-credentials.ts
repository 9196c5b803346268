/** The client credentials grant, for machines: the host signs in with an account of its own, and nobody is asked. */
import { unregisteredClient } from './client-registration.ts'
import type { SavedSignIn } from './credential.ts'
import { type DiscoveryOptions, discoverIssuer, type Issuer } from './discover-issuer.ts'
import { grantTokens, TokenRefused } from './token-request.ts'

/** `known`: the issuer of an earlier sign-in, which need not be found again. Throws TokenRefused. The secret is not in the result. */
export async function clientCredentialsSignIn(
  url: string,
  options: DiscoveryOptions,
  known: Issuer | undefined,
): Promise<SavedSignIn> {
  const { auth, fetch } = options
  const issuer = known ?? (await discoverIssuer(url, options))
  const client = unregisteredClient(auth, issuer)
  if (client === undefined) throw new TokenRefused('invalid_client', 'auth.client_id is not set')
  const { scope } = issuer
  const tokens = await grantTokens(
    { issuer, client, fetch },
    { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) },
  )
  return { issuer, client: { client_id: client.client_id }, tokens }
}
