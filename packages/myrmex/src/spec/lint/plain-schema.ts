/**
 * Whether a schema is certainly valid 2020-12, decided without Ajv, whose compiler takes a thousand times as long. Only "yes"
 * is meaningful: every other schema is left to Ajv. A property test compares the answers with Ajv's.
 */
import { isObject, type JsonObject, resolveRef } from '../../protocol/json.ts'
import {
  DEFINITION_KEYWORDS,
  isNameList,
  keywordFault,
  subschemas,
  vocabularyOf,
} from '../../schema/json-schema/vocabulary.ts'

/** Keywords whose meaning depends on nothing outside of them. */
const PLAIN = new Set(
  (
    'type enum const required pattern format minLength maxLength minItems maxItems uniqueItems minimum maximum' +
    ' exclusiveMinimum exclusiveMaximum multipleOf items prefixItems properties additionalProperties propertyNames' +
    ' anyOf oneOf allOf not'
  ).split(' '),
)

const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'

/** Keywords that only describe. Ajv checks their form, too. */
const ANNOTATIONS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: (value) => value === 'https://json-schema.org/draft/2020-12/schema',
  $comment: isText,
  title: isText,
  description: isText,
  default: () => true,
  examples: Array.isArray,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
}

const MAX_DEPTH = 40

export function isPlainSchema(root: JsonObject): boolean {
  const seen = new Set<unknown>()
  const references: string[] = []
  return (
    isPlain(root, 0, seen, references) &&
    references.every((reference) => isPlainTarget(resolveRef(root, reference), seen))
  )
}

/** A reference to a reference may be a cycle. */
const isPlainTarget = (target: unknown, seen: ReadonlySet<unknown>): boolean =>
  seen.has(target) && isObject(target) && !Object.hasOwn(target, '$ref')

function isPlain(node: unknown, depth: number, seen: Set<unknown>, references: string[]): boolean {
  if (typeof node === 'boolean') return true
  if (!isObject(node) || depth > MAX_DEPTH) return false
  seen.add(node)
  if (!Object.entries(node).every(([keyword, value]) => isPlainKeyword(keyword, value))) return false
  if (typeof node.$ref === 'string') references.push(node.$ref)
  const definitions = DEFINITION_KEYWORDS.flatMap((keyword) => Object.values(node[keyword] ?? {}))
  return [...[...subschemas(node, false)].map(([, child]) => child), ...definitions].every((child) =>
    isPlain(child, depth + 1, seen, references),
  )
}

function isPlainKeyword(keyword: string, value: unknown): boolean {
  // Percent signs in references may be escapes.
  if (keyword === '$ref') return typeof value === 'string' && !value.includes('%')
  if (Object.hasOwn(ANNOTATIONS, keyword)) return ANNOTATIONS[keyword]?.(value) === true
  const isMap = keyword === 'properties' || (DEFINITION_KEYWORDS as readonly string[]).includes(keyword)
  // Ajv fills in the defaults of names that every object inherits, such as constructor, in its own way.
  if (isMap && !(isObject(value) && Object.keys(value).every((name) => !(name in {})))) return false
  if (isMap) return keywordFault(keyword, 'map', value) === undefined
  if ((keyword === 'required' || (keyword === 'type' && Array.isArray(value))) && !isNameList(value)) return false
  const shape = PLAIN.has(keyword) ? vocabularyOf(false)[keyword] : undefined
  return shape === undefined ? keyword.startsWith('x-') : keywordFault(keyword, shape, value) === undefined
}
