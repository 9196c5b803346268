/** Countries by their ISO 3166 code or their English name, and the shapes of their postal codes. */

/** As the Universal Postal Union publishes them for its members; a digit is 9, a letter A. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  AT: ['9999'],
  AU: ['9999'],
  BE: ['9999'],
  BG: ['9999'],
  BR: ['99999-999', '99999999'],
  CA: ['A9A 9A9', 'A9A9A9'],
  CH: ['9999'],
  CN: ['999999'],
  CY: ['9999'],
  CZ: ['999 99', '99999'],
  DE: ['99999'],
  DK: ['9999'],
  EE: ['99999'],
  ES: ['99999'],
  FI: ['99999'],
  FR: ['99999'],
  GB: [
    'A9 9AA',
    'A99 9AA',
    'AA9 9AA',
    'AA99 9AA',
    'A9A 9AA',
    'AA9A 9AA',
    'A99AA',
    'A999AA',
    'AA99AA',
    'AA999AA',
    'A9A9AA',
    'AA9A9AA',
  ],
  GR: ['999 99', '99999'],
  HR: ['99999'],
  HU: ['9999'],
  IE: ['A99 AAAA', 'A99 A9AA', 'A99 AA99', 'A99 A999', 'A99 AAA9', 'A99 9999'],
  IN: ['999999', '999 999'],
  IT: ['99999'],
  JP: ['999-9999', '9999999'],
  LT: ['99999', 'AA-99999'],
  LU: ['9999'],
  LV: ['9999', 'AA-9999'],
  MX: ['99999'],
  NL: ['9999 AA', '9999AA'],
  NO: ['9999'],
  NZ: ['9999'],
  PL: ['99-999'],
  PT: ['9999-999'],
  RO: ['999999'],
  SE: ['999 99', '99999'],
  SI: ['9999'],
  SK: ['999 99', '99999'],
  US: ['99999', '99999-9999'],
}

/** What a code of a country that is not in the table may look like at all. */
const ANY_CODE = /^[A-Z0-9][A-Z0-9 -]{1,9}$/

const shapeOf = (code: string): string => code.replaceAll(/\d/g, '9').replaceAll(/[A-Z]/g, 'A')

export const postalCodeFits = (code: string, country: string): boolean => {
  const shapes = SHAPES[country]
  const text = code.trim().toUpperCase()
  return shapes === undefined ? ANY_CODE.test(text) : shapes.includes(shapeOf(text))
}

export const postalShapes = (country: string): readonly string[] => SHAPES[country]?.slice(0, 2) ?? []

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** Groups of countries, and codes that are kept for private use. */
const NONE = new Set(['EU', 'EZ', 'UN', 'ZZ', 'QO', 'XA', 'XB'])

/** Codes of countries that are no more, and nicknames such as UK, have another canonical one. */
const canonical = (code: string): string | undefined => new Intl.Locale(`und-${code}`).region

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !NONE.has(code) && names.of(code) !== undefined && canonical(code) === code

let byName: Map<string, string> | undefined

/** `Germany`, `germany`, `DE`, `USA`: the code, if it is a country. */
export function countryCode(text: string): string | undefined {
  const plain = text.trim().replaceAll('.', '')
  const code = plain.toUpperCase()
  if (isCountry(code)) return code
  if (code === 'UK') return 'GB'
  byName ??= countryNames()
  return byName.get(plain.toLowerCase())
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

function countryNames(): Map<string, string> {
  const codes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(isCountry)
  const found = new Map(codes.map((code) => [(names.of(code) ?? '').toLowerCase(), code]))
  for (const [name, code] of [
    ['usa', 'US'],
    ['great britain', 'GB'],
    ['england', 'GB'],
    ['holland', 'NL'],
  ] as const)
    found.set(name, code)
  return found
}
