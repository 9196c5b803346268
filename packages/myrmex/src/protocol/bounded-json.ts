/**
 * Parses a message of a peer. An array or object costs far more time and memory than the two characters that it takes in the text, so
 * their number and depth are limited: 16 MB of brackets would block the process for several seconds, and writing them again for longer. The
 * same holds for the members of wide objects, which the engine keeps in hash tables, and which are sorted to be hashed.
 */

export const MAX_CONTAINERS = 1_000_000
export const MAX_LEVELS = 10_000
/** of all objects that have more than `WIDE` together */
export const MAX_WIDE_MEMBERS = 100_000
const WIDE = 1000

/** Shorter texts cannot have enough of them to matter. */
const SMALL_LENGTH = 65_536

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const [OPEN_ARRAY, OPEN_OBJECT] = [0x5b, 0x7b]
const [CLOSE_ARRAY, CLOSE_OBJECT] = [0x5d, 0x7d]

class ExcessiveMessage extends SyntaxError {}

/** The message for the peer. It repeats nothing of its text. */
export const parseFailure = (thrown: unknown): string =>
  `Parse error: ${thrown instanceof ExcessiveMessage ? thrown.message : 'not JSON'}`

/** Throws SyntaxError. */
export function parseMessage(text: string): unknown {
  if (text.length > SMALL_LENGTH && mayBeExcessive(text) && isExcessive(text)) {
    const containers = `${MAX_CONTAINERS} arrays and objects, ${MAX_LEVELS} levels`
    throw new ExcessiveMessage(`more than ${containers}, or ${MAX_WIDE_MEMBERS} members of large objects`)
  }
  return JSON.parse(text)
}

/** Whether arrays and objects are nested more deeply than this. The text may be anything: what is not JSON is found by the parser. */
export function isNestedDeeperThan(levels: number, text: string): boolean {
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at === -1) return false
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++level > levels) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) level--
  }
  return false
}

/** Nearly no text is, and a search takes a small part of the time of the count. What is in strings counts, too. */
const mayBeExcessive = (text: string): boolean =>
  hasMoreThan(MAX_LEVELS, '[', text) || hasMoreThan(MAX_LEVELS, '{', text) || hasMoreThan(MAX_WIDE_MEMBERS, ':', text)

function hasMoreThan(most: number, character: string, text: string): boolean {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    if (++count > most) return true
  }
  return false
}

/** The text may be anything: what is not JSON is found by the parser. */
function isExcessive(text: string): boolean {
  const extent = new MessageExtent()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at === -1) return false
    } else if (extent.exceedsWith(code)) return true
  }
  return false
}

class MessageExtent {
  #containers = 0
  #level = 0
  #wideMembers = 0
  /** of the open containers */
  readonly #members = new Int32Array(MAX_LEVELS + 1)

  /** Adds a character outside strings. */
  exceedsWith(code: number): boolean {
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) return this.#open()
    if (code === COLON) return this.#addMember()
    if ((code === CLOSE_ARRAY || code === CLOSE_OBJECT) && this.#level > 0) this.#level--
    return false
  }

  #open(): boolean {
    if (++this.#containers > MAX_CONTAINERS || ++this.#level > MAX_LEVELS) return true
    this.#members[this.#level] = 0
    return false
  }

  #addMember(): boolean {
    const count = (this.#members[this.#level] as number) + 1
    this.#members[this.#level] = count
    if (count > WIDE) this.#wideMembers++
    return this.#wideMembers > MAX_WIDE_MEMBERS
  }
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
