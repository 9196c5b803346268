/**
 * The keywords that decide whether a value is accepted, and the form of each. All other keywords (title, description, default,
 * x-…) are annotations.
 */
import { isObject, type JsonObject } from '../../protocol/json.ts'

type Vocabulary = Readonly<Record<string, KeywordShape>>

const vocabulary = (byShape: Partial<Record<KeywordShape, string>>): Vocabulary =>
  Object.fromEntries(
    Object.entries(byShape).flatMap(([shape, names]) => names.split(' ').map((name) => [name, shape as KeywordShape])),
  )

const ALWAYS = vocabulary({
  schema: 'contains additionalProperties propertyNames not if then else',
  schemas: 'allOf anyOf oneOf',
  map: 'properties patternProperties',
  values: 'enum',
  texts: 'required',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  count: 'minLength maxLength minItems maxItems minProperties maxProperties',
  text: '$ref pattern format formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum',
  flag: 'nullable uniqueItems',
  any: 'type const dependencies',
})

const DRAFT_2020: Vocabulary = {
  ...ALWAYS,
  ...vocabulary({
    schema: 'items unevaluatedProperties unevaluatedItems',
    schemas: 'prefixItems',
    map: 'dependentSchemas',
    count: 'minContains maxContains',
    text: '$dynamicRef $recursiveRef',
    any: 'dependentRequired',
  }),
}

/** `items` may be an array; then `additionalItems` is for the rest. */
const DRAFT_07: Vocabulary = { ...ALWAYS, items: 'any', additionalItems: 'schema' }

/** Keywords that contain schemas for references only. */
export const DEFINITION_KEYWORDS = ['$defs', 'definitions'] as const

const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

export const vocabularyOf = (draft07: boolean): Vocabulary => (draft07 ? DRAFT_07 : DRAFT_2020)

export const isSchema = (value: unknown): value is JsonObject | boolean => typeof value === 'boolean' || isObject(value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
/** Texts of which no two are equal. */
export const isNameList = (value: unknown): boolean =>
  Array.isArray(value) && isTexts(value) && new Set(value).size === value.length

/** The forms of a keyword's value. The first three contain schemas. */
const FITS = {
  schema: isSchema,
  schemas: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  map: (value) => isObject(value) && Object.values(value).every(isSchema),
  values: (value) => Array.isArray(value) && value.length > 0,
  texts: isTexts,
  number: (value) => typeof value === 'number',
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  any: () => true,
} satisfies Record<string, (value: unknown) => boolean>

export type KeywordShape = keyof typeof FITS

/** Further conditions of single keywords. */
const CLOSER: Readonly<Record<string, (value: never) => boolean>> = {
  type: (value: string | string[]) => [value].flat().length > 0 && [value].flat().every((type) => TYPES.includes(type)),
  multipleOf: (value: number) => value > 0,
  pattern: (value: string) => compiles(value),
  patternProperties: (value: object) => Object.keys(value).every(compiles),
  items: (value: unknown) => isSchema(value) || FITS.schemas(value),
  dependentRequired: (value: unknown) => isObject(value) && Object.values(value).every(isTexts),
  dependencies: (value: unknown) =>
    isObject(value) && Object.values(value).every((item) => isSchema(item) || isTexts(item)),
}

/** What is wrong with the value of a keyword; undefined if the validator accepts it. */
export function keywordFault(keyword: string, shape: KeywordShape, value: unknown): string | undefined {
  const fits = FITS[shape](value) && (CLOSER[keyword]?.(value as never) ?? true)
  return fits ? undefined : `${keyword} cannot be ${(JSON.stringify(value) ?? 'undefined').slice(0, 60)}`
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** The direct subschemas of a schema, each with the steps that lead to it. */
export function* subschemas(
  schema: Readonly<Record<string, unknown>>,
  draft07: boolean,
): Generator<[string[], unknown]> {
  const shapes = vocabularyOf(draft07)
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
    if (shape === 'schema') yield [[keyword], value]
    else if (shape === 'map' || shape === 'schemas' || keyword === 'dependencies') yield* within(keyword, value)
    else if (keyword === 'items' && shape === 'any') {
      if (Array.isArray(value)) yield* within(keyword, value)
      else yield [[keyword], value]
    }
  }
}

function* within(keyword: string, value: unknown): Generator<[string[], unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) if (isSchema(item)) yield [[keyword, key], item]
}
