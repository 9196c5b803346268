/** The page behind an invitation: its user chooses a passphrase or makes a passkey. The link works once, and only somebody who has it sees the page. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Invitation } from '../../ledger/sign-in/invitations.ts'
import type { User } from '../../ledger/sign-in/users.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { AddressLimit } from './attempts.ts'
import { type FormGuard, readForm } from './forms.ts'
import { pageHtml, sendPage } from './page.ts'
import { PASSKEY_SCRIPT_PATH } from './passkey-script.ts'
import { hasPasskeys, registeredPasskey, userHandle } from './passkeys.ts'
import { doneBody, invitationBody, passphraseFault } from './sign-in-pages.ts'

export interface InvitationParts {
  readonly ledger: Ledger
  readonly origin: string
  /** where clients connect */
  readonly audience: string
  readonly host: string
  readonly forms: FormGuard
  /** how many links an address may try */
  readonly links: AddressLimit
  readonly addressOf: (request: IncomingMessage) => string
}

const GONE =
  'This invitation was used, has expired, or was replaced by a newer one. Ask the operator of this host for a new one.'

export class InvitationPage {
  readonly #parts: InvitationParts

  constructor(parts: InvitationParts) {
    this.#parts = parts
  }

  async serve(code: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, forms, links, addressOf, ledger } = this.#parts
    const reading = request.method === 'POST' ? readForm(request, origin) : undefined
    reading?.catch(() => {})
    if (!links.take(addressOf(request)))
      throw ToolError.of('ApiLimitExceeded', 'Too many attempts. Wait a minute, and try again.')
    const { invitation, user } = await this.#find(code)
    if (reading === undefined) return this.#show(response, code, invitation, user)
    const form = await reading
    forms.check(form, invitation.id, code)
    if (form.get('action') === 'passkey') return this.#takePasskey(response, code, invitation, user, form)
    const passphrase = form.get('passphrase') ?? ''
    const fault =
      passphraseFault(passphrase, user.name) ??
      (passphrase === form.get('again') ? undefined : 'The two passphrases differ. Type them again.')
    if (fault !== undefined) return this.#show(response, code, invitation, user, fault)
    if ((await ledger.invitations.use(code)) === undefined) throw ToolError.of('ResourceNotFound', GONE)
    await ledger.credentials.setPassphrase(user.name, passphrase)
    this.#done(response, user)
  }

  async #takePasskey(
    response: ServerResponse,
    code: string,
    invitation: Invitation,
    user: User,
    form: URLSearchParams,
  ): Promise<void> {
    const { ledger, origin, forms } = this.#parts
    const challenge = forms.value(invitation.id, code)
    const passkey = registeredPasskey(form.get('passkey') ?? '', { origin, challenge })
    if ((await ledger.credentials.passkey(passkey.id)) !== undefined)
      throw ToolError.of('ValidationError', 'This passkey is known already. Create a new one.')
    if ((await ledger.invitations.use(code)) === undefined) throw ToolError.of('ResourceNotFound', GONE)
    await ledger.credentials.setPasskey(user.name, passkey)
    this.#done(response, user)
  }

  async #find(code: string): Promise<{ invitation: Invitation; user: User }> {
    const { invitations, users } = this.#parts.ledger
    const invitation = await invitations.find(code)
    const user = invitation && (await users.find(invitation.user_name))
    if (invitation === undefined || user?.status !== 'active' || !user.isSigned)
      throw ToolError.of('ResourceNotFound', GONE)
    return { invitation, user }
  }

  #show(response: ServerResponse, code: string, { id, expires_at }: Invitation, user: User, error?: string): void {
    const form = this.#parts.forms.field(id, code)
    const expires = `${new Date(expires_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const { host, origin } = this.#parts
    const passkey = hasPasskeys(origin) ? { handle: userHandle(user.name), host } : undefined
    const body = invitationBody({ user: user.name, displayName: user.displayName, expires, form, error, passkey })
    const script = passkey && PASSKEY_SCRIPT_PATH
    const text = pageHtml({ title: 'Your invitation', host, body, script })
    sendPage(response, error === undefined ? 200 : 400, text)
  }

  #done(response: ServerResponse, user: User): void {
    const body = doneBody(user.name, this.#parts.audience)
    sendPage(response, 200, pageHtml({ title: 'You are all set', host: this.#parts.host, body }))
  }
}
