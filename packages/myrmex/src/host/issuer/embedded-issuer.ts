/**
 * Sign-in of a host with the embedded issuer: whom its tokens admit, and its pages and endpoints under /sign-in. Tokens can be verified
 * before the host listens. The issuer itself is loaded after that, or by the first request that needs it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { Ledger } from '../../ledger/ledger.ts'
import { UserStates } from '../../ledger/sign-in/user-states.ts'
import type { JwtPolicy } from '../../pipeline/rules/policy.ts'
import { httpStatusOf, ToolError } from '../../protocol/errors.ts'
import { log } from '../../server/log.ts'
import type { Server } from '../../server/server.ts'
import { addressReader, networkOf } from '../../transport/http/forwarded.ts'
import type { TokenAdmission } from '../../transport/http/guard.ts'
import { moduleScopes } from '../../transport/http/module-scopes.ts'
import type { Pages } from '../../transport/http/pages.ts'
import { pathOf } from '../../transport/http/reply.ts'
import type { SignInConfig } from '../config/sign-in-schema.ts'
import { AddressLimit, Attempts } from './attempts.ts'
import { FormGuard } from './forms.ts'
import { Interactions } from './interactions.ts'
import { InvitationPage } from './invitation-page.ts'
import { issuerKeys, publicKeyOf, SIGNING_ALGORITHM } from './issuer-keys.ts'
import { cookieNames, INVITATION_PATH, SIGN_IN_PATH } from './origin.ts'
import { pageHtml, STYLE_PATH, securityHeaders, sendPage, sendText } from './page.ts'
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_PATH } from './passkey-script.ts'
import { openProvider } from './provider.ts'
import { messageBody } from './sign-in-pages.ts'
import { STYLE } from './style.ts'
import { tokenAdmission } from './token-admission.ts'

export interface EmbeddedIssuerOptions {
  readonly server: Server
  readonly ledger: Ledger
  readonly config: SignInConfig
  /** see signInOrigin */
  readonly origin: string
  readonly trustProxy?: readonly string[] | undefined
  /** fetches the metadata documents of clients; for tests */
  readonly fetch?: typeof fetch
}

export interface EmbeddedIssuer {
  readonly tokens: TokenAdmission
  readonly pages: Pages
  /** Loads the issuer, so that the first person does not wait for it. Throws if it is not installed. */
  load(): Promise<void>
  close(): void
}

const METADATA: ReadonlySet<string> = new Set([
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
])
const CONTINUE = `${SIGN_IN_PATH}/continue/`
const REGISTER = `${SIGN_IN_PATH}/register`
const AUTHORIZE = `${SIGN_IN_PATH}/authorize`
/** Its router would also take other spellings, for which our limits and settings by path do not hold. */
const OF_ISSUER = new RegExp(`^${SIGN_IN_PATH}/(?:authorize(?:/[\\w-]+)?|token|register|revoke|keys)$`)

/** Registrations and metadata documents of an address in a minute; each costs the host a row or a request. */
const REGISTRATIONS = 20
/** Sign-ins that clients of an address start in a minute; each costs the host a row. */
const STARTS = 60
/** Links have 256 random bits, and signatures cannot be guessed: this only keeps work away. */
const LINKS = 60

export async function openEmbeddedIssuer(options: EmbeddedIssuerOptions): Promise<EmbeddedIssuer> {
  const { server, ledger, config, origin, trustProxy } = options
  const audience = `${origin}/mcp`
  const keys = await issuerKeys(ledger.issuerRecords)
  const onFailure = (thrown: unknown): void => log.error({ thrown }, 'the users cannot be read')
  const states = new UserStates(ledger.users, ledger.issuerRecords, onFailure)
  await states.start()
  const jwt = {
    ...{ issuer: origin, audience, scope_claim: 'scope', scope_prefix: '', algorithms: [SIGNING_ALGORITHM] },
    jwks: { keys: [publicKeyOf(keys.signing)] },
  } as unknown as JwtPolicy
  const offered = (): readonly string[] => moduleScopes(server)
  const readAddress = addressReader(trustProxy)
  const addresses = new WeakMap<IncomingMessage, string>()
  const addressOf = (request: IncomingMessage): string => addresses.get(request) ?? 'unknown'
  const host = server.info.name
  const forms = new FormGuard(keys.forms)
  const registrations = new AddressLimit(REGISTRATIONS)
  const starts = new AddressLimit(STARTS)
  const cookies = cookieNames(origin)
  const errorPage = (title: string, text: string): string => pageHtml({ title, host, body: messageBody(text) })
  let opened: Promise<Provider> | undefined
  const provider = (): Promise<Provider> => {
    opened ??= openProvider({
      ...{ ledger, config, origin, audience, keys, states, offered, errorPage },
      mayRegister: ({ req }) => registrations.take(addressOf(req)),
      ...(options.fetch !== undefined && { fetch: options.fetch }),
    })
    return opened
  }
  const interactions = new Interactions({
    ...{ server, ledger, origin, states, forms, addressOf },
    interactionCookie: cookies.interaction,
    sessionCookie: cookies.session,
    attempts: new Attempts(),
    passkeys: new AddressLimit(LINKS),
  })
  const invitations = new InvitationPage({
    ledger,
    origin,
    audience,
    host,
    forms,
    addressOf,
    links: new AddressLimit(LINKS),
  })

  const answer = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (path === STYLE_PATH) return sendText(response, 'text/css', STYLE)
    if (path === PASSKEY_SCRIPT_PATH) return sendText(response, 'text/javascript', PASSKEY_SCRIPT)
    if (path.startsWith(INVITATION_PATH))
      return invitations.serve(path.slice(INVITATION_PATH.length), request, response)
    if (path.startsWith(CONTINUE)) return interactions.serve(await provider(), request, response)
    if (!OF_ISSUER.test(path) && !METADATA.has(path)) throw ToolError.of('ResourceNotFound', 'There is no such page.')
    if (path === AUTHORIZE && !starts.take(addressOf(request)))
      throw ToolError.of('ApiLimitExceeded', 'Too many sign-ins were started. Wait a minute, and start again.')
    if (path === REGISTER && isAnsweredPreflight(request, response)) return
    const issuer = (await provider()).callback()
    for (const [name, value] of Object.entries(securityHeaders())) response.setHeader(name, value)
    await issuer(request, response)
  }
  return {
    tokens: tokenAdmission(jwt, states),
    pages: {
      hasToken: true,
      has: (path) => path.startsWith(`${SIGN_IN_PATH}/`) || METADATA.has(path),
      async serve(request, response) {
        const path = pathOf(request)
        addresses.set(request, networkOf(readAddress(request)))
        setTarget(request, origin)
        try {
          await answer(path, request, response)
        } catch (thrown) {
          if (!(thrown instanceof ToolError) || response.headersSent) throw thrown
          const status = httpStatusOf(thrown.error_type) ?? 500
          sendPage(response, status, errorPage('That did not work', thrown.message))
        }
      },
    },
    load: async () => void (await provider()),
    close: () => states.stop(),
  }
}

/**
 * oidc-provider lets web clients use all its endpoints but registration. Which origins may send anything is decided before: those that the
 * operator named, and pages of this machine.
 */
function isAnsweredPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.origin === undefined) return false
  response.setHeader('access-control-allow-origin', headers.origin)
  response.setHeader('vary', 'Origin')
  if (method !== 'OPTIONS') return false
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
  })
  response.end()
  return true
}

/** As the client addressed it by the configured URL. Proxies and clients may claim another address, which is ignored. */
function setTarget({ headers }: IncomingMessage, origin: string): void {
  for (const name of Object.keys(headers))
    if (name.startsWith('x-forwarded-') || name === 'forwarded') delete headers[name]
  const { host, protocol } = new URL(origin)
  headers.host = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
}
