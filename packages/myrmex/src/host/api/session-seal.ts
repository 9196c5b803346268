/**
 * How a passphrase travels to the host: encrypted with a key that is derived from the token in api.json and a nonce of the host, so that
 * another program on the host's port learns nothing from it and cannot use it again. The host proves in return that it has the token.
 * It uses nothing of Node, so it also runs in a browser.
 */
export interface SealContext {
  /** the operator's token, which only the host and the user who runs it have */
  readonly token: string
  /** of this attempt, from the host */
  readonly nonce: string
}

const ENCRYPTION = 'myrmex session passphrase'
const PROOF = 'myrmex session proof'
const IV_BYTES = 12
/** The length of the encrypted text says nothing about that of the passphrase. */
const BLOCK_BYTES = 1024

/** AES-256-GCM, base64url: the initialisation vector and the encrypted passphrase. */
export async function sealPassphrase(context: SealContext, passphrase: string): Promise<string> {
  const text = encode(JSON.stringify({ passphrase }))
  const padded = new Uint8Array(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES).fill(0x20)
  padded.set(text)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await encryptionKey(context), padded),
  )
  const all = new Uint8Array(IV_BYTES + sealed.length)
  all.set(iv)
  all.set(sealed, IV_BYTES)
  return toBase64url(all)
}

/** Undefined if it was not encrypted with this token for this nonce. */
export async function unsealPassphrase(context: SealContext, sealed: string): Promise<string | undefined> {
  try {
    const all = fromBase64url(sealed)
    const iv = all.slice(0, IV_BYTES)
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await encryptionKey(context), all.slice(IV_BYTES))
    const { passphrase } = JSON.parse(new TextDecoder().decode(text)) as { passphrase?: unknown }
    return typeof passphrase === 'string' ? passphrase : undefined
  } catch {
    return undefined
  }
}

/** Shows that the host which opened the session has the token too. HMAC-SHA-256, base64url. */
export async function sessionProof(context: SealContext, session: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await proofKey(context), encode(session))
  return toBase64url(new Uint8Array(mac))
}

export async function isSessionProof(context: SealContext, session: string, proof: string): Promise<boolean> {
  try {
    return await crypto.subtle.verify('HMAC', await proofKey(context), fromBase64url(proof), encode(session))
  } catch {
    return false
  }
}

const encryptionKey = (context: SealContext): Promise<CryptoKey> =>
  derive(context, ENCRYPTION, { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])

const proofKey = (context: SealContext): Promise<CryptoKey> =>
  derive(context, PROOF, { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify'])

type DeriveKey = Parameters<typeof crypto.subtle.deriveKey>

async function derive(
  { token, nonce }: SealContext,
  purpose: string,
  algorithm: DeriveKey[2],
  uses: DeriveKey[4],
): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', encode(token), 'HKDF', false, ['deriveKey'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: encode(nonce), info: encode(purpose) }
  return crypto.subtle.deriveKey(parameters, base, algorithm, false, uses)
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
