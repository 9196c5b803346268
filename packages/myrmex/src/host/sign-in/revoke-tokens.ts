/** Tells the issuer that tokens are no longer needed (RFC 7009), where it offers that. */
import { postAsClient, type SavedTokens, type TokenTarget } from './token-request.ts'

/** True: the issuer has revoked all of them. False: it does not offer that, or could not be asked. */
export async function revokeTokens(target: TokenTarget, tokens: SavedTokens): Promise<boolean> {
  const endpoint = (target.issuer.metadata as { revocation_endpoint?: unknown }).revocation_endpoint
  if (typeof endpoint !== 'string') return false
  const revoke = async (token: string, hint: string): Promise<boolean> =>
    (await postAsClient(target, endpoint, { token, token_type_hint: hint })).ok
  try {
    // The refresh token first: with it, the issuer ends the access tokens that came from it.
    const refresh = tokens.refresh_token === undefined || (await revoke(tokens.refresh_token, 'refresh_token'))
    return (await revoke(tokens.access_token, 'access_token')) && refresh
  } catch {
    return false
  }
}
