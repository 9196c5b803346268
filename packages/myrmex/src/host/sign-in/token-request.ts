/**
 * Requests to a token endpoint, with the official client. An answer is tokens, a refusal (`TokenRefused`: asking again is useless),
 * or a failure that may pass. No error has a token or a secret in it.
 */
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/client'
import { ToolError } from '../../protocol/errors.ts'
import { scrub } from '../../protocol/secret.ts'
import { type Issuer, oneLineReason } from './discover-issuer.ts'
import type { IssuerFetch } from './issuer-fetch.ts'

export interface TokenTarget {
  readonly issuer: Issuer
  readonly client: OAuthClientInformationMixed
  readonly fetch: IssuerFetch
}

/** The issuer said no. */
export class TokenRefused extends Error {
  /** of OAuth, for example invalid_grant */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const SECRETS = ['client_secret', 'code', 'code_verifier', 'refresh_token', 'device_code']

/** What an issuer answers to a request, for people: it may send back what it was sent. */
export function withoutSecrets(text: string, { client }: Pick<TokenTarget, 'client'>, sent?: unknown): string {
  const params = new URLSearchParams(String(sent ?? ''))
  const secrets = [client.client_secret, ...SECRETS.map((name) => params.get(name))].flatMap((one) => one || [])
  return oneLineReason(scrub(text, secrets))
}

/** The issuer does not know the client, or no longer. */
export const isClientRefused = (code: string): boolean => code === 'invalid_client' || code === 'unauthorized_client'

/** As they are stored. */
export interface SavedTokens {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly scope?: string | undefined
  /** milliseconds since the epoch; undefined: unknown */
  readonly expires_at?: number | undefined
  /** milliseconds */
  readonly lifetime?: number | undefined
}

export interface CodeExchange {
  readonly code: string
  readonly iss: string | undefined
  readonly verifier: string
  readonly redirectUri: string
}

export const exchangeCode = (target: TokenTarget, sent: CodeExchange): Promise<SavedTokens> =>
  answered(target, async (common, { issuer }) => {
    const { exchangeAuthorization } = await import('@modelcontextprotocol/client')
    return exchangeAuthorization(issuer.issuer, {
      ...common,
      authorizationCode: sent.code,
      ...(sent.iss !== undefined && { iss: sent.iss }),
      codeVerifier: sent.verifier,
      redirectUri: sent.redirectUri,
    })
  })

export const refreshTokens = (target: TokenTarget, refreshToken: string): Promise<SavedTokens> =>
  answered(target, async (common, { issuer }) => {
    const { refreshAuthorization } = await import('@modelcontextprotocol/client')
    return refreshAuthorization(issuer.issuer, { ...common, refreshToken })
  })

/** Any other grant, by its parameters: client_credentials, or a device code. */
export const grantTokens = (target: TokenTarget, grant: Readonly<Record<string, string>>): Promise<SavedTokens> =>
  answered(target, async ({ clientInformation, ...common }, { issuer }) => {
    const { fetchToken } = await import('@modelcontextprotocol/client')
    const provider = {
      clientInformation: () => ({ ...clientInformation, issuer: issuer.issuer }),
      clientMetadata: { redirect_uris: [] },
      prepareTokenRequest: () => new URLSearchParams(grant),
    }
    return fetchToken(provider as never, issuer.issuer, common)
  })

/** Posts a form to another endpoint of the issuer, with the client's secret in the way that the issuer wants. */
export async function postAsClient(
  { issuer, client, fetch }: TokenTarget,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client')
  const { client_id, client_secret } = client
  const body = new URLSearchParams({ client_id, ...fields })
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' })
  const method = selectClientAuthMethod(client, issuer.metadata.token_endpoint_auth_methods_supported ?? [])
  if (method === 'client_secret_basic')
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`)
  if (method === 'client_secret_post' && client_secret !== undefined) body.set('client_secret', client_secret)
  return await fetch(endpoint, { method: 'POST', headers, body })
}

type Common = ReturnType<typeof commonOptions>

const commonOptions = ({ issuer, client }: TokenTarget, fetchFn: IssuerFetch) => ({
  metadata: issuer.metadata,
  clientInformation: client,
  ...(issuer.resource !== undefined && { resource: issuer.resource }),
  fetchFn,
})

async function answered(
  target: TokenTarget,
  ask: (common: Common, target: TokenTarget) => Promise<OAuthTokens>,
): Promise<SavedTokens> {
  const { issuer } = target
  let status = 0
  let sent: unknown
  const fetch: IssuerFetch = async (url, init) => {
    sent = init?.body
    const response = await target.fetch(url, init)
    status = response.status
    return response
  }
  try {
    return savedTokens(await ask(commonOptions(target, fetch), target), issuer)
  } catch (thrown) {
    if (thrown instanceof ToolError || thrown instanceof TokenRefused) throw thrown
    const { OAuthError, IssuerMismatchError } = await import('@modelcontextprotocol/client')
    if (thrown instanceof IssuerMismatchError)
      throw new TokenRefused('issuer_mismatch', 'The answer is not from the issuer that was asked (RFC 9207)')
    const isOAuth = thrown instanceof OAuthError
    const isReadable = isOAuth && thrown.code !== 'server_error'
    if (isReadable && !PASSING.has(thrown.code))
      throw new TokenRefused(thrown.code, withoutSecrets(`${thrown.code}: ${thrown.message}`, target, sent))
    // A refusal in words of its own is one all the same.
    if (isOAuth && status >= 400 && status < 500 && status !== 408 && status !== 429)
      throw new TokenRefused('refused', `HTTP ${status}`)
    const why = isReadable ? thrown.code : `its answer (HTTP ${status}) is not one of a token endpoint`
    throw ToolError.of('TransportError', `${issuer.issuer} gave no token: ${why}`, { peer: issuer.issuer, codes: [] })
  }
}

/** An issuer may say any number, and the end must be a date. */
const MAX_LIFETIME_MS = 10 * 366 * 86_400_000

const PASSING: ReadonlySet<string> = new Set(['temporarily_unavailable', 'too_many_requests'])

function savedTokens(tokens: OAuthTokens, issuer: Issuer): SavedTokens {
  const { access_token, refresh_token, token_type, scope, expires_in } = tokens
  if (token_type.toLowerCase() !== 'bearer')
    throw new TokenRefused(
      'token_type',
      `The token is of the type ${oneLineReason(token_type)}, and the host sends bearer tokens only.`,
    )
  // A line break would end the header, and what follows would be another one.
  if (!/^[\x21-\x7e]+$/.test(access_token))
    throw new TokenRefused('invalid_token', 'The token has characters that no header may have.')
  const hasEnd = typeof expires_in === 'number' && expires_in > 0
  const lifetime = hasEnd ? Math.min(expires_in * 1000, MAX_LIFETIME_MS) : undefined
  return {
    access_token,
    refresh_token,
    scope: scope ?? issuer.scope,
    lifetime,
    expires_at: lifetime === undefined ? undefined : Date.now() + lifetime,
  }
}
