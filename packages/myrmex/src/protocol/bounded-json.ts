/**
 * Parses a message of a peer. An array or object costs far more time and memory than the two characters that it takes in the text, so
 * their number and depth are limited: 16 MB of brackets would block the process for several seconds, and writing them again for longer.
 */

export const MAX_CONTAINERS = 1_000_000
export const MAX_LEVELS = 10_000

/** Shorter texts cannot have enough of them to matter. */
const SMALL_LENGTH = 65_536

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_ARRAY, OPEN_OBJECT] = [0x5b, 0x7b]
const [CLOSE_ARRAY, CLOSE_OBJECT] = [0x5d, 0x7d]

class ExcessiveMessage extends SyntaxError {}

/** What the peer is told: nothing of its text. */
export const parseFailure = (thrown: unknown): string =>
  `Parse error: ${thrown instanceof ExcessiveMessage ? thrown.message : 'not JSON'}`

/** Throws SyntaxError. */
export function parseMessage(text: string): unknown {
  if (text.length > SMALL_LENGTH && hasManyBrackets(text) && isExcessive(text)) {
    throw new ExcessiveMessage(`more than ${MAX_CONTAINERS} arrays and objects, or more than ${MAX_LEVELS} levels`)
  }
  return JSON.parse(text)
}

/** Nearly no text has, and a search takes a small part of the time of the count. Brackets in strings count, too. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_LEVELS) return true
    }
  }
  return false
}

/** The text may be anything: what is not JSON is found by the parser. */
function isExcessive(text: string): boolean {
  let containers = 0
  let levels = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at === -1) return false
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++containers > MAX_CONTAINERS || ++levels > MAX_LEVELS) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) levels--
  }
  return false
}

/** The location of the quote that ends the string, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}
