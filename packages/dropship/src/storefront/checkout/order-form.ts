/**
 * The order form: its fields, their problems, and the sealed slip that it carries through the steps. The slip holds what the shopper
 * saw and a unique key, so that sending it twice places one order and nobody else can send it.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { COUNTRIES, countryName, formatPostalCode, postalCodeExample } from '../../countries.ts'
import type { Cents } from '../../money.ts'
import type { Cart } from './cart.ts'
import type { Seal } from './seal.ts'

export const FIELDS = [
  { name: 'name', label: 'Full name', type: 'text', autocomplete: 'name', most: 100 },
  { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', most: 254 },
  { name: 'street', label: 'Street and number', type: 'text', autocomplete: 'address-line1', most: 200 },
  { name: 'postal_code', label: 'Postal code', type: 'text', autocomplete: 'postal-code', most: 12 },
  { name: 'city', label: 'City', type: 'text', autocomplete: 'address-level2', most: 100 },
  { name: 'country', label: 'Country', type: 'select', autocomplete: 'country', most: 2 },
] as const

export type FieldName = (typeof FIELDS)[number]['name']
export type OrderFields = Readonly<Record<FieldName, string>>
export type FieldProblems = Readonly<Partial<Record<FieldName, string>>>

const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i
const LETTER = /\p{L}/u
/** Characters that cannot be printed on a parcel: line breaks, direction marks, and the like. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

export function readOrderFields(form: URLSearchParams): OrderFields {
  const clean = (name: FieldName): string =>
    (form.get(name) ?? '').normalize('NFC').replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim()
  const fields = Object.fromEntries(FIELDS.map(({ name }) => [name, clean(name)])) as OrderFields
  return { ...fields, postal_code: formatPostalCode(fields.postal_code, fields.country) ?? fields.postal_code }
}

function postalCodeProblem({ postal_code, country }: OrderFields): string | undefined {
  if (formatPostalCode(postal_code, country) !== undefined) return undefined
  const example = postalCodeExample(country)
  if (example === undefined) return 'Enter the postal code: letters, digits, spaces and hyphens.'
  return `A postal code in ${countryName(country)} looks like ${example}.`
}

const CHECKS: Readonly<Record<FieldName, (filled: OrderFields) => string | undefined>> = {
  name: ({ name }) => (LETTER.test(name) ? undefined : 'Enter the name of the person who receives the parcel.'),
  email: ({ email }) => (EMAIL.test(email) ? undefined : 'Enter an email address, such as ada@example.com.'),
  street: ({ street }) => (LETTER.test(street) ? undefined : 'Enter the street and house number.'),
  city: ({ city }) => (LETTER.test(city) ? undefined : 'Enter the city.'),
  postal_code: postalCodeProblem,
  country: ({ country }) => (COUNTRIES.some(({ code }) => code === country) ? undefined : 'Choose the country.'),
}

export function fieldProblems(filled: OrderFields): FieldProblems {
  const problems: Partial<Record<FieldName, string>> = {}
  for (const { name, label, most } of FIELDS) {
    const problem = filled[name].length > most ? `${label} may have ${most} characters at most.` : CHECKS[name](filled)
    if (problem !== undefined) problems[name] = problem
  }
  return problems
}

const SlipSchema = z.object({
  shopper: z.string(),
  key: z.uuid(),
  lines: z.array(z.object({ sku: z.string(), quantity: z.number() })).min(1),
  total: z.number(),
})

export type OrderSlip = Readonly<z.infer<typeof SlipSchema>>

export const newSlip = ({ shopper, lines }: Cart, total: Cents): OrderSlip => {
  const key = randomUUID()
  return { shopper, key, lines, total }
}

export const sealSlip = (slip: OrderSlip, seal: Seal): string => seal.seal('checkout', slip)

/** Undefined: it is not ours, or another shopper's. */
export function openSlip(sealed: string, cart: Cart | undefined, seal: Seal): OrderSlip | undefined {
  const opened = SlipSchema.safeParse(seal.open('checkout', sealed))
  return opened.success && opened.data.shopper === cart?.shopper ? opened.data : undefined
}

export const addressLines = ({ name, street, postal_code, city, country }: Omit<OrderFields, 'email'>): string[] => [
  name,
  street,
  `${postal_code} ${city}`,
  countryName(country) ?? country,
]
