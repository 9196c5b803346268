/**
 * The words of a text or of a name, in lower case: `listOpenIssues` and `list_open_issues` are three words. Accents are removed.
 * Scripts without spaces between words are cut into pairs of characters.
 */

export const SCRIPT_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const RUN_WITHOUT_SPACES = new RegExp(`${SCRIPT_WITHOUT_SPACES.source}+`, 'gu')

/** Where one word of a name ends and the next begins: openIssue, HTTPServer. */
const CAMEL_CASE = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
const WORD = /[\p{L}\p{N}]+/gu
const MARKS = /\p{M}+/gu

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
const ASCII = /^[\x00-\x7f]*$/
const ASCII_CAPITAL_INSIDE = /[a-zA-Z0-9][A-Z]/
const ASCII_CAMEL_CASE = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g
const ASCII_WORD = /[a-z0-9]+/g

export function splitWords(text: string): string[] {
  // Nearly every text is ASCII, and this way takes a third of the time.
  if (ASCII.test(text)) {
    const separated = ASCII_CAPITAL_INSIDE.test(text) ? text.replace(ASCII_CAMEL_CASE, ' ') : text
    return separated.toLowerCase().match(ASCII_WORD) ?? []
  }
  const words: string[] = []
  const plain = text.normalize('NFKC').replace(CAMEL_CASE, ' ').normalize('NFD').replace(MARKS, '').toLowerCase()
  for (const [run] of plain.matchAll(WORD)) {
    const rest = run.replace(RUN_WITHOUT_SPACES, (characters) => {
      words.push(...pairs(characters))
      return ' '
    })
    if (rest === run) words.push(run)
    else words.push(...rest.split(' ').filter((word) => word !== ''))
  }
  return words
}

function pairs(text: string): string[] {
  const characters = [...text]
  if (characters.length < 3) return [text]
  return characters.slice(1).map((character, before) => `${characters[before]}${character}`)
}

/** `a, b and c` */
export const listInWords = (items: readonly string[], last: 'and' | 'or' = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
