/** Countries by their ISO 3166 code or their English name, and the shapes of their postal codes. */

/** Shapes of postal codes as the Universal Postal Union publishes them: 9 is a digit, A a letter. */
const COUNTRIES_BY_SHAPES: readonly (readonly [countries: string, shapes: string])[] = [
  ['AT AU BE BG CH CY DK HU LU NO NZ SI', '9999'],
  ['DE EE ES FI FR HR IT MX', '99999'],
  ['CN RO', '999999'],
  ['CZ GR SE SK', '999 99,99999'],
  ['BR', '99999-999,99999999'],
  ['CA', 'A9A 9A9,A9A9A9'],
  ['GB', 'A9 9AA,A99 9AA,AA9 9AA,AA99 9AA,A9A 9AA,AA9A 9AA,A99AA,A999AA,AA99AA,AA999AA,A9A9AA,AA9A9AA'],
  ['IE', 'A99 AAAA,A99 A9AA,A99 AA99,A99 A999,A99 AAA9,A99 9999'],
  ['IN', '999999,999 999'],
  ['JP', '999-9999,9999999'],
  ['LT', '99999,AA-99999'],
  ['LV', '9999,AA-9999'],
  ['NL', '9999 AA,9999AA'],
  ['PL', '99-999'],
  ['PT', '9999-999'],
  ['US', '99999,99999-9999'],
]
const SHAPES: ReadonlyMap<string, readonly string[]> = new Map(
  COUNTRIES_BY_SHAPES.flatMap(([countries, shapes]) =>
    countries.split(' ').map((country) => [country, shapes.split(',')] as const),
  ),
)

/** Postal codes of countries that are not in the table. */
const ANY_CODE = /^[A-Z0-9][A-Z0-9 -]{1,9}$/

const shapeOf = (code: string): string => code.replaceAll(/\d/g, '9').replaceAll(/[A-Z]/g, 'A')

export const postalCodeFits = (code: string, country: string): boolean => {
  const shapes = SHAPES.get(country)
  const text = code.trim().toUpperCase()
  return shapes === undefined ? ANY_CODE.test(text) : shapes.includes(shapeOf(text))
}

export const postalShapes = (country: string): readonly string[] => SHAPES.get(country)?.slice(0, 2) ?? []

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** Groups of countries, and codes for private use. */
const NONE = new Set(['EU', 'EZ', 'UN', 'ZZ', 'QO', 'XA', 'XB'])

/** Codes of former countries, and nicknames such as UK, have a different canonical code. */
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
