/** Letters of other scripts that look like Latin ones. A word that mixes them looks like another word. */

/** Each Latin letter with those that are drawn like it. */
const LOOK: Readonly<Record<string, string>> = {
  a: 'аα',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еҽ',
  h: 'һ',
  i: 'іι',
  j: 'ј',
  k: 'κк',
  l: 'ӏ',
  n: 'ո',
  o: 'оοօ',
  p: 'рρ',
  q: 'ԛ',
  s: 'ѕ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝѡ',
  x: 'хχ',
  y: 'уγ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙ',
  J: 'Ј',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  S: 'Ѕ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'УΥ',
  Z: 'Ζ',
}

const LATIN = new Map(Object.entries(LOOK).flatMap(([latin, others]) => [...others].map((other) => [other, latin])))
const ALIKE = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu')

/** The text with look-alike letters replaced by Latin ones. */
export const latinLookalikes = (text: string): string => text.replace(ALIKE, (letter) => LATIN.get(letter) ?? letter)

/** Words that mix Latin letters with such as look like them. `Δx` and `kΩ` do not, and `ρgh` is physics. */
export const mixedWords = (text: string): string[] =>
  text.search(ALIKE) === -1 ? [] : (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter(isMixed)

function isMixed(word: string): boolean {
  const latin = word.match(/\p{Script=Latin}/gu)?.length ?? 0
  const enough = /\p{Script=Cyrillic}/u.test(word) ? 1 : 3
  return latin >= enough && word.search(ALIKE) !== -1 && /^[\p{Script=Latin}\p{M}\p{N}]+$/u.test(latinLookalikes(word))
}
