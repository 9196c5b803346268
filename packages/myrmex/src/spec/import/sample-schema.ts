/** A schema for values like a sample: the types of its members, none of them required, because one sample does not show what varies. */
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { TYPE_WORDS } from '../read/sections/type-words.ts'

/** `"count": "integer"`, but not a text that happens to be a word of its own. */
const schemaOfTypeWord = (text: string): JsonObject | undefined =>
  TYPE_WORDS.has(text.toLowerCase()) && text.length > 2 && text !== 'text'
    ? { type: TYPE_WORDS.get(text.toLowerCase()) as string }
    : undefined

const MAX_DEPTH = 20
const MAX_MEMBERS = 200

export function schemaOfSample(value: Json | undefined, depth = 0): JsonObject {
  if (value === null || value === undefined || depth > MAX_DEPTH) return {}
  if (Array.isArray(value)) {
    const items = schemaOfSample(value[0], depth + 1)
    return Object.keys(items).length === 0 ? { type: 'array' } : { type: 'array', items }
  }
  // Some samples have types in place of values.
  if (typeof value === 'string') return schemaOfTypeWord(value) ?? { type: 'string' }
  if (!isObject(value)) return { type: typeof value }
  const members = Object.entries(value as JsonObject).slice(0, MAX_MEMBERS)
  const properties = members.map(([name, member]): [string, Json] => [name, schemaOfSample(member, depth + 1)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
