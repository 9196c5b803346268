/**
 * A real authorization server (oidc-provider) on loopback for clients that sign in by themselves: dynamic registration, client id
 * metadata documents, the device grant, client credentials, rotating refresh tokens and revocation. Its user agrees to everything.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OidcContext } from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** What the tests use of the provider's models. */
interface StoredModel {
  readonly accountId?: string
  readonly clientId: string
  readonly scope?: string
  readonly aud?: string
  destroy(): Promise<void>
}

interface Models {
  readonly AccessToken: { find(token: string): Promise<StoredModel | undefined> }
  readonly ClientCredentials: { find(token: string): Promise<StoredModel | undefined> }
  readonly RefreshToken: { find(token: string): Promise<StoredModel | undefined> }
  readonly Client: { readonly adapter: { destroy(id: string): Promise<void> } }
}

export interface IssuerRequest {
  readonly line: string
  readonly body: URLSearchParams
}

export interface SignInIssuer {
  readonly issuer: string
  /** of each request, `METHOD path` without its query */
  readonly requests: string[]
  /** the same with the parameters of query and body */
  readonly asked: IssuerRequest[]
  /** the account that logs in from now on */
  account: string
  /** answers requests instead of the provider, if it returns true */
  intercept:
    | ((line: string, answer: (status: number, body: object | string, headers?: object) => void) => boolean)
    | undefined
  /** before the provider gets a request */
  beforeAnswer: ((line: string) => Promise<void>) | undefined
  /** what a token stands for; undefined if it is not valid */
  look(token: string): Promise<StoredModel | undefined>
  /** Take tokens back, as an administrator does. */
  revokeRefresh(token: string): Promise<void>
  revokeAccess(token: string): Promise<void>
  /** Forgets all clients that have registered, as issuers do after a while. */
  forgetClients(): Promise<void>
}

export interface IssuerShape {
  readonly scopes?: readonly string[]
  /** seconds */
  readonly accessTokenTtl?: number
  readonly clients?: readonly object[]
  /** documents of clients by their URL */
  readonly documents?: Readonly<Record<string, object>>
  readonly registration?: boolean
}

export async function signInIssuer(shape: IssuerShape = {}): Promise<SignInIssuer> {
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const provider = await quietProvider(
    issuer,
    configuration(shape, () => state.account),
  )
  const serve = provider.callback()
  const models = provider as unknown as Models
  const state: SignInIssuer = {
    issuer,
    requests: [],
    asked: [],
    account: 'ada',
    intercept: undefined,
    beforeAnswer: undefined,
    look: async (token) => (await models.AccessToken.find(token)) ?? (await models.ClientCredentials.find(token)),
    revokeAccess: async (token) => await (await state.look(token))?.destroy(),
    forgetClients: async () => {
      for (const { body } of state.asked) await models.Client.adapter.destroy(body.get('client_id') ?? '')
    },
    revokeRefresh: async (token) => await (await models.RefreshToken.find(token))?.destroy(),
  }
  listener.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    const line = `${request.method} ${url.pathname}`
    if (url.pathname.startsWith('/interaction/')) {
      void provider.interactionFinished(request, response, { login: { accountId: state.account }, consent: {} })
      return
    }
    state.requests.push(line)
    const asked = { line, body: new URLSearchParams(url.search) }
    state.asked.push(asked)
    const answer = (status: number, body: object | string, headers: object = {}): void => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }
    if (state.intercept?.(line, answer)) return
    // The provider reads the body itself; this only listens.
    const push = request.push.bind(request)
    let text = ''
    request.push = (chunk, encoding) => {
      if (chunk === null) for (const [name, value] of new URLSearchParams(text)) asked.body.append(name, value)
      else text += String(chunk)
      return push(chunk, encoding)
    }
    if (line === 'POST /device/auth') askFaster(response)
    const waiting = state.beforeAnswer?.(line)
    if (waiting === undefined) serve(request, response)
    else void waiting.then(() => serve(request, response))
  })
  onTestFinished(async () => {
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
  })
  return state
}

/** Without an interval, a client waits five seconds between questions. */
function askFaster(response: ServerResponse): void {
  const end = response.end.bind(response)
  response.end = ((body: string) => {
    const faster = JSON.stringify({ ...JSON.parse(String(body)), interval: 0.05 })
    response.setHeader('content-length', Buffer.byteLength(faster))
    return end(faster)
  }) as typeof response.end
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

function configuration(shape: IssuerShape, account: () => string): object {
  const { scopes = ['notes.read', 'notes.write'], accessTokenTtl = 3600, clients = [], documents = {} } = shape
  return {
    clients,
    scopes: ['openid', 'offline_access', ...scopes],
    cookies: { keys: ['a key of a test'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    fetch: async (url: string | URL) => {
      const document = documents[String(url)]
      return document === undefined ? new Response(null, { status: 404 }) : Response.json(document)
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: shape.registration ?? true },
      revocation: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      deviceFlow: {
        enabled: true,
        userCodeConfirmSource: (ctx: { body: string }, form: string) => {
          ctx.body = form
        },
        successSource: (ctx: { body: string }) => {
          ctx.body = 'done'
        },
      },
      clientIdMetadataDocument: { enabled: Object.keys(documents).length > 0, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: OidcContext, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    findAccount: (_ctx: OidcContext, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx: OidcContext, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }: OidcContext) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId ?? account(),
      })
      const asked = [...oidc.requestParamScopes].join(' ')
      grant.addOIDCScope(asked)
      for (const resource of Object.keys(oidc.resourceServers)) grant.addResourceScope(resource, asked)
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: accessTokenTtl,
      AuthorizationCode: 60,
      ClientCredentials: accessTokenTtl,
      DeviceCode: 600,
      Grant: 3600,
      Interaction: 60,
      RefreshToken: 3600,
      Session: 600,
      IdToken: 600,
    },
  }
}
