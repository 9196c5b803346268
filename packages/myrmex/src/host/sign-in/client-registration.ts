/**
 * Which client the host is for an issuer: the one that the operator configured, otherwise a client id metadata document, otherwise
 * one that is registered on the spot (RFC 7591) and kept for this server, issuer and redirect address.
 */
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import type { TokenOwner, UpstreamTokens } from '../../ledger/upstream-tokens.ts'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import type { AuthSettings } from '../settings.ts'
import { DEVICE_GRANT } from './device-code.ts'
import { type Issuer, oneLineReason } from './discover-issuer.ts'
import type { IssuerFetch } from './issuer-fetch.ts'

export interface RegistrationRequest {
  readonly server: string
  readonly url: string
  readonly issuer: Issuer
  /** undefined for the device grant */
  readonly redirectUri: string | undefined
  readonly store: UpstreamTokens
  readonly fetch: IssuerFetch
}

interface KeptRegistration {
  readonly client: OAuthClientInformationMixed
  readonly scope: string | undefined
}

/** The client that the host has registered with this issuer, now or before. */
export async function registeredClient(request: RegistrationRequest): Promise<OAuthClientInformationMixed> {
  const { issuer } = request
  const owner: TokenOwner = {
    kind: 'client',
    server: request.server,
    url: JSON.stringify([request.url, issuer.issuer, request.redirectUri ?? null]),
    principal: '',
  }
  const known = await request.store.read(owner)
  if (known !== undefined && known.issuer === issuer.issuer) {
    const { client, scope } = known.body as KeptRegistration
    // An issuer may refuse scopes that a client did not register for.
    if (!hasExpired(client) && covers(scope, issuer.scope)) return client
  }
  const client = await register(request)
  const kept: KeptRegistration = { client, scope: issuer.scope }
  await request.store.write(owner, issuer.issuer, kept)
  return client
}

/** `ownDocument`: where the host has one about itself. Undefined: the host has to register. */
export function unregisteredClient(
  auth: AuthSettings | undefined,
  { metadata }: Pick<Issuer, 'metadata'>,
  ownDocument?: string,
): OAuthClientInformationMixed | undefined {
  if (auth?.clientId !== undefined)
    return { client_id: auth.clientId, ...(auth.clientSecret !== undefined && { client_secret: auth.clientSecret }) }
  const takesDocuments = metadata.client_id_metadata_document_supported === true
  const document = auth?.clientMetadataUrl ?? ownDocument
  return takesDocuments && document !== undefined ? { client_id: document } : undefined
}

async function register({ server, issuer, redirectUri, fetch }: RegistrationRequest) {
  const { metadata, scope } = issuer
  if (metadata.registration_endpoint === undefined)
    throw ToolError.of(
      'PermissionError',
      `${issuer.issuer} does not register clients by itself. Register one there${redirectUri === undefined ? '' : ` with the redirect URI ${redirectUri}`}, ` +
        `and set auth.client_id of ${server} in myrmex.json.`,
    )
  const { registerClient } = await import('@modelcontextprotocol/client')
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['none']
  const clientMetadata = {
    client_name: 'Myrmex host',
    redirect_uris: redirectUri === undefined ? [] : [redirectUri],
    grant_types: [redirectUri === undefined ? DEVICE_GRANT : 'authorization_code', 'refresh_token'],
    response_types: redirectUri === undefined ? [] : ['code'],
    token_endpoint_auth_method: methods.includes('none') ? 'none' : (methods[0] ?? 'none'),
    application_type: redirectUri?.startsWith('https:') ? 'web' : 'native',
  }
  try {
    const client = await registerClient(issuer.issuer, {
      metadata,
      clientMetadata,
      ...(scope !== undefined && { scope }),
      fetchFn: fetch,
    })
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = client
    return { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method }
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown
    const why = oneLineReason(messageOf(thrown))
    throw ToolError.of(
      'PermissionError',
      `${issuer.issuer} did not register the host as a client: ${why}. Register one there, and set auth.client_id of ${server} in myrmex.json.`,
    )
  }
}

function covers(registered: string | undefined, wanted: string | undefined): boolean {
  if (registered === undefined || wanted === undefined) return registered === wanted
  const all = new Set(registered.split(' '))
  return wanted.split(' ').every((scope) => all.has(scope))
}

function hasExpired(client: OAuthClientInformationMixed): boolean {
  const end = 'client_secret_expires_at' in client ? client.client_secret_expires_at : undefined
  return typeof end === 'number' && end > 0 && end * 1000 < Date.now()
}
