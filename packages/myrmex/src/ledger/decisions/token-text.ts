/**
 * The text of a token: `myx_`, 40 random letters and digits (238 bits), and a checksum of 6. Scanners for leaked secrets find it by its
 * form, and a mistyped one is recognised without a look-up.
 */
import { crypto, zlib } from '../../protocol/builtin.ts'

export const TOKEN_PREFIX = 'myx_'
const RANDOM_LENGTH = 40
const CHECK_LENGTH = 6
/** For scanners; docs/profiles.md has it too. */
export const TOKEN_PATTERN = /^myx_[0-9A-Za-z]{46}$/

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 in a byte: higher ones would make some characters likelier. */
const FAIR = 248

export function newTokenText(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH)
    for (const byte of crypto.randomBytes(RANDOM_LENGTH))
      if (byte < FAIR && random.length < RANDOM_LENGTH) random += DIGITS[byte % DIGITS.length]
  return TOKEN_PREFIX + random + checksum(random)
}

/** Whether a text has the form of a token and the checksum fits. */
export function isTokenText(text: string): boolean {
  if (!TOKEN_PATTERN.test(text)) return false
  const random = text.slice(TOKEN_PREFIX.length, -CHECK_LENGTH)
  return text.endsWith(checksum(random))
}

function checksum(random: string): string {
  let rest = zlib().crc32(random)
  let text = ''
  for (let n = 0; n < CHECK_LENGTH; n++) {
    text = DIGITS[rest % DIGITS.length] + text
    rest = Math.floor(rest / DIGITS.length)
  }
  return text
}

/** The only form in which a token is stored. It is random, so a fast hash is enough. */
export const tokenHash = (text: string): string => crypto.hash('sha256', text, 'hex')
