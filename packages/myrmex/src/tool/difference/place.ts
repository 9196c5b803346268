/** Places in a schema and kinds of values, as a sentence names them. */
import { isObject } from '../../protocol/json.ts'
import { named, quoted, shown } from './shown.ts'

/** A place in a schema: what it is called in a sentence, and where it is. */
export interface Place {
  /** 'parameter', 'output field' */
  readonly what: string
  /** 'a.b[]'; empty for the whole */
  readonly name: string
  readonly path: readonly PropertyKey[]
}

export const labelOf = ({ what, name }: Place): string => (name === '' ? `${what}s` : `${what} ${name}`)

export type Node = Readonly<Record<string, unknown>>
/** Types as people say them. */
export function typed(value: unknown): string {
  if (typeof value === 'string' && value !== '') return named(value)
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return value.map(named).join(' or ')
  return value === undefined ? 'any' : shown(value)
}

/** A schema in a few words: string, list of string, one of "a", "b". */
export function kindOf(schema: unknown): string {
  if (!isObject(schema)) return schema === false ? 'nothing' : 'anything'
  if (Array.isArray(schema.enum)) return `one of ${shown(schema.enum)}`
  if (Object.hasOwn(schema, 'const')) return `always ${shown(schema.const)}`
  if (schema.type === 'array') return `list of ${kindOf(schema.items)}`
  if (schema.type !== undefined) return typed(schema.type)
  if (typeof schema.$ref === 'string') return quoted(schema.$ref)
  const choice = [schema.anyOf, schema.oneOf].find(Array.isArray)
  return choice === undefined ? 'anything' : choice.slice(0, 5).map(kindOf).join(' or ')
}
