/** Letters of other scripts that look like Latin ones. A word that mixes them looks like another word. */

/** Each Latin letter, followed by those that are drawn like it. */
const ALIKE_GROUPS = [
  ...'aаα cсϲ dԁ eеҽ hһ iіι jј kκк lӏ nո oоοօ pрρ qԛ sѕ uυս vνѵ wԝѡ xхχ yуγ'.split(' '),
  ...'AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YУΥ ZΖ'.split(' '),
]

const LATIN = new Map(ALIKE_GROUPS.flatMap(([latin = '', ...others]) => others.map((other) => [other, latin])))
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
