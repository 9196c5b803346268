/**
 * Characters that a model reads and a person does not see: zero-width ones, direction controls, tag characters, variation
 * selectors used as data. What a script or an emoji needs to look right is not among them.
 */

export interface HiddenCharacter {
  /** in UTF-16 units, as `text[index]` counts */
  readonly index: number
  readonly character: string
  readonly kind: string
}

/** Scripts with joining letters, which need characters that control the joining. */
const JOINING = [
  ...'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu'.split(' '),
  ...'Kannada Malayalam Sinhala Mongolian Khmer'.split(' '),
].map((script) => String.raw`\p{Script=${script}}`)

/** Sequences in which such characters are legitimate. */
const ORDINARY = [
  String.raw`\r?\n`,
  String.raw`\t`,
  String.raw`\p{RGI_Emoji}`,
  String.raw`\p{Emoji}[\ufe0e\ufe0f]`,
  // A variant of a Chinese character, or of a mathematical sign.
  String.raw`\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`\p{Sm}\ufe00`,
  String.raw`(?<=[${JOINING.join('')}])[\u200c\u200d]`,
]

/** Arabic signs that are drawn although they count as format characters. */
const DRAWN = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`
const UNSEEN = String.raw`[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]--[${DRAWN}]]`

let made: RegExp | undefined
/** Compiled on first use, because that takes tens of milliseconds and plain texts do not need it. */
function scan(): RegExp {
  made ??= new RegExp(`${ORDINARY.join('|')}|(${UNSEEN})`, 'gv')
  return made
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const MARKS = /[\u061c\u200e\u200f]/

/** Most texts have only these characters. */
const PLAIN = /^[ -~\t\n]*$/

export function hiddenIn(text: string): HiddenCharacter[] {
  if (PLAIN.test(text)) return []
  const found: HiddenCharacter[] = []
  const marksAreFine = RIGHT_TO_LEFT.test(text)
  for (const match of text.matchAll(scan())) {
    const character = match[1]
    if (character === undefined || (marksAreFine && MARKS.test(character))) continue
    found.push({ index: match.index, character, kind: kindOf(character) })
  }
  return found
}

const KINDS: readonly [RegExp, string][] = [
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/u, 'direction control'],
  [/\p{Cc}/u, 'control character'],
  [/[\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u, 'tag character'],
  [/\p{Variation_Selector}/u, 'variation selector'],
  [/\p{Co}/u, 'private-use character'],
  [/\p{Cs}/u, 'half of a character'],
  [/[\p{Zl}\p{Zp}]/u, 'line separator'],
]

const kindOf = (character: string): string =>
  KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? 'zero-width character'

/** On one line, with everything a person would not see written out. */
export const escapeHidden = (text: string): string =>
  PLAIN.test(text)
    ? text.replaceAll('\t', '\\t').replaceAll('\n', '\\n')
    : text.replace(scan(), (whole: string, unseen: string | undefined) => {
        if (unseen !== undefined) return `\\u{${codePointOf(unseen).toString(16)}}`
        return whole === '\t' ? '\\t' : whole.replace('\r', '\\r').replace('\n', '\\n')
      })

export const withoutHidden = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(scan(), (whole: string, unseen: string | undefined) => (unseen === undefined ? whole : ''))

/** What tag characters or variation selectors spell, if they spell anything. */
export function spelledByHidden(hidden: readonly HiddenCharacter[]): string | undefined {
  const bytes = hidden.map(({ character }) => byteOf(codePointOf(character))).filter((byte) => byte !== undefined)
  const text = String.fromCharCode(...bytes.slice(0, 200))
  return /^[\x20-\x7e\s]{3,}$/.test(text) ? text : undefined
}

function byteOf(code: number): number | undefined {
  if (code >= 0xe0020 && code <= 0xe007e) return code - 0xe0000
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00
  return code >= 0xe0100 && code <= 0xe01ef ? code - 0xe0100 + 16 : undefined
}

export const codePointOf = (character: string): number => character.codePointAt(0) as number

/** `U+200B` */
export const codePointName = (character: string): string =>
  `U+${codePointOf(character).toString(16).toUpperCase().padStart(4, '0')}`
