/** Countries by their ISO 3166 code or their English name, and their postal codes. */

/** Countries that can be ordered from. */
const CODES =
  'AD AE AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ ' +
  'DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG ' +
  'KH KI KM KN KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP ' +
  'NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO ' +
  'TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW'

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

export const COUNTRIES: readonly { readonly code: string; readonly name: string }[] = CODES.split(' ')
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .sort((one, two) => one.name.localeCompare(two.name, 'en'))

export const countryName = (code: string): string | undefined =>
  COUNTRIES.find((country) => country.code === code)?.name

interface PostalCodeFormat {
  /** one group for each part of a code */
  readonly pattern: RegExp
  /** belongs between the parts */
  readonly separator: string
  readonly example: string
}

/** In a format, 9 is a digit, A a letter, _ an optional space or hyphen, and each group a part. */
function toPattern(format: string): RegExp {
  const source = format.replaceAll('9', '\\d').replaceAll('A', '[A-Z]').replaceAll('_', '[ -]?')
  return new RegExp(`^${source}$`)
}

/** From the Universal Postal Union's addressing guides: format, separator, and countries with an example of each. */
const FORMATS: ReadonlyMap<string, PostalCodeFormat> = new Map(
  [
    ['(9999)', '', 'AT 1010,AU 2000,BE 1000,BG 1000,CH 8001,CY 1010,DK 1050,HU 1011,LU 1111,NO 0150,NZ 6011,SI 1000'],
    ['(99999)', '', 'DE 10115,EE 10111,ES 28001,FI 00100,FR 75001,HR 10000,IT 00118,MX 06000'],
    ['(999999)', '', 'CN 100000,RO 010011'],
    ['(999)_(999)', '', 'IN 110001'],
    ['(999)_(99)', ' ', 'CZ 110 00,GR 105 57,SE 111 20,SK 811 01'],
    ['(A9A)_(9A9)', ' ', 'CA K1A 0B1'],
    ['(AA?9(?:A|9)?)_(9AA)', ' ', 'GB SW1A 1AA'],
    ['(A9(?:9|W))_((?:A|9){4})', ' ', 'IE D02 AF30'],
    ['(9999)_(AA)', ' ', 'NL 1012 AB'],
    ['(99999)_(999)', '-', 'BR 01310-100'],
    ['(999)_(9999)', '-', 'JP 100-0001'],
    ['(?:(AA)_)?(99999)', '-', 'LT 01100'],
    ['(?:(AA)_)?(9999)', '-', 'LV LV-1010'],
    ['(99)_(999)', '-', 'PL 00-001'],
    ['(9999)_(999)', '-', 'PT 1000-001'],
    ['(99999)(?:_(9999))?', '-', 'US 10001'],
  ].flatMap(([format = '', separator = '', countries = '']) =>
    countries
      .split(',')
      .map((text) => [text.slice(0, 2), { pattern: toPattern(format), separator, example: text.slice(3) }] as const),
  ),
)

/** Postal codes of countries that are not in the table. */
const ANY_CODE = /^[A-Z0-9][A-Z0-9 -]{1,9}$/

/** The code as its country writes it, or undefined if it is not a postal code of the country. */
export function formatPostalCode(code: string, country: string): string | undefined {
  const text = code.trim().toUpperCase()
  const format = FORMATS.get(country)
  if (format === undefined) return ANY_CODE.test(text) ? text : undefined
  const parts = format.pattern.exec(text)?.slice(1)
  return parts?.filter((part) => part !== undefined).join(format.separator)
}

export const postalCodeExample = (country: string): string | undefined => FORMATS.get(country)?.example

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
