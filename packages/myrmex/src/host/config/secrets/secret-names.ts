/** Which names of variables, headers and parameters say that their value is a secret, and which values cannot be one. */

const WORDS = new Set([
  'token',
  'tokens',
  'key',
  'keys',
  'apikey',
  'accesskey',
  'secret',
  'secrets',
  'password',
  'passwd',
  'pwd',
  'pass',
  'passphrase',
  'auth',
  'authorization',
  'bearer',
  'credential',
  'credentials',
  'cookie',
  'pat',
  'jwt',
  'signature',
])
const ENDINGS = /(token|secret|password|passwd|apikey|credentials?)$/

/** GITHUB_TOKEN, x-api-key, clientSecret; not AUTHOR and not KEYBOARD. */
export function looksSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => WORDS.has(word) || ENDINGS.test(word))
}

/** Shorter ones are found in every text by chance. */
const SHORTEST = 4
/** Where only the name says so, more is asked: AUTH=enabled and TOKEN_LIMIT=4096 are no secrets. */
const SHORTEST_GUESSED = 8

/** What may be taken out of messages without breaking them: never a word of JSON. */
export const isSecretValue = (value: string): boolean => value.length >= SHORTEST && !/^(true|false|null)$/.test(value)

export const isGuessedSecret = (value: string): boolean => value.length >= SHORTEST_GUESSED && !/^\d+$/.test(value)
