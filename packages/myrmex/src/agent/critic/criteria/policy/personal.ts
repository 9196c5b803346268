/**
 * Personal data in a text: e-mail addresses, telephone, card (Luhn) and account numbers (IBAN, mod 97). Reports
 * never show them in full. Every pattern is bounded: a long text takes linear time.
 */
import type { Passage } from '../../reading/reading.ts'
import { visibleText } from '../../reading/visible-text.ts'

export interface PersonalData {
  readonly kind: string
  readonly masked: string
}

interface Kind {
  readonly kind: string
  readonly pattern: RegExp
  /** without it there is none, and no need to look closer */
  readonly sign: RegExp
  /** tells it from others that look like it */
  readonly is?: (found: string) => boolean
  readonly mask?: (found: string) => string
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')
const ending = (text: string): string => `…${text.slice(-2)}`

const DATE = /^\d{1,2}[-/ ]\d{1,2}[-/ ]\d{2,4}$/

/** In this order: what one has found, the next does not look at. */
const KINDS: readonly Kind[] = [
  {
    kind: 'an e-mail address',
    sign: /@|[([{ ]at[)\]} ]/i,
    pattern:
      /(?<![\w.+-])[\w.+-]{1,64}(?:@| ?[([{] ?at ?[)\]}] ?| at (?=[a-z0-9-]{1,40} dot ))[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[([{] ?dot ?[)\]}] ?| dot )[\p{L}\p{N}-]{2,63}){1,4}/giu,
    mask: (found) => `${found.slice(0, 1)}…@…`,
  },
  {
    kind: 'an account number',
    sign: /[A-Z]{2}\d\d/,
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    is: isIban,
  },
  {
    kind: 'a card number',
    sign: /\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d/,
    pattern: /(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d]|[ -]\d)/g,
    is: (found) => isCard(digitsOf(found)),
  },
  {
    kind: 'a telephone number',
    sign: /\d{2}/,
    pattern:
      /(?<![\w.+-])(?:\+\d[\d ./()-]{6,20}\d|0\d{1,4}(?:(?: ?[/-] ?| )\d{2,8}){1,5}|00\d{8,13}|(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4})(?!\w)/g,
    is: (found) => digitsOf(found).length >= 8 && digitsOf(found).length <= 15 && !DATE.test(found),
  },
]

/** `allowed`: addresses and numbers that are meant to be public, such as the shop's own. */
export function personalDataIn(
  { raw, text }: Pick<Passage, 'raw' | 'text'>,
  allowed: readonly string[],
): PersonalData[] {
  const open = new Set(allowed.map(plain))
  const found = new Map<string, PersonalData>()
  // What tags hold (mailto:) is sent along with what they show.
  for (const view of raw === text ? [text] : [text, raw]) {
    let rest = view
    for (const { kind, sign, pattern, is = () => true, mask = ending } of KINDS) {
      if (!sign.test(rest)) continue
      rest = rest.replace(pattern, (match) => {
        if (!is(match)) return match
        if (!open.has(plain(match))) found.set(`${kind} ${plain(match)}`, { kind, masked: mask(match) })
        return ' '
      })
    }
  }
  return [...found.values()]
}

/** Addresses by their letters, numbers by their digits. */
function plain(text: string): string {
  const seen = visibleText(text).toLowerCase()
  return /[@a-z]/.test(seen) ? seen.replace(/\s/g, '') : seen.replace(/\D/g, '')
}

/** Ranges and lengths of the card networks; other numbers that pass Luhn by chance are not cards. */
const NETWORKS =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14})$/

function isCard(digits: string): boolean {
  if (!NETWORKS.test(digits)) return false
  let sum = 0
  for (const [place, digit] of [...digits].reverse().entries()) {
    const twice = place % 2 === 0 ? Number(digit) : Number(digit) * 2
    sum += twice > 9 ? twice - 9 : twice
  }
  return sum % 10 === 0
}

function isIban(found: string): boolean {
  const plain = found.replace(/ /g, '')
  let rest = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    for (const digit of Number.parseInt(sign, 36).toString()) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}
