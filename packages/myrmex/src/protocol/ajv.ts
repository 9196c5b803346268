/**
 * Ajv, set up once for all users: 2020-12 or draft-07, formats asserted, nothing fetched, nothing printed. It is loaded on first
 * use and shared if that is safe: creating an instance costs as much as compiling several schemas.
 */
import { createRequire } from 'node:module'
import { replaceKeywords } from './ajv-keywords.ts'
import type { JsonObject } from './json.ts'

export type AjvIssue = { instancePath: string; keyword: string; params: Record<string, unknown>; message?: string }
export type AjvCheck = ((value: unknown) => boolean) & { errors?: AjvIssue[] | null }
export interface Ajv {
  compile(schema: object): AjvCheck
  validateSchema(schema: object): unknown
  removeSchema(schema: object): unknown
  errors?: AjvIssue[] | null
}

const JSON_SCHEMA_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DIALECTS: Readonly<Record<string, string>> = {
  [JSON_SCHEMA_2020]: 'ajv/dist/2020.js',
  'http://json-schema.org/draft-07/schema': 'ajv',
}
export const KNOWN_DIALECTS: readonly string[] = Object.keys(DIALECTS)

export const dialectOf = ({ $schema }: JsonObject): string =>
  typeof $schema === 'string' ? $schema.replace(/#$/, '') : JSON_SCHEMA_2020

const shared = new Map<string, Ajv>()
/** Ajv keeps these beyond the schema that has them, so such a schema gets its own instance. */
const REMEMBERED = /"\$(?:id|anchor|dynamicAnchor)"/

/**
 * Undefined: an unsupported dialect. On the input side defaults are filled in. `every` issue is collected for documents only: a
 * value of a caller may have millions.
 */
export function withAjv<T>(
  schema: JsonObject,
  side: 'input' | 'output',
  work: (ajv: Ajv) => T,
  issues: 'first' | 'every' = 'every',
): T | undefined {
  const dialect = dialectOf(schema)
  const file = Object.hasOwn(DIALECTS, dialect) ? DIALECTS[dialect] : undefined
  if (file === undefined) return undefined
  const key = `${file} ${side} ${issues}`
  const own = REMEMBERED.test(JSON.stringify(schema))
  const ajv = own ? makeAjv(file, side, issues) : (shared.get(key) ?? makeAjv(file, side, issues))
  // If the work throws, the instance is in an unknown state and is not reused.
  if (!own) shared.delete(key)
  const done = work(ajv)
  if (own) return done
  ajv.removeSchema(schema)
  shared.set(key, ajv)
  return done
}

function makeAjv(file: string, side: 'input' | 'output', issues: 'first' | 'every'): Ajv {
  const require = createRequire(import.meta.url)
  const { default: Ajv, _ } = require(file) as typeof import('ajv')
  const addFormats = require('ajv-formats') as { default: (ajv: object) => void }
  // No schema is ever fetched: loadSchema is absent, so a $ref to the network fails to compile.
  const ajv = new Ajv({
    allErrors: issues === 'every',
    strict: false,
    validateFormats: true,
    useDefaults: side === 'input',
    // Inherited names, such as constructor, do not count as properties.
    ownProperties: true,
    logger: false,
  })
  addFormats.default(ajv)
  replaceKeywords(ajv, _)
  return ajv as unknown as Ajv
}
