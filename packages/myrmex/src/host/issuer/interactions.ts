/**
 * Signing in for a client: a page to say who you are, then one that shows the client, where the answer goes, and what it may do. Nothing is
 * granted without the second page, and nothing that the operator has not given to the user.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { OidcInteraction } from 'oidc-provider'
import type { Ledger } from '../../ledger/ledger.ts'
import type { UserStates } from '../../ledger/sign-in/user-states.ts'
import { principalIdOf, type User } from '../../ledger/sign-in/users.ts'
import { ToolError } from '../../protocol/errors.ts'
import { LOOPBACK_NAMES } from '../../protocol/loopback.ts'
import type { Server } from '../../server/server.ts'
import type { Principal } from '../../tool/context.ts'
import type { AddressLimit, Attempts } from './attempts.ts'
import { clientName } from './client-rules.ts'
import { cookieOf, type FormGuard, readForm } from './forms.ts'
import { SIGN_IN_PATH } from './origin.ts'
import { formTargetOf, type Html, pageHtml, redirect, sendPage } from './page.ts'
import { PASSKEY_SCRIPT_PATH } from './passkey-script.ts'
import { assertedPasskey, hasPasskeys, passkeyId } from './passkeys.ts'
import { commonScopes, openidScopesIn, scopesIn, scopeTexts } from './scope-words.ts'
import { type ClientText, consentBody, loginBody, MAX_PASSPHRASE } from './sign-in-pages.ts'

export interface InteractionParts {
  readonly server: Server
  readonly ledger: Ledger
  readonly origin: string
  readonly states: UserStates
  readonly attempts: Attempts
  /** how many passkeys an address may try */
  readonly passkeys: AddressLimit
  readonly forms: FormGuard
  /** names of the issuer's cookies */
  readonly interactionCookie: string
  readonly sessionCookie: string
  readonly addressOf: (request: IncomingMessage) => string
}

const WRONG = 'The name or the passphrase is wrong.'
const WRONG_PASSKEY = 'This host does not know this passkey, or its user may not sign in.'

export class Interactions {
  readonly #parts: InteractionParts

  constructor(parts: InteractionParts) {
    this.#parts = parts
  }

  async serve(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, forms, interactionCookie } = this.#parts
    // At once, while its body arrives.
    const reading = request.method === 'POST' ? readForm(request, origin) : undefined
    reading?.catch(() => {})
    const details = await this.#details(provider, request, response)
    const page = { provider, request, response, details, client: await clientText(provider, details) }
    const browser = cookieOf(request, `${interactionCookie}.sig`)
    if (reading === undefined) return this.#show(page, browser)
    const form = await reading
    forms.check(form, details.uid, browser)
    switch (form.get('action')) {
      case 'login':
        return this.#login(page, form, browser)
      case 'passkey':
        return this.#loginByPasskey(page, form, browser)
      case 'other':
        return this.#startAgain(page)
      case 'agree':
        return this.#agree(page)
      default:
        return provider.interactionFinished(
          request,
          response,
          { error: 'access_denied', error_description: 'The user did not agree.' },
          { mergeWithLastSubmission: false },
        )
    }
  }

  async #details(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<OidcInteraction> {
    try {
      return await provider.interactionDetails(request, response)
    } catch (cause) {
      if ((cause as { status?: number }).status === 500) throw cause
      const text =
        'This sign-in has expired, or was started in another browser. Go back to the application and start again.'
      throw ToolError.of('ValidationError', text, null, { cause })
    }
  }

  #show(page: Page, browser: string): void | Promise<void> {
    if (page.details.prompt.name !== 'consent') return this.#showLogin(page, browser, {})
    const user = this.#user(page.details)
    if (user === undefined) return this.#startAgain(page)
    const { server, forms } = this.#parts
    const { asked, granted } = chosenScopes(page.details, user)
    const principal = principalOf(user)
    const missing = asked.filter((one) => commonScopes([one], granted).length === 0)
    this.#send(
      page,
      'Allow access?',
      200,
      consentBody({
        client: page.client,
        form: forms.field(page.details.uid, browser),
        user: user.displayName === user.name ? user.name : `${user.displayName} (${user.name})`,
        granted: scopeTexts(server, principal, granted),
        missing: scopeTexts(server, principal, missing),
        profile: user.profile,
      }),
    )
  }

  #showLogin(
    page: Page,
    browser: string,
    { user = '', error, status = 200 }: { user?: string; error?: string; status?: number },
  ): void {
    const { forms, origin } = this.#parts
    const passkeys = hasPasskeys(origin)
    const form = forms.field(page.details.uid, browser)
    const body = loginBody({ client: page.client, form, user, error, hasPasskeys: passkeys })
    this.#send(page, 'Sign in', status, body, passkeys ? PASSKEY_SCRIPT_PATH : undefined)
  }

  #send({ response, details }: Page, title: string, status: number, body: Html, script?: string): void {
    const host = this.#parts.server.info.name
    sendPage(response, status, pageHtml({ title, host, body, script }), formTargetOf(details.params.redirect_uri))
  }

  async #login(page: Page, form: URLSearchParams, browser: string): Promise<void> {
    const { ledger, attempts, states, addressOf } = this.#parts
    const name = (form.get('user') ?? '').trim().toLowerCase().slice(0, 64)
    const address = addressOf(page.request)
    try {
      attempts.begin(name, address)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      page.response.setHeader('retry-after', 300)
      return this.#showLogin(page, browser, { user: name, error: error.message, status: 429 })
    }
    const isRight = await ledger.credentials.isPassphrase(name, (form.get('passphrase') ?? '').slice(0, MAX_PASSPHRASE))
    states.revision()
    // A disabled user learns no more than somebody who guesses.
    if (!isRight || states.active(name) === undefined)
      return this.#showLogin(page, browser, { user: name, error: WRONG, status: 400 })
    attempts.succeed(name, address)
    await this.#finishLogin(page, name)
  }

  async #loginByPasskey(page: Page, form: URLSearchParams, browser: string): Promise<void> {
    const { ledger, states, passkeys, forms, origin, addressOf } = this.#parts
    if (!passkeys.take(addressOf(page.request)))
      return this.#showLogin(page, browser, { error: 'Too many attempts. Wait a minute, and try again.', status: 429 })
    const answer = form.get('passkey') ?? ''
    let name: string | undefined
    try {
      const known = await ledger.credentials.passkey(passkeyId(answer))
      states.revision()
      if (known !== undefined && states.active(known.user) !== undefined) {
        const challenge = forms.value(page.details.uid, browser)
        const used = assertedPasskey(answer, known.passkey, { origin, challenge })
        if (await ledger.credentials.countPasskey(known.user, known.passkey, used)) name = known.user
      }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
    }
    if (name === undefined) return this.#showLogin(page, browser, { error: WRONG_PASSKEY, status: 400 })
    await this.#finishLogin(page, name)
  }

  /** The same request of the client, for somebody who is not signed in yet. */
  async #startAgain({ request, response, details }: Page): Promise<void> {
    const { ledger, sessionCookie, origin } = this.#parts
    await ledger.issuerRecords.remove('Session', cookieOf(request, sessionCookie))
    const gone = ['', '.sig'].map(
      (end) => `${sessionCookie}${end}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; httponly; samesite=lax`,
    )
    response.setHeader('set-cookie', gone)
    const url = new URL(`${origin}${SIGN_IN_PATH}/authorize`)
    for (const [name, value] of Object.entries(details.params))
      if (typeof value === 'string') url.searchParams.set(name, value)
    redirect(response, url.href)
  }

  /** The user has shown who it is. */
  async #finishLogin(page: Page, name: string): Promise<void> {
    const { provider, request, response, details } = page
    const { accountId } = details.session ?? {}
    if (accountId !== undefined && accountId !== name) return this.#startAgain(page)
    const login = { accountId: name, remember: true }
    await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
  }

  async #agree({ provider, request, response, details }: Page): Promise<void> {
    const user = details.prompt.name === 'consent' ? this.#user(details) : undefined
    if (user === undefined)
      throw ToolError.of('PermissionError', 'Sign in first. Go back to the application and start again.')
    const { asked, granted } = chosenScopes(details, user)
    const grant = new provider.Grant({ clientId: String(details.params.client_id), accountId: user.name })
    const openid = openidScopesIn(details.params.scope)
    if (openid.length > 0) grant.addOIDCScope(openid.join(' '))
    const rejected = asked.filter((scope) => !granted.includes(scope))
    for (const resource of resourcesOf(details)) {
      if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '))
      if (rejected.length > 0) grant.rejectResourceScope(resource, rejected.join(' '))
    }
    const grantId = await grant.save()
    if (rejected.length > 0) await this.#parts.ledger.issuerRecords.noteReduced(grantId, user.name)
    await provider.interactionFinished(request, response, { consent: { grantId } })
  }

  #user({ session }: OidcInteraction): User | undefined {
    this.#parts.states.revision()
    return session?.accountId === undefined ? undefined : this.#parts.states.active(session.accountId)
  }
}

interface Page {
  readonly provider: Provider
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly details: OidcInteraction
  readonly client: ClientText
}

const resourcesOf = ({ params: { resource } }: OidcInteraction): string[] =>
  (Array.isArray(resource) ? resource : [resource]).filter((one) => typeof one === 'string')

/** What the client asked for, and the part of it that the user may use, as it was asked for. */
function chosenScopes(details: OidcInteraction, user: User): { asked: string[]; granted: string[] } {
  const asked = scopesIn(details.params.scope)
  // A token has the scopes that were asked for. Each request decides which of them count.
  return { asked, granted: asked.filter((scope) => commonScopes([scope], user.scopes).length > 0) }
}

const principalOf = ({ name, scopes, profile }: User): Principal => ({
  ...{ id: principalIdOf(name), kind: 'bearer', scopes },
  ...(profile !== undefined && { profile }),
})

async function clientText(provider: Provider, { params }: OidcInteraction): Promise<ClientText> {
  const client = await provider.Client.find(String(params.client_id))
  const url = URL.parse(String(params.redirect_uri))
  const id = URL.parse(String(params.client_id))
  const name = clientName(client?.clientName)
  return {
    // The host of a metadata document is proven, the name in it is not.
    name: id?.protocol === 'https:' ? `${name} (${id.host})` : name,
    destination: destinationText(url),
  }
}

function destinationText(url: URL | null): string {
  if (url === null) return 'unknown'
  if (LOOPBACK_NAMES.includes(url.hostname)) return `this computer (${url.host})`
  return url.protocol === 'https:' ? url.host : `an application on this computer (${url.protocol}//${url.host})`
}
