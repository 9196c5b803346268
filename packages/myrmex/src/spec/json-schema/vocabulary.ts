/**
 * The keywords that decide whether a value is accepted, and the form of each. All other keywords (title, description, default,
 * x-…) are annotations.
 */
import { isObject } from '../../protocol/json.ts'

/** The form of a keyword's value. The first three contain schemas. */
export type KeywordShape =
  | 'schema'
  | 'schemas'
  | 'map'
  | 'values'
  | 'texts'
  | 'number'
  | 'count'
  | 'text'
  | 'flag'
  | 'any'

const ALWAYS: Record<string, KeywordShape> = {
  $ref: 'text',
  type: 'any',
  nullable: 'flag',
  enum: 'values',
  const: 'any',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'text',
  format: 'text',
  formatMinimum: 'text',
  formatMaximum: 'text',
  formatExclusiveMinimum: 'text',
  formatExclusiveMaximum: 'text',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  contains: 'schema',
  minProperties: 'count',
  maxProperties: 'count',
  required: 'texts',
  properties: 'map',
  patternProperties: 'map',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  dependencies: 'any',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: it is the name of a keyword
  then: 'schema',
  else: 'schema',
}

const DRAFT_2020: Record<string, KeywordShape> = {
  ...ALWAYS,
  $dynamicRef: 'text',
  $recursiveRef: 'text',
  items: 'schema',
  prefixItems: 'schemas',
  minContains: 'count',
  maxContains: 'count',
  dependentRequired: 'any',
  dependentSchemas: 'map',
  unevaluatedProperties: 'schema',
  unevaluatedItems: 'schema',
}

/** `items` may be an array; then `additionalItems` is for the rest. */
const DRAFT_07: Record<string, KeywordShape> = { ...ALWAYS, items: 'any', additionalItems: 'schema' }

/** Keywords that contain schemas for references only. */
export const DEFINITION_KEYWORDS = ['$defs', 'definitions'] as const

const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

export const vocabularyOf = (draft07: boolean): Readonly<Record<string, KeywordShape>> =>
  draft07 ? DRAFT_07 : DRAFT_2020

export const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
/** Texts of which no two are equal. */
export const isNameList = (value: unknown): boolean =>
  Array.isArray(value) && isTexts(value) && new Set(value).size === value.length

const FITS: Record<KeywordShape, (value: unknown) => boolean> = {
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
}

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
