/**
 * The only script of the issuer's pages: it asks the browser for a passkey and sends it as a form. Without it the pages work with
 * passphrases. passkeys.ts checks everything that it sends.
 */
export const PASSKEY_SCRIPT_PATH = '/sign-in/passkey.js'

export const PASSKEY_SCRIPT = `'use strict'
const page = document.querySelector('form[data-passkey]')
const part = document.getElementById('passkey')
const [button, note] = [part.querySelector('button'), part.querySelector('.note')]
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0))
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '')
const field = (name) => page.querySelector('[name="' + name + '"]')

const common = () => ({ challenge: bytes(field('form').value), timeout: 120000 })
const create = () => navigator.credentials.create({ publicKey: {
  ...common(),
  rp: { id: location.hostname, name: page.dataset.host },
  user: { id: bytes(page.dataset.handle), name: field('user').value, displayName: page.dataset.name },
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
} })
const get = () => navigator.credentials.get({ publicKey: { ...common(), rpId: location.hostname, userVerification: 'required' } })

function send({ id, response }) {
  const answer = { id, client_data: text(response.clientDataJSON) }
  if (response.signature) Object.assign(answer, { authenticator_data: text(response.authenticatorData), signature: text(response.signature) })
  else Object.assign(answer, {
    authenticator_data: text(response.getAuthenticatorData()),
    public_key: text(response.getPublicKey()),
    transports: response.getTransports(),
  })
  const form = document.createElement('form')
  form.method = 'post'
  for (const [name, value] of [['form', field('form').value], ['action', 'passkey'], ['passkey', JSON.stringify(answer)]]) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

if (window.PublicKeyCredential) part.hidden = false
button.addEventListener('click', async () => {
  note.hidden = true
  button.disabled = true
  try {
    send(await (page.dataset.passkey === 'create' ? create() : get()))
  } catch (error) {
    note.textContent = error.name === 'NotAllowedError' ? 'No passkey was used. Try again, or use a passphrase.' : 'This did not work: ' + error.message
    note.hidden = false
    button.disabled = false
  }
})
`
