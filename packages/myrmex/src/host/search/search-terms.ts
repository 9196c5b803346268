/**
 * Texts as the words that tools are found by: `listOpenIssues` and `list_open_issues` are three, plurals and endings count as
 * the same word, and scripts that leave no room between words are taken two characters at a time.
 */

/** Where one word of a name ends and the next begins: openIssue, HTTPServer. */
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
const WORD = /[\p{L}\p{N}]+/gu
const MARKS = /\p{M}+/gu
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** They stand in every description, and in every question that a model asks. */
const EVERYWHERE = new Set(
  (
    'a an and any are as at be by can do does find for from get has have how i if in into is it its me my need not of on or ' +
    'our some that the their them then there these this to tool tools use used using want we what when which will with you your'
  ).split(' '),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
const ASCII = /^[\x00-\x7f]*$/
const CAPITAL_WITHIN = /[a-zA-Z0-9][A-Z]/
const ASCII_HUMPS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g
const ASCII_WORD = /[a-z0-9]+/g

/** Every word of a text, in order, as it is indexed and looked for. */
export function splitWords(text: string): string[] {
  // Nearly every text is this, and it takes a third of the time.
  if (ASCII.test(text)) {
    const parted = CAPITAL_WITHIN.test(text) ? text.replace(ASCII_HUMPS, ' ') : text
    return parted.toLowerCase().match(ASCII_WORD) ?? []
  }
  const words: string[] = []
  const plain = text.normalize('NFKC').replace(HUMPS, ' ').normalize('NFD').replace(MARKS, '').toLowerCase()
  for (const [run] of plain.matchAll(WORD)) {
    const rest = run.replace(NO_SPACES, (pieces) => {
      words.push(...pairs(pieces))
      return ' '
    })
    if (rest === run) words.push(run)
    else words.push(...rest.split(' ').filter((word) => word !== ''))
  }
  return words
}

/** A word without its ending; undefined for one that says nothing. */
export function toTerm(word: string): string | undefined {
  if (EVERYWHERE.has(word)) return undefined
  // Only as far as it takes that two forms of a word meet: what is left need not be one.
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 5 && word.endsWith('ed')) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length < 4 || !word.endsWith('s') || /[sui]s$/.test(word)) return word
  return word.slice(0, /(?:s|x|ch|sh)es$/.test(word) ? -2 : -1)
}

function pairs(pieces: string): string[] {
  const characters = [...pieces]
  if (characters.length < 3) return [pieces]
  return characters.slice(1).map((character, before) => `${characters[before]}${character}`)
}
