/**
 * The address of a parcel. Callers give it as parts or as one line; it is accepted only if a carrier could use it. What is missing, such as the
 * town of a street alone, is completed from the order's own address, unless something that was given contradicts that address.
 */
import { ToolError } from 'myrmex'
import { countryCode, formatPostalCode, isCountry, postalCodeExample } from '../../countries.ts'
import type { Address } from '../../ports.ts'

type Parts = { readonly [Name in keyof Address]?: string | undefined } & {
  /** a piece of the line that is no part of an address */
  readonly unread?: string | undefined
}

export interface ResolvedAddress {
  readonly address: Address
  /** parts that were not given and are those of the order */
  readonly completed: readonly (keyof Address)[]
}

/** Without `given`, the order's own address. */
export function resolveAddress(given: string | Parts | undefined, own: Address): ResolvedAddress {
  if (given === undefined) return { address: checkAddress(own), completed: [] }
  const parts = typeof given === 'string' ? readLine(given, own) : withRecipient(given, own)
  const missing = LOCALITY.filter((part) => isBlank(parts[part]) && !isContradicted(part, parts, own))
  const spelling = LOCALITY.filter((part) => isSame(part, parts, own))
  const fromOwn = Object.fromEntries([...missing, ...spelling].map((part) => [part, own[part]]))
  const address = checkAddress({ ...parts, ...fromOwn })
  return { address, completed: missing }
}

const LOCALITY = ['city', 'postal_code', 'country'] as const

/** The town of another code and the code of another town are not known. A town that is the same is in the same country. */
function isContradicted(part: (typeof LOCALITY)[number], parts: Parts, own: Address): boolean {
  if (parts.unread !== undefined) return true
  if (part === 'country' && isSame('city', parts, own)) return false
  return LOCALITY.some((other) => !isBlank(parts[other]) && !isSame(other, parts, own))
}

const isSame = (part: keyof Address, parts: Parts, own: Address): boolean =>
  plainWords(parts[part] ?? '').join('') === plainWords(own[part]).join('')

/** The recipient is optional; by default the customer. */
const withRecipient = (given: Parts, own: Address): Parts => ({
  ...given,
  name: isBlank(given.name) ? own.name : given.name,
  country: given.country === undefined ? undefined : (countryCode(given.country) ?? given.country),
})

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

/** `123 Main St`, or `Ada Byron, 123 Main St, 10115 Berlin, Germany`: parts are separated by commas or line breaks. */
function readLine(line: string, own: Address): Parts {
  if (matchesOrderAddress(line, own)) return own
  const pieces = line
    .split(/[,;\n]+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  const last = pieces.at(-1)
  const country = pieces.length > 1 && last !== undefined ? countryCode(last) : undefined
  if (country !== undefined) pieces.pop()
  const streetAt = pieces.findIndex(
    (piece, at) => hasNumber(piece) && /\p{L}{2}/u.test(piece) && !(at > 0 && isTown(piece, country)),
  )
  const before = streetAt < 0 ? undefined : pieces[streetAt - 1]
  const after = pieces.slice(streetAt + 1)
  const dwelling = streetAt < 0 ? [] : after.filter((piece) => DWELLING.test(piece))
  const places = streetAt < 0 ? [] : after.filter((piece) => !DWELLING.test(piece))
  const { city, postal_code } = findTown(places, country)
  return {
    name: before ?? own.name,
    street: streetAt < 0 ? pieces[0] : [pieces[streetAt], ...dwelling].join(', '),
    city,
    postal_code,
    country,
    unread: places.find((piece) => ![city, postal_code].some((read) => read !== undefined && piece.includes(read))),
  }
}

/** A part of a building, which belongs to the street. */
const DWELLING = /^(?:#|(?:apt|apartment|flat|unit|suite|ste|room|floor|top|wohnung|whg)\b)/i

const hasNumber = (text: string): boolean => /\d/.test(text)

const isTown = (piece: string, country: string | undefined): boolean =>
  country !== undefined && splitTownAndCode(piece, country) !== undefined

/** `10115 Berlin`, `1012 AB Amsterdam`, `London SW1A 1AA`: a town with its code before or after it. */
function splitTownAndCode(piece: string, country: string): Pick<Parts, 'city' | 'postal_code'> | undefined {
  const words = piece.split(/\s+/)
  for (let size = Math.min(2, words.length - 1); size > 0; size--) {
    const [first, rest] = [words.slice(0, size).join(' '), words.slice(size).join(' ')]
    if (isCode(first, country) && !hasNumber(rest)) return { postal_code: first, city: rest }
    const [last, before] = [words.slice(-size).join(' '), words.slice(0, -size).join(' ')]
    if (isCode(last, country) && !hasNumber(before)) return { postal_code: last, city: before }
  }
  return undefined
}

const isCode = (text: string, country: string): boolean =>
  hasNumber(text) && formatPostalCode(text, country) !== undefined

/** An invalid postal code is returned too, so that the error can report it. */
function findTown(pieces: readonly string[], country = ''): Pick<Parts, 'city' | 'postal_code'> {
  for (const piece of pieces) {
    const found = splitTownAndCode(piece, country) ?? splitTownAndCode(piece, '')
    if (found !== undefined) return found
  }
  return { city: pieces.find((piece) => !hasNumber(piece)), postal_code: pieces.find(hasNumber) }
}

const WORDS: Readonly<Record<string, string>> = {
  street: 'st',
  road: 'rd',
  avenue: 'ave',
  lane: 'ln',
  drive: 'dr',
  square: 'sq',
  straße: 'str',
  strasse: 'str',
}

const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => WORDS[word] ?? word.replace(/(?:straße|strasse)$/u, 'str'))

/** Whether the line has the whole street and nothing that is not in the order's address. */
function matchesOrderAddress(line: string, own: Address): boolean {
  const words = plainWords(line)
  const street = plainWords(own.street)
  const all = new Set(plainWords(Object.values(own).join(' ')))
  const country = countryCode(line.split(/[,;\n]/).at(-1) ?? '')
  const said = country === own.country ? words.slice(0, -plainWords(line.split(/[,;\n]/).at(-1) ?? '').length) : words
  return street.length > 0 && street.every((word) => words.includes(word)) && said.every((word) => all.has(word))
}

const MAX_LENGTH = 120

/** Checks every part, so that one error lists all faults. */
function checkAddress(parts: Parts): Address {
  const { name = '', street = '', city = '', postal_code = '', country = '' } = parts
  const [code, land] = [tidy(postal_code).toUpperCase(), tidy(country).toUpperCase()]
  const address = {
    name: tidy(name),
    street: tidy(street),
    city: tidy(city),
    postal_code: formatPostalCode(code, land) ?? code,
    country: land,
  }
  const wrong = [...missingIn(address), ...faultsIn(address)]
  if (wrong.length === 0) return address
  throw new ToolError('InvalidAddress', `A parcel cannot be sent to this address: ${wrong.join('; ')}.`, {
    wrong,
    understood: Object.fromEntries(Object.entries(address).map(([part, text]) => [part, text.slice(0, MAX_LENGTH)])),
  })
}

const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const missingIn = (address: Address): string[] =>
  Object.entries(address)
    .filter(([, text]) => text === '')
    .map(([part]) => `the ${part.replace('_', ' ')} is missing`)

function faultsIn(address: Address): string[] {
  const { street, city, postal_code, country } = address
  const faults = Object.entries(address)
    .filter(([, text]) => hasForbiddenCharacters(text))
    .map(
      ([part]) =>
        `the ${part.replace('_', ' ')} has characters that are not allowed on a label, or is longer than ${MAX_LENGTH}`,
    )
  if (street !== '' && !(hasNumber(street) && /\p{L}{2}/u.test(street))) faults.push('the street has no house number')
  if (city !== '' && !/\p{L}{2}/u.test(city)) faults.push('the city is not a name')
  if (country !== '' && !isCountry(country))
    faults.push(`${JSON.stringify(country.slice(0, 20))} is not a country; use a code such as DE`)
  else if (postal_code !== '' && country !== '' && formatPostalCode(postal_code, country) === undefined) {
    const example = postalCodeExample(country)
    const like = example === undefined ? '' : `, which looks like ${example}`
    faults.push(`${JSON.stringify(postal_code.slice(0, 20))} is not a postal code of ${country}${like}`)
  }
  return faults
}

/** Markup, control characters and changes of text direction do not belong on a label. */
const hasForbiddenCharacters = (text: string): boolean =>
  text.length > MAX_LENGTH || /[<>{}[\]\\^`|~$%*=;]|[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|\p{Cs}|:\/\//u.test(text)
