/** Small pieces of English and of text that messages are made of. Each exists once, here. */

/** At most `most` characters (UTF-16 units) and then `…`. A character of two units is never cut in half. */
export const clip = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, wholeAt(text, most))}…`

/** The whole text if it has at most `width` characters, else cut so that it does, with `…` at its end. */
export const fit = (text: string, width: number): string => (text.length <= width ? text : clip(text, width - 1))

/** The nearest index at or before `index` that is not between the two halves of a character. */
export const wholeAt = (text: string, index: number): number =>
  isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1)) ? index - 1 : index

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** `1 ticket`, `2 tickets`, `1,234 tickets`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  // A number below 1000 needs no locale, and loading one takes tens of milliseconds.
  `${Math.abs(count) < 1000 ? count : count.toLocaleString('en')} ${count === 1 ? one : many}`

/** ` Did you mean a, b or c?`, to be put behind a sentence; nothing if there is no name. */
export const didYouMean = (names: readonly string[]): string => {
  if (names.length < 2) return names.length === 0 ? '' : ` Did you mean ${names[0]}?`
  return ` Did you mean ${names.slice(0, -1).join(', ')} or ${names.at(-1)}?`
}

/** `a string`, `an object`: by the sound of the first letter, as far as the names of types and things go. */
export const withArticle = (noun: string): string => `${/^[aeio]|^u(?!ni|int|s)/i.test(noun) ? 'an' : 'a'} ${noun}`

/** The kind of a value, without the value: `a number`, `an array`, `undefined`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return withArticle(Array.isArray(value) ? 'array' : typeof value)
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const withFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** With a capital letter and a full stop. */
export const asSentence = (text: string): string => withFullStop(capitalise(text))

/** For places where nothing may be markup or an entity: XML and HTML texts, and chats that read `<…>` as a link. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The same for attributes too. */
export const escapeHtml = (text: string): string =>
  escapeMarkup(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/** One word of a command that a person copies into a shell. */
export const shellWord = (text: string): string =>
  /^[\w.:/@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
