/**
 * English words without their endings, so that forms of one word compare as equal: `negotiations`, `negotiating` and
 * `negotiate` have one stem. Both sides of a comparison must be stemmed, because a stem need not be a word.
 *
 * There is one stemmer for planning, tool search, the critic and the shop's tickets. The tickets' model is trained on these
 * stems: after a change run `node packages/dropship/training/train.ts` and compare the accuracy that it prints.
 */

const IRREGULAR = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
  ['series', 'series'],
  ['news', 'news'],
])

/** `suppliers` is `supplier`, `boxes` is `box`, `status` stays. Expects lower case. */
export function singular(word: string): string {
  const known = IRREGULAR.get(word)
  if (known !== undefined) return known
  if (/(ss|us|is)$/.test(word) || word.length < 3) return word
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ses|xes|zes|ches|shes)$/.test(word) && !/(ases|uses|izes|ises|oses|ices)$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

const cache = new Map<string, string>()
const MAX_CACHED = 20_000

export function stem(word: string): string {
  let known = cache.get(word)
  if (known === undefined) {
    known = withoutSuffixes(word.toLowerCase().replace(/'s$/, ''))
    if (cache.size < MAX_CACHED) cache.set(word, known)
  }
  return known
}

/** Longer endings first. */
const ENDINGS = 'ations ation ating ated ate ators ator ingly edly ing ed ments ment ions ion ly'.split(' ')

function withoutSuffixes(word: string): string {
  const one = singular(word)
  if (word.length < 4) return one
  return unified(withoutEnding(one.replace(/ied$/, 'y').replace(/sis$/, 's')))
}

/** The rest must have at least three letters and a vowel: `sing` and `red` have no ending. */
function withoutEnding(word: string): string {
  for (const ending of ENDINGS) {
    const rest = word.slice(0, -ending.length)
    if (word.endsWith(ending) && rest.length >= 3 && /[aeiouy]/.test(rest)) return rest
  }
  return word
}

/** `make` and `mak(ing)`, `stop` and `stopp(ed)`, `analyse` and `analyze`, `deliver` and `delivery` become the same. */
const unified = (word: string): string =>
  word
    .replace(/(?<=.{3})e+$/, '')
    .replace(/([iy])s$/, '$1z')
    .replace(/([bdfglmnprt])\1$/, '$1')
    .replace(/(.{6})y$/, '$1')
    .replace(/y$/, 'i')
