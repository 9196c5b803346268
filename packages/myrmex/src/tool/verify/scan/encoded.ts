/** Finds text that is encoded inside a text: base64, hexadecimal digits, ROT13, and words written without spaces. Linear time. */
import { conceptsOfWord, isKnownWord } from './concepts.ts'

export interface EncodedText {
  readonly how: 'base64' | 'hexadecimal digits' | 'ROT13' | 'words without spaces' | 'reversed text'
  readonly says: string
}

/** Long enough to say something; shorter runs are ids and names. */
const BASE64 = /[A-Za-z0-9+/_-]{16,4096}={0,2}/g
const HEX = /(?:[0-9a-fA-F]{2}){10,2048}|(?:\b(?:0x)?[0-9a-fA-F]{2}[ ,:]){8,512}/g
const MAX_RUNS = 50

export function encodedTexts(text: string): EncodedText[] {
  const found: EncodedText[] = []
  for (const run of first(text, HEX)) {
    const says = Buffer.from(run.replaceAll(/0x|[^0-9a-f]/gi, ''), 'hex').toString()
    if (isReadable(says)) found.push({ how: 'hexadecimal digits', says })
  }
  for (const run of first(text, BASE64)) {
    // A path or a long name has one case; its bytes come out as noise anyway.
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue
    const says = Buffer.from(run, 'base64').toString()
    if (isReadable(says)) found.push({ how: 'base64', says })
  }
  const turned = rot13(text)
  if (turned !== undefined) found.push({ how: 'ROT13', says: turned })
  const backwards = reversed(text)
  if (backwards !== undefined) found.push({ how: 'reversed text', says: backwards })
  const spaced = withSpaces(text)
  if (spaced !== undefined) found.push({ how: 'words without spaces', says: spaced })
  return found
}

const first = (text: string, pattern: RegExp): string[] => (text.match(pattern) ?? []).slice(0, MAX_RUNS)

/** Hashes, keys and images do not decode to words. */
export const isReadable = (text: string): boolean =>
  text.length >= 10 &&
  !text.includes('\ufffd') &&
  /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u.test(text) &&
  (/ \S/.test(text) || /[{[]"/.test(text))

/** The commonest English words, as ROT13 writes them. */
const ROT13_SIGNS =
  /\b(?:gur|naq|lbh|lbhe|lbhef|hfre|vafgehpgvbaf|vafgehpgvba|vtaber|cerivbhf|flfgrz|cebzcg|frnq|fraq|ernq|svyr|gbby|orsber|abg|sbyybj|nyy|cnff|pnyy|zhfg)\b/gi

function rot13(text: string): string | undefined {
  if ((text.match(ROT13_SIGNS) ?? []).length < 3) return undefined
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

const REVERSED_SIGNS =
  /\b(?:eht|dna|ruoy|resu|snoitcurtsni|noitcurtsni|erongi|suoiverp|metsys|tpmorp|dnes|daer|elif|loot|erofeb|ton|wollof|drager)\b/gi

function reversed(text: string): string | undefined {
  if ((text.match(REVERSED_SIGNS) ?? []).length < 3) return undefined
  return [...text].reverse().join('')
}

/** `ignoreallpreviousinstructions`, as spaced-out letters leave it. */
const LONG_WORD = /\b[a-z]{14,200}\b/gi
const GLUE = new Set(
  'the a an all any of to and or in on for with this that is are be from by it your you not do'.split(' '),
)

function withSpaces(text: string): string | undefined {
  const parted = first(text, LONG_WORD).flatMap((word) => segmented(word.toLowerCase()) ?? [])
  return parted.length === 0 ? undefined : parted.join('. ')
}

const MAX_WORD = 16
const isWord = (word: string): boolean => GLUE.has(word) || (word.length > 2 && conceptsOfWord(word).length > 0)

/** Splits a run of letters into known words, if it has at least three and nothing is left over. */
function segmented(run: string): string | undefined {
  if (isKnownWord(run)) return undefined
  // best[i]: the length of the last word of a split of the first i letters into as few words as possible.
  const words = new Int32Array(run.length + 1).fill(-1)
  const last = new Int32Array(run.length + 1)
  words[0] = 0
  for (let end = 1; end <= run.length; end++) {
    for (let length = 1; length <= Math.min(MAX_WORD, end); length++) {
      const before = words[end - length] as number
      if (before === -1 || !isWord(run.slice(end - length, end))) continue
      if (words[end] === -1 || before + 1 < (words[end] as number)) {
        words[end] = before + 1
        last[end] = length
      }
    }
  }
  if ((words[run.length] as number) < 3) return undefined
  const parts: string[] = []
  for (let end = run.length; end > 0; end -= last[end] as number)
    parts.unshift(run.slice(end - (last[end] as number), end))
  return parts.join(' ')
}
