/**
 * The part of an English word that its forms share: roast for roasts, roasted, roasting. Light on purpose: both sides of a
 * comparison go through it, so a stem need not be a word. Words of other alphabets stay as they are.
 */

const VOWEL = /[aeiouy]/

/** A text has few different words and many of each. */
const known = new Map<string, string>()
const MOST_KNOWN = 5000

export function stem(key: string): string {
  const before = known.get(key)
  if (before !== undefined) return before
  const found = stemmed(key)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, found)
  return found
}

function stemmed(key: string): string {
  const word = key.endsWith("'s") ? key.slice(0, -2) : key
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  return settled(withoutEnding(singular(word)))
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutEnding(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  for (const ending of ['ing', 'ed', 'ly']) {
    const rest = word.slice(0, -ending.length)
    if (word.endsWith(ending) && rest.length > 2 && VOWEL.test(rest)) return rest
  }
  return word
}

/** `make` and `mak(ing)`, `guarantee` and `guarante(ed)`, `stop` and `stopp(ed)` come out the same. */
function settled(word: string): string {
  let short = word
  while (short.length > 3 && short.endsWith('e')) short = short.slice(0, -1)
  const last = short.at(-1)
  return short.length > 3 && last === short.at(-2) && !VOWEL.test(last as string) ? short.slice(0, -1) : short
}
