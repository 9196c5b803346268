/**
 * A real OAuth 2.1 issuer for tests (oidc-provider), on loopback: it logs everybody in and grants every scope it knows, for any resource. Its
 * tokens are JWTs. `authorise` is the user's browser: it follows a client's authorization URL to the end.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import type { OidcContext } from 'oidc-provider'

export const CLIENT_ID = 'mcp-client'
/** Nobody listens there: the browser stops before it. */
export const REDIRECT_URL = 'http://127.0.0.1:9/callback'

export interface OAuthIssuer {
  readonly issuer: string
  readonly jwksUrl: string
  /** the scopes that clients asked for, one text for each authorization */
  readonly requested: string[]
  /** Returns the parameters of the redirect to the client. */
  authorise(url: URL): Promise<URLSearchParams>
  close(): Promise<void>
}

/** `scopes`: what may be asked for. */
export async function oauthIssuer(scopes: readonly string[]): Promise<OAuthIssuer> {
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const provider = await quietProvider(issuer, await configuration(scopes))
  const serve = provider.callback()
  listener.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      void provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
    } else serve(request, response)
  })
  const requested: string[] = []
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    requested,
    authorise: (url) => {
      requested.push(url.searchParams.get('scope') ?? '')
      return followed(url)
    },
    async close() {
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** It warns about the memory that it keeps everything in, and about every release of Node that is newer than itself. */
async function quietProvider(issuer: string, settings: object) {
  const { warn, info } = console
  Object.assign(console, { warn: () => {}, info: () => {} })
  try {
    const { default: Provider } = await import('oidc-provider')
    return new Provider(issuer, settings)
  } finally {
    Object.assign(console, { warn, info })
  }
}

async function configuration(scopes: readonly string[]): Promise<object> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'issuer', alg: 'ES256', use: 'sig' }] },
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT_URL],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
        application_type: 'web',
      },
    ],
    cookies: { keys: ['a key of a test'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: OidcContext, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    findAccount: (_ctx: OidcContext, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx: OidcContext, { uid }: { uid: string }) => `/interaction/${uid}` },
    /** The user agrees to everything. */
    loadExistingGrant: async ({ oidc }: OidcContext) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      const asked = [...oidc.requestParamScopes].join(' ')
      grant.addOIDCScope(asked)
      for (const resource of Object.keys(oidc.resourceServers)) grant.addResourceScope(resource, asked)
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, Interaction: 60, Session: 600, IdToken: 600 },
  }
}

const MAX_REDIRECTS = 10

async function followed(start: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let url = start
  for (let count = 0; count < MAX_REDIRECTS; count++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the issuer answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.href.startsWith(REDIRECT_URL)) return url.searchParams
  }
  throw new Error('the issuer redirects without end')
}
