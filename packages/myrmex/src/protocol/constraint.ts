/**
 * What a schema demands of a value, in words: one sentence for each keyword of JSON Schema (and for the checks that only Zod has),
 * whichever validator found the value wrong.
 * A sentence is read after the location of the value (`/amount: must be at least 1`). It says what the schema says, and nothing of
 * the value except names of members and places in a list.
 */
import { clip, plural, withArticle } from './text.ts'

export type ConstraintParams = Readonly<Record<string, unknown>>

/** Longer lists are cut. */
const MAX_LISTED = 20
const MAX_VALUE_LENGTH = 100

export function constraintText(keyword: string, params: ConstraintParams = {}): string {
  return (SENTENCES[keyword] ?? (() => 'must fit its schema'))(params)
}

export const REQUIRED = 'is required'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  object: 'an object',
}

/** The types of a schema as nouns: `a string`, `an array`. */
export const typeNames = (type: unknown): string[] =>
  [type].flat().map((name) => TYPE_NAMES[String(name)] ?? withArticle(String(name)))

export const oneOfWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** `facebook, google, tiktok`. A text that could be mistaken for another value is quoted. */
export function valueList(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED).map(valueWord)
  return values.length <= MAX_LISTED ? shown.join(', ') : `${shown.join(', ')} and ${values.length - MAX_LISTED} more`
}

const WORD = /^(?!(?:true|false|null)$)[\p{L}_][\p{L}\p{N}_-]*$/u

const valueWord = (value: unknown): string =>
  clip(
    typeof value === 'string' && WORD.test(value) ? value : (JSON.stringify(value) ?? String(value)),
    MAX_VALUE_LENGTH,
  )

const quoted = (value: unknown): string => clip(JSON.stringify(value) ?? String(value), MAX_VALUE_LENGTH)

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a date and time such as 2026-11-16T09:30:00Z',
  date: 'a date such as 2026-11-16',
  time: 'a time such as 09:30:00Z',
  duration: 'a duration such as PT15M',
  email: 'an email address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'a URI',
  url: 'a URL',
  uuid: 'a UUID',
  regex: 'a regular expression',
  base64: 'text in Base64',
  jwt: 'a JSON Web Token',
}

type Sentence = (params: ConstraintParams) => string

const count =
  (bound: 'at least' | 'at most', one: string, many?: string): Sentence =>
  ({ limit }) =>
    bound === 'at least' && limit === 1 && one !== 'property'
      ? 'must not be empty'
      : `must have ${bound} ${plural(Number(limit), one, many)}`

const bound =
  (words: string): Sentence =>
  ({ limit }) =>
    `must be ${words} ${limit}`

const unknownMember: Sentence = ({ known }) => {
  if (!Array.isArray(known)) return 'is not a known property'
  return known.length === 0
    ? 'must not be given: no properties are allowed'
    : `is not a known property; known are ${valueList(known)}`
}

const required: Sentence = () => REQUIRED

const SENTENCES: Readonly<Record<string, Sentence>> = {
  type: ({ type }) => `must be ${oneOfWords(typeNames(type))}`,
  enum: ({ allowedValues }) => {
    const values = allowedValues as readonly unknown[]
    return values.length === 1 ? `must be ${quoted(values[0])}` : `must be one of ${valueList(values)}`
  },
  const: ({ allowedValue }) => `must be ${quoted(allowedValue)}`,
  minimum: bound('at least'),
  maximum: bound('at most'),
  exclusiveMinimum: bound('more than'),
  exclusiveMaximum: bound('less than'),
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: count('at least', 'character'),
  maxLength: count('at most', 'character'),
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => `must be ${FORMATS[String(format)] ?? `a valid ${format}`}`,
  exactLength: ({ limit }) => `must have exactly ${plural(Number(limit), 'character')}`,
  startsWith: ({ text }) => `must begin with ${quoted(text)}`,
  endsWith: ({ text }) => `must end with ${quoted(text)}`,
  includes: ({ text }) => `must contain ${quoted(text)}`,
  exactItems: ({ limit }) => `must have exactly ${plural(Number(limit), 'item')}`,
  minItems: count('at least', 'item'),
  maxItems: count('at most', 'item'),
  items: count('at most', 'item'),
  additionalItems: count('at most', 'item'),
  unevaluatedItems: count('at most', 'item'),
  uniqueItems: ({ i, j }) =>
    i === undefined
      ? 'must not have the same item twice'
      : `must not have the same item twice; items ${j} and ${i} are the same`,
  contains: ({ minContains, maxContains }) =>
    `must have at least ${minContains}${maxContains === undefined ? '' : ` and at most ${maxContains}`} of the items that the schema asks for`,
  minProperties: count('at least', 'property', 'properties'),
  maxProperties: count('at most', 'property', 'properties'),
  required,
  dependentRequired: required,
  dependencies: required,
  additionalProperties: unknownMember,
  unevaluatedProperties: unknownMember,
  propertyNames: ({ rule }) =>
    typeof rule === 'string' ? `has a name that does not fit: it ${rule}` : 'has a name that does not fit',
  'false schema': () => 'must not be given',
  oneOf: () => 'must fit exactly one of the forms that the schema lists, and fits several',
  not: () => 'must not fit the form that the schema excludes',
  if: () => 'must fit the form that the schema demands in this case',
}
