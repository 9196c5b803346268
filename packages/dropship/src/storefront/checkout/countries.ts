/** Countries that can be ordered from: ISO 3166 codes with English names, and the postal code formats of some. */

const CODES =
  'AD AE AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ ' +
  'DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG ' +
  'KH KI KM KN KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP ' +
  'NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO ' +
  'TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

export const COUNTRIES: readonly { readonly code: string; readonly name: string }[] = CODES.split(' ')
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .sort((one, two) => one.name.localeCompare(two.name, 'en'))

export const countryName = (code: string): string | undefined =>
  COUNTRIES.find((country) => country.code === code)?.name

interface PostalCode {
  readonly pattern: RegExp
  readonly example: string
}

const DIGITS4 = /^\d{4}$/
const DIGITS5 = /^\d{5}$/

/** From the Universal Postal Union's addressing guides. */
const POSTAL_CODES: Readonly<Record<string, PostalCode>> = {
  AT: { pattern: DIGITS4, example: '1010' },
  AU: { pattern: DIGITS4, example: '2000' },
  BE: { pattern: DIGITS4, example: '1000' },
  CA: { pattern: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, example: 'K1A 0B1' },
  CH: { pattern: DIGITS4, example: '8001' },
  DE: { pattern: DIGITS5, example: '10115' },
  DK: { pattern: DIGITS4, example: '1050' },
  ES: { pattern: DIGITS5, example: '28001' },
  FI: { pattern: DIGITS5, example: '00100' },
  FR: { pattern: DIGITS5, example: '75001' },
  GB: { pattern: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, example: 'SW1A 1AA' },
  IE: { pattern: /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/i, example: 'D02 AF30' },
  IT: { pattern: DIGITS5, example: '00118' },
  NL: { pattern: /^\d{4} ?[A-Z]{2}$/i, example: '1012 AB' },
  NO: { pattern: DIGITS4, example: '0150' },
  PL: { pattern: /^\d{2}-?\d{3}$/, example: '00-001' },
  PT: { pattern: /^\d{4}-?\d{3}$/, example: '1000-001' },
  SE: { pattern: /^\d{3} ?\d{2}$/, example: '111 20' },
  US: { pattern: /^\d{5}(-\d{4})?$/, example: '10001' },
}

const ANYWHERE = /^[A-Z\d][A-Z\d -]{1,9}$/i

/** Undefined: it looks valid. Otherwise the problem, for the shopper. */
export function postalCodeProblem(code: string, country: string): string | undefined {
  const known = POSTAL_CODES[country]
  if (known === undefined)
    return ANYWHERE.test(code) ? undefined : 'Enter the postal code: letters, digits, spaces and hyphens.'
  if (known.pattern.test(code)) return undefined
  return `A postal code in ${names.of(country)} looks like ${known.example}.`
}
