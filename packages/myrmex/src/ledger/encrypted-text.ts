/**
 * Values that must be usable again and must not be readable in the store: encrypted with AES-256-GCM under a key that is derived from the
 * ledger's key. Somebody who has the store but not the key file learns only their length.
 */
import { crypto } from '../protocol/builtin.ts'
import { ToolError } from '../protocol/errors.ts'
import type { LedgerKey } from './journal/key.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `about` says what the value belongs to, such as a run: it cannot be opened as that of anything else. */
export function encryptText(key: LedgerKey, about: string, text: string): string {
  const nonce = crypto.randomBytes(NONCE_BYTES)
  const cipher = crypto.createCipheriv(CIPHER, cipherKey(key), nonce).setAAD(Buffer.from(about))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

export function decryptText(key: LedgerKey, about: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64')
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)]
  try {
    const cipher = crypto.createDecipheriv(CIPHER, cipherKey(key), nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(about)).setAuthTag(tag)
    return cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
  } catch (error) {
    throw ToolError.of(
      'PermissionError',
      `The encrypted values of ${about} cannot be opened with key ${key.id} of this ledger. They were written with another key, or ` +
        'altered. Processes that share a ledger need the same key file.',
      null,
      { cause: error },
    )
  }
}

/** No arguments, whose hashes are stored, have this text: those begin with a brace, a quote, `undo` or `answers`. */
const cipherKey = (key: LedgerKey): Buffer => Buffer.from(key.mac('cipher key, version 1'), 'hex')
