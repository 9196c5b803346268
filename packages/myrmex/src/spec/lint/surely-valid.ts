/**
 * Whether a schema is one beyond doubt, told without Ajv, whose compiler takes a thousand times as long. Only a yes means
 * something: whatever is not plain 2020-12 is left to Ajv, the one judge there is. A test holds every yes against it.
 */
import { isObject, type JsonObject, resolveRef } from '../../protocol/json.ts'

export const DIALECT_2020 = 'https://json-schema.org/draft/2020-12/schema'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isAnything = (): boolean => true
const isListOfNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length

/** What each keyword without schemas in it may hold. */
const WORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: (value) => value === DIALECT_2020,
  $comment: isText,
  title: isText,
  description: isText,
  default: isAnything,
  examples: Array.isArray,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  type: (value) =>
    TYPES.has(value as string) ||
    (isListOfNames(value) && (value as string[]).every((one) => TYPES.has(one)) && (value as string[]).length > 0),
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: isAnything,
  required: isListOfNames,
  pattern: isPattern,
  format: isText,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => Number.isFinite(value) && (value as number) > 0,
  uniqueItems: isFlag,
}
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const MAPS = new Set(['properties', '$defs', 'definitions'])

function isPattern(source: unknown): boolean {
  try {
    return typeof source === 'string' && new RegExp(source, 'u') !== undefined
  } catch {
    return false
  }
}

/** Deeper or larger ones are left to Ajv. */
const DEEPEST = 40

export function isSurelyValid(root: JsonObject): boolean {
  const seen = new Set<unknown>()
  const references: string[] = []
  return visit(root, 0, seen, references) && references.every((one) => leadsOn(targetOf(root, one), seen))
}

/** One that leads to another may lead round and round. */
const leadsOn = (target: unknown, seen: ReadonlySet<unknown>): boolean =>
  seen.has(target) && isObject(target) && !Object.hasOwn(target, '$ref')

/** What a reference within the schema leads to; undefined for any that is not the plainest. */
export function targetOf(root: JsonObject, reference: string): unknown {
  return reference.includes('%') ? undefined : resolveRef(root, reference)
}

function visit(node: unknown, depth: number, seen: Set<unknown>, references: string[]): boolean {
  if (typeof node === 'boolean') return true
  if (!isObject(node) || depth > DEEPEST) return false
  seen.add(node)
  const schema = (child: unknown): boolean => visit(child, depth + 1, seen, references)
  return Object.entries(node).every(([word, value]) => {
    const holds = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
    if (holds !== undefined) return holds(value)
    if (word === '$ref') return typeof value === 'string' && references.push(value) > 0
    if (ONE_SCHEMA.has(word)) return schema(value)
    if (LISTS.has(word)) return Array.isArray(value) && value.length > 0 && value.every(schema)
    if (MAPS.has(word))
      return isObject(value) && Object.entries(value).every(([name, child]) => isOwnName(name) && schema(child))
    return word.startsWith('x-')
  })
}

/** Names that every object inherits are for Ajv to judge: it fills in their defaults in a way of its own. */
const isOwnName = (name: string): boolean => !(name in {})
