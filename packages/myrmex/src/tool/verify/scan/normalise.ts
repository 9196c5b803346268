/**
 * Brings a text into the form that the rules are written for: compatibility forms, look-alike letters and invisible characters
 * resolved, entities and escapes decoded, words joined that were broken over lines or spaced out, formatting removed. Linear time.
 */
import { withoutHidden } from '../../text/hidden-characters.ts'
import { latinLookalikes } from '../lookalikes.ts'

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

const fromCode = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) =>
        name === undefined
          ? fromCode(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10))
          : (ENTITIES[String(name).toLowerCase()] ?? whole),
      )
    : text

/** `\u0069\u0067` and `\x69\x67`, as JSON or a script would write them. */
const decodeEscapes = (text: string): string =>
  text.includes('\\')
    ? text
        .replace(/\\u\{?([\da-f]{4,6})\}?|\\x([\da-f]{2})/gi, (_, long, short) =>
          fromCode(Number.parseInt(long ?? short, 16)),
        )
        .replace(/\\n/g, '\n')
    : text

/** `%69%67%6e`: three or more in a row, so that a format string stays what it is. */
const decodePercent = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[\da-f]{2}){3,}/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    : text

/** `i g n o r e`, `i.g.n.o.r.e`: single letters with the same separator between them. Two or more spaces part words. */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:([ ._*-])\p{L})(?:\1\p{L}){2,}(?![\p{L}\p{N}])/gu

/** What a reader sees: nothing encoded, nothing hidden, no look-alikes. */
export const visibleForm = (text: string): string =>
  latinLookalikes(withoutHidden(decodePercent(decodeEscapes(decodeEntities(text)))).normalize('NFKC'))

/** Letters without their accents. Only English is matched by its words, and English has none. */
const withoutAccents = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? text
        .normalize('NFD')
        .replace(/(?<=[a-z])[\u0300-\u036f]+/gi, '')
        .normalize('NFC')
    : text

export function normalise(text: string): string {
  return (
    withoutAccents(visibleForm(text))
      .replace(/[“”„‟″]/g, '"')
      .replace(/[‘’‚‛′]/g, "'")
      // A word that is broken over two lines.
      .replace(/(?<=[a-z])-\r?\n[ \t]{0,20}(?=[a-z])/g, '')
      .replace(SPACED, (run) => run.replaceAll(/[ ._*-]/g, ''))
      .replace(/\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~/g, '')
      .replace(/(?<!\w)__(?=\w)|(?<=\w)__(?!\w)/g, '')
      .replace(/<!--|-->/g, '\n\n')
  )
}

const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }

/** The word that digits for letters spell, if the word has both. */
export const unleet = (word: string): string | undefined =>
  word.length > 2 && /[a-z]/.test(word) && /[013457@$]/.test(word)
    ? word.replaceAll(/[013457@$]/g, (sign) => LEET[sign] as string)
    : undefined
