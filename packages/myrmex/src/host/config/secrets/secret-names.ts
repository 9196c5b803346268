/** Recognises names of variables, headers and parameters that hold secrets, and values that cannot be one. */

const SECRET_WORD =
  /^(tokens?|keys?|apikey|accesskey|secrets?|password|passwd|pwd|pass|passphrase|auth|authorization|bearer|credentials?|cookie|pat|jwt|signature)$/
const SECRET_ENDING = /(token|secret|password|passwd|apikey|credentials?)$/

/** True for GITHUB_TOKEN, x-api-key and clientSecret, false for AUTHOR and KEYBOARD. */
export function looksSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => SECRET_WORD.test(word) || SECRET_ENDING.test(word))
}

/** Shorter values occur in every text by chance. */
const SHORTEST = 4
/** If only the name suggests a secret the value must be longer: AUTH=enabled and TOKEN_LIMIT=4096 are none. */
const SHORTEST_GUESSED = 8

/** Whether the value can be removed from messages without breaking JSON. */
export const isSecretValue = (value: string): boolean => value.length >= SHORTEST && !/^(true|false|null)$/.test(value)

export const isGuessedSecret = (value: string): boolean => value.length >= SHORTEST_GUESSED && !/^\d+$/.test(value)
