/** Places in a schema and kinds of values, as a sentence names them. */
import { isObject } from '../../protocol/json.ts'
import { formatName, formatValue, quoteText } from './format.ts'

/** A place in a schema: what it is called in a sentence, and where it is. */
export interface SchemaLocation {
  /** 'parameter', 'output field' */
  readonly what: string
  /** 'a.b[]'; empty for the whole */
  readonly name: string
  readonly path: readonly PropertyKey[]
}

export const labelOf = ({ what, name }: SchemaLocation): string => (name === '' ? `${what}s` : `${what} ${name}`)

export type SchemaNode = Readonly<Record<string, unknown>>
/** Types as people say them. */
export function typeLabel(value: unknown): string {
  if (typeof value === 'string' && value !== '') return formatName(value)
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return value.map(formatName).join(' or ')
  return value === undefined ? 'any' : formatValue(value)
}

/** A schema in a few words: string, list of string, one of "a", "b". */
export function schemaLabel(schema: unknown): string {
  if (!isObject(schema)) return schema === false ? 'nothing' : 'anything'
  if (Array.isArray(schema.enum)) return `one of ${formatValue(schema.enum)}`
  if (Object.hasOwn(schema, 'const')) return `always ${formatValue(schema.const)}`
  if (schema.type === 'array') return `list of ${schemaLabel(schema.items)}`
  if (schema.type !== undefined) return typeLabel(schema.type)
  if (typeof schema.$ref === 'string') return quoteText(schema.$ref)
  const choice = [schema.anyOf, schema.oneOf].find(Array.isArray)
  return choice === undefined ? 'anything' : choice.slice(0, 5).map(schemaLabel).join(' or ')
}
