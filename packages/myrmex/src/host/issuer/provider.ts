/**
 * The issuer: oidc-provider, set up for MCP clients. It is loaded here, when the first page or request of the issuer needs it.
 *
 * - OAuth 2.1: authorization code with PKCE (S256), public clients, `iss` in answers, resource indicators, rotating refresh tokens.
 * - Access tokens are JWTs (RFC 9068) for one resource of this host, and name the hash of their grant.
 * - A scope is offered if it is a pattern of tools. Whether a user gets it is decided on the page that asks (interactions.ts), and again with
 *   every request (token-admission.ts).
 */
import type Provider from 'oidc-provider'
import type { errors, OidcClient, OidcContext, OidcGrant } from 'oidc-provider'
import type { Ledger } from '../../ledger/ledger.ts'
import { loadOptional } from '../../ledger/optional-packages.ts'
import { hashOf } from '../../ledger/sign-in/issuer-records.ts'
import type { UserStates } from '../../ledger/sign-in/user-states.ts'
import { LOOPBACK_NAMES } from '../../protocol/loopback.ts'
import { log } from '../../server/log.ts'
import type { SignInConfig } from '../config/sign-in-schema.ts'
import { PUBLIC_CLIENT, redirectFault, registration } from './client-rules.ts'
import { type IssuerKeys, SIGNING_ALGORITHM } from './issuer-keys.ts'
import { cookieNames, SIGN_IN_PATH } from './origin.ts'
import { ProviderStore } from './provider-store.ts'
import { scopesIn } from './scope-words.ts'
import { isOwnResource } from './token-admission.ts'

export interface ProviderParts {
  readonly ledger: Ledger
  readonly config: SignInConfig
  readonly origin: string
  /** the resource that tokens are for, unless they are for a profile */
  readonly audience: string
  readonly keys: IssuerKeys
  readonly states: UserStates
  /** the scopes that clients are offered now */
  readonly offered: () => readonly string[]
  /** Answers with a page that says what went wrong. */
  readonly errorPage: (title: string, text: string) => string
  /** Throws if this address asks for too much. */
  readonly mayRegister: (ctx: OidcContext) => boolean
  /** Fetches metadata documents of clients; default: fetch, not from addresses of private networks. */
  readonly fetch?: typeof fetch
}

const HOUR_S = 3600
const INTERACTION_S = 600

export async function openProvider(parts: ProviderParts): Promise<Provider> {
  const oidc = await loadOptional('Signing in (host.sign_in)', ['oidc-provider'], () =>
    quietly(() => import('oidc-provider')),
  )
  const provider = await quietly(async () => new oidc.default(parts.origin, configuration(parts, oidc.errors)))
  // How the request came is in headers that sign-in.ts sets from the configured URL.
  provider.proxy = true
  provider.use((ctx, next) => adapted(ctx, next, parts))
  for (const event of [
    'server_error',
    'authorization.error',
    'grant.error',
    'registration_create.error',
    'revocation.error',
  ])
    provider.on(event, (_ctx: OidcContext, error: Error) => logFault(event, error))
  return provider
}

/** Mistakes of clients are not the operator's concern. */
function logFault(event: string, error: Error & { statusCode?: number; error_description?: string }): void {
  const isOurs = event === 'server_error' || (error.statusCode ?? 500) >= 500
  log[isOurs ? 'error' : 'debug']({ event, reason: error.error_description ?? error.message }, 'sign-in failed')
}

async function adapted(
  ctx: OidcContext,
  next: () => Promise<void>,
  { offered, origin, errorPage }: ProviderParts,
): Promise<void> {
  const isStart = ctx.path === `${SIGN_IN_PATH}/authorize` && ctx.method === 'GET'
  // A client that names no scope wants what there is.
  if (isStart && ctx.query.scope === undefined) ctx.query = { ...ctx.query, scope: offered().join(' ') || 'openid' }
  // A page that sends a form by a script, or a fragment: nothing that MCP clients use.
  if (isStart && ctx.query.response_mode !== undefined && ctx.query.response_mode !== 'query') {
    const { response_mode: _, ...query } = ctx.query
    ctx.query = query
  }
  await next()
  const target = isStart ? URL.parse(ctx.response.get('location')) : null
  if (target !== null && target.origin !== origin && !LOOPBACK_NAMES.includes(target.hostname)) {
    // An error. Everybody can register a client, so a link to us would be one to wherever its author likes.
    ctx.remove('location')
    ctx.status = 400
    const { error, error_description: text } = Object.fromEntries(target.searchParams)
    showError(ctx, errorPage, text ?? error ?? 'the request is invalid')
  }
  if (!ctx.path.startsWith('/.well-known/')) return
  const body = ctx.body as Record<string, unknown>
  ctx.body = {
    ...body,
    response_modes_supported: ['query'],
    scopes_supported: [...new Set([...(body.scopes_supported as string[]), ...offered()])],
  }
}

function configuration(parts: ProviderParts, faults: typeof errors): object {
  const { ledger, config, keys, states, audience, offered, errorPage, mayRegister } = parts
  const { records, days } = { records: ledger.issuerRecords, days: 24 * HOUR_S }
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true }
  return {
    adapter: (kind: string) =>
      new ProviderStore(
        records,
        kind,
        () => new faults.InvalidGrant('it was used at the same time by another request'),
      ),
    jwks: { keys: [keys.signing] },
    clients: [],
    clientDefaults: PUBLIC_CLIENT,
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access'],
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    clientBasedCORS: () => true,
    cookies: {
      keys: [keys.cookies],
      names: cookieNames(parts.origin),
      long: cookie,
      short: cookie,
    },
    routes: Object.fromEntries(Object.entries(ROUTES).map(([name, path]) => [name, `${SIGN_IN_PATH}/${path}`])),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx: OidcContext, client: OidcClient, token: { clientId?: string }) =>
          token.clientId === client.clientId,
      },
      registration: {
        enabled: config.registration,
        issueRegistrationAccessToken: false,
        idFactory: (ctx: OidcContext) => registered(ctx),
      },
      clientIdMetadataDocument: {
        enabled: config.metadata_documents,
        ack: 'draft-02',
        allowFetch: (ctx: OidcContext) => mayRegister(ctx),
        allowClient: (_ctx: OidcContext, { redirectUris }: OidcClient) =>
          redirectUris.every((uri) => redirectFault(uri, config.redirect_schemes) === undefined),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx: OidcContext, resource: string) => {
          if (!isOwnResource(resource, audience)) throw new faults.InvalidTarget('the resource is not of this host')
          return {
            scope: knownScopes(ctx, offered()).join(' '),
            audience: resource,
            accessTokenTTL: config.access_token_minutes * 60,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: SIGNING_ALGORITHM } },
          }
        },
      },
    },
    extraTokenClaims: (_ctx: OidcContext, { grantId = '' }: { grantId?: string }) => ({ grant: hashOf(grantId) }),
    issueRefreshToken: (_ctx: OidcContext, client: OidcClient) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    findAccount: (_ctx: OidcContext, name: string) => {
      states.revision()
      return states.active(name) && { accountId: name, claims: () => ({ sub: name }) }
    },
    interactions: { url: (_ctx: OidcContext, { uid }: { uid: string }) => `${SIGN_IN_PATH}/continue/${uid}` },
    loadExistingGrant: (ctx: OidcContext) => grantOf(ctx),
    renderError: (
      ctx: OidcContext,
      { error, error_description: text = '' }: { error: string; error_description?: string },
    ) => showError(ctx, errorPage, text === '' ? error : text),
    ttl: {
      AccessToken: config.access_token_minutes * 60,
      AuthorizationCode: 60,
      Grant: config.refresh_token_days * days,
      IdToken: HOUR_S,
      Interaction: INTERACTION_S,
      RefreshToken: config.refresh_token_days * days,
      Session: config.session_hours * HOUR_S,
    },
    ...(parts.fetch !== undefined && { fetch: parts.fetch }),
  }

  /** Called before the client is checked: what it sent is replaced by what it gets. */
  function registered(ctx: OidcContext): string {
    if (!mayRegister(ctx)) throw new faults.InvalidRequest('too many registrations; try again in a minute')
    const checked = registration(ctx.oidc.body ?? {}, config.redirect_schemes)
    if ('fault' in checked) throw new faults.InvalidClientMetadata(checked.fault)
    ctx.oidc.body = checked.metadata
    return `c-${hashOf(crypto.randomUUID()).slice(0, 22)}`
  }
}

const ROUTES = {
  authorization: 'authorize',
  token: 'token',
  registration: 'register',
  revocation: 'revoke',
  jwks: 'keys',
}

function showError(ctx: OidcContext, errorPage: ProviderParts['errorPage'], text: string): void {
  ctx.type = 'html'
  ctx.body = errorPage('This sign-in cannot go on', `${sentence(text)} Go back to the application and start again.`)
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** A resource accepts the scopes that are offered, and narrower ones that were asked for. */
function knownScopes({ oidc: { params, entities } }: OidcContext, offered: readonly string[]): string[] {
  const asked = [params?.scope, entities.AuthorizationCode?.scope, entities.RefreshToken?.scope]
  return [...new Set([...offered, ...asked.flatMap(scopesIn)])]
}

/** Only what the user has just agreed to: each sign-in of a client has a grant of its own, which can be revoked alone. */
async function grantOf({ oidc }: OidcContext): Promise<OidcGrant | undefined> {
  const id = oidc.result?.consent?.grantId
  if (id === undefined) return undefined
  return oidc.provider.Grant.find(id)
}

/** It writes hints for its developers to the console: to ours they are of no use, and stdout is not its own. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console
  const note = (...words: unknown[]): void => log.debug({ words: words.map(String) }, 'oidc-provider')
  Object.assign(console, { warn: note, info: note })
  try {
    return await work()
  } finally {
    Object.assign(console, { warn, info })
  }
}
