/** The words of the pages: to sign in, to agree to what a client may do, and to choose what to sign in with. */

import { plural } from '../../protocol/text.ts'
import { type Html, html } from './page.ts'
import type { ScopeText } from './scope-words.ts'

/** Who asks, as the user should know it. The name is what the client says about itself; where the answer goes is proven. */
export interface ClientText {
  readonly name: string
  /** the host, or this machine */
  readonly destination: string
}

export const MIN_PASSPHRASE = 12
export const MAX_PASSPHRASE = 500

const problem = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="note bad" role="alert">${text}</p>`

const clientFacts = ({ name, destination }: ClientText): Html =>
  html`<dl class="facts"><dt>Application</dt><dd>${name}</dd><dt>Sends you back to</dt><dd>${destination}</dd></dl>`

export interface LoginText {
  readonly client: ClientText
  readonly form: Html
  readonly user?: string
  readonly error?: string | undefined
  readonly hasPasskeys: boolean
}

export const loginBody = ({ client, form, user = '', error, hasPasskeys }: LoginText): Html => html`
<p>An application wants to use tools of this host in your name.</p>
${clientFacts(client)}
${problem(error)}
<form method="post" autocomplete="on"${hasPasskeys && html` data-passkey="get"`}>
${form}
<input type="hidden" name="action" value="login">
<label for="user">Name</label>
<input id="user" name="user" type="text" value="${user}" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="64" required${user === '' && html` autofocus`}>
<label for="passphrase">Passphrase</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="current-password" maxlength="${MAX_PASSPHRASE}" required${user !== '' && html` autofocus`}>
<div class="actions"><button class="wide">Sign in</button></div>
</form>
${
  hasPasskeys &&
  html`<div id="passkey" hidden><p class="or">or</p><div class="actions"><button type="button" class="quiet wide">Use a passkey</button></div><p class="note bad" role="alert" hidden></p></div>`
}
<p class="hint">No account? Ask the operator of this host for an invitation.</p>`

export interface ConsentText {
  readonly client: ClientText
  readonly form: Html
  readonly user: string
  readonly granted: readonly ScopeText[]
  /** what was asked for and the user does not have */
  readonly missing: readonly ScopeText[]
  readonly profile: string | undefined
}

const SHOWN_TOOLS = 50

const scopeItem = ({ words, tools }: ScopeText): Html => html`<li><b>${words}</b>
${
  tools.length === 0
    ? html`<span class="hint">No tools of this kind now.</span>`
    : html`<details><summary>${plural(tools.length, 'tool')}</summary><ul>${tools.slice(0, SHOWN_TOOLS).map((name) => html`<li><code>${name}</code></li>`)}${tools.length > SHOWN_TOOLS && html`<li>and ${tools.length - SHOWN_TOOLS} more</li>`}</ul></details>`
}
</li>`

export const consentBody = ({ client, form, user, granted, missing, profile }: ConsentText): Html => html`
<p>You are signed in as <strong>${user}</strong>. Agree only if you have just started this in <strong>${client.name}</strong>.</p>
${clientFacts(client)}
<h2>It will be able to</h2>
${
  granted.length === 0
    ? html`<p class="note wait">Nothing: you may use none of the tools that it asks for. Ask the operator of this host.</p>`
    : html`<ul class="scopes">${granted.map(scopeItem)}</ul>`
}
${profile !== undefined && html`<p class="hint">Only with the tools of the profile ${profile}.</p>`}
${
  missing.length > 0 &&
  html`<p class="note">Not included, because you may not use it: ${missing.map(({ scope }) => scope).join(', ')}. Ask the operator of this host.</p>`
}
<p class="hint">Calls that change something may still need the operator’s approval. The operator can end this at any time.</p>
<form method="post">
${form}
<div class="actions">
${granted.length > 0 && html`<button name="action" value="agree">Agree</button>`}
<button class="quiet" name="action" value="deny">Cancel</button>
<button class="link" name="action" value="other">Use another account</button>
</div>
</form>`

export interface InvitationText {
  readonly user: string
  readonly displayName: string
  readonly expires: string
  readonly form: Html
  readonly error?: string | undefined
  /** undefined: this host has no passkeys */
  readonly passkey?: { readonly handle: string; readonly host: string } | undefined
}

export const invitationBody = ({ user, displayName, expires, form, error, passkey }: InvitationText): Html => html`
<p>Welcome, <strong>${displayName}</strong>. Choose what you sign in with. This link works once, until ${expires}.</p>
${problem(error)}
<form method="post"${passkey !== undefined && html` data-passkey="create" data-handle="${passkey.handle}" data-host="${passkey.host}" data-name="${displayName}"`}>
${form}
<label for="user">Your name here</label>
<input id="user" name="user" type="text" value="${user}" autocomplete="username" readonly>
<label for="passphrase">Passphrase</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="new-password" minlength="${MIN_PASSPHRASE}" maxlength="${MAX_PASSPHRASE}" aria-describedby="rule" required autofocus>
<p class="hint" id="rule">At least ${MIN_PASSPHRASE} characters. Four or more random words are easy to remember and hard to guess.</p>
<label for="again">The same passphrase again</label>
<input id="again" name="again" type="password" autocomplete="new-password" maxlength="${MAX_PASSPHRASE}" required>
<div class="actions"><button class="wide">Save the passphrase</button></div>
</form>
${
  passkey !== undefined &&
  html`<div id="passkey" hidden><p class="or">or</p><div class="actions"><button type="button" class="quiet wide">Create a passkey instead</button></div><p class="note bad" role="alert" hidden></p></div>`
}`

export const doneBody = (user: string, url: string): Html => html`
<p>You can sign in as <strong>${user}</strong> now. Add this address to your client, and sign in when it asks:</p>
<p class="note"><code>${url}</code></p>
<p class="hint">You can close this page.</p>`

export const messageBody = (text: string): Html => html`<p>${text}</p>`

const COMMON =
  /^(?:(.)\1*|(?:0?123456789|1234567890|qwertyuiop|qwertzuiop|abcdefghijkl|password|passphrase|passwort|letmein|welcome|myrmex|correct ?horse ?battery ?staple)+[\d!. ]*)$/i

/** Why a passphrase is too easy to guess; undefined if it is not. */
export function passphraseFault(passphrase: string, user: string): string | undefined {
  const length = [...passphrase].length
  if (length < MIN_PASSPHRASE) return `Use at least ${MIN_PASSPHRASE} characters; this has ${length}.`
  if (passphrase.length > MAX_PASSPHRASE) return `Use at most ${MAX_PASSPHRASE} characters.`
  const rest = passphrase.toLowerCase().replaceAll(user.toLowerCase(), '')
  if (new Set(passphrase).size < 5 || COMMON.test(passphrase.trim()) || [...rest].length < MIN_PASSPHRASE / 2)
    return 'This is easy to guess. Use four or more random words.'
  return undefined
}
