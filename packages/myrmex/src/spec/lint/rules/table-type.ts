/**
 * Compares the type in a table cell, in the words people use (`str`, `string[]`, `"a" or "b"`), with the schema. Words that
 * are not understood are not reported.
 */
import { canonical } from '../../../protocol/canonical.ts'
import { isObject } from '../../../protocol/json.ts'
import { kindOf, kindsInWords } from '../../../schema/json-schema/kinds.ts'
import { TYPE_WORDS } from '../../read/sections/type-words.ts'
import { resolveSchema, type SchemaNode, typeInWords } from '../../schema-view.ts'

/** What a value may be. */
interface Kind {
  /** JSON types, integer among them */
  readonly types: ReadonlySet<string>
  /** canonical JSON of each allowed value, if they are listed; `more`: there are others that are not listed */
  readonly values?: ReadonlySet<string> | undefined
  readonly more?: boolean
  /** only some values are allowed, and they are not listed */
  readonly isEnum?: boolean
  /** the type of the items of an array, if given */
  readonly items?: Kind | undefined
}

/** The type in the schema, in words; undefined if both agree, or if one of them is not understood. */
export function typeDiffers(cell: string, node: SchemaNode, root: SchemaNode): string | undefined {
  const words = typeInWords(node, root)
  if (same(cell, words)) return undefined
  const stated = kindInWords(cell)
  const is = kindOfSchema(node, root, 0)
  return stated === undefined || is === undefined || agree(stated, is) ? undefined : words
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim()
const same = (a: string, b: string): boolean => spaced(a) === spaced(b)

function agree(stated: Kind, is: Kind): boolean {
  if (stated.isEnum === true) return is.values !== undefined
  if (stated.values !== undefined) {
    if (is.values === undefined) return false
    const { values } = is
    return (
      [...stated.values].every((one) => values.has(one)) && (stated.more === true || stated.values.size === values.size)
    )
  }
  // Tables often call listed integers numbers.
  const [ours, theirs] = is.values === undefined ? [stated.types, is.types] : [widened(stated.types), widened(is.types)]
  if (ours.size !== theirs.size || ![...ours].every((type) => theirs.has(type))) return false
  return stated.items === undefined || is.items === undefined || agree(stated.items, is.items)
}

const widened = (types: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...types].map((type) => (type === 'integer' ? 'number' : type)))

const LIST = [
  /^(?:an? )?(?:array|list)s? of (.+)$/i,
  /^(?:array|list)\s*<(.+)>$/i,
  /^(?:array|list)\s*\[(.+)\]$/i,
  /^\(?([^[\]]+?)\)?\[\]$/,
]
const DICTIONARY = /^(?:dict|map|record|dictionary)\s*[[<].+[\]>]$|^(?:dict|map|object|dictionary)s? of /i
const LITERAL = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|-?\d+(?:\.\d+)?|true|false|null)$/
/** Up to the next `or`, `|`, `/` or comma outside of quotation marks and brackets. */
const ALTERNATIVE = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[<[(][^<[(>\])]*[>\])]|(?!\s+or\s|\s*[|/,]).)+/gi
const MAX_LENGTH = 500

function kindInWords(cell: string): Kind | undefined {
  if (cell.length > MAX_LENGTH) return undefined
  const text = cell.replaceAll('`', '').replace(/\s+/g, ' ').trim()
  if (/^(?:string |str )?\(?enum\)?$/i.test(text)) return { types: new Set(), isEnum: true }
  // Ambiguous: "array of string or null" may mean either the items or the whole.
  const isListOfMany = /\bof\b.*\bor\b/i.test(text)
  if (isListOfMany) return undefined
  const parts = alternativesIn(text.replace(/ \((?![^()]*["'|])[^()]*\)$/, ''))
  const more = parts.some((part) => /^(?:…|\.\.\.|\d+ more)$/.test(part))
  const stated = parts.filter((part) => !/^(?:…|\.\.\.|\d+ more|)$/.test(part))
  if (stated.length === 0) return undefined
  if (stated.every((part) => LITERAL.test(part)) && !stated.every((part) => part === 'null')) {
    return { types: new Set(), values: new Set(stated.map((part) => canonical(literalValue(part)))), more }
  }
  return more ? undefined : union(stated.map(oneInWords))
}

const alternativesIn = (text: string): string[] =>
  (text.match(ALTERNATIVE) ?? []).map((part) => part.trim().replace(/^or\s+/i, ''))

function oneInWords(words: string): Kind | undefined {
  const word = words.toLowerCase()
  const type = TYPE_WORDS.get(word) ?? TYPE_WORDS.get(word.replace(/s$/, ''))
  if (type !== undefined) return { types: new Set([type]) }
  if (DICTIONARY.test(words)) return { types: new Set(['object']) }
  for (const form of LIST) {
    const inside = form.exec(words)?.[1]
    if (inside !== undefined) return { types: new Set(['array']), items: kindInWords(inside) }
  }
  return undefined
}

function union(kinds: readonly (Kind | undefined)[]): Kind | undefined {
  const types = new Set<string>()
  let items: Kind | undefined
  for (const kind of kinds) {
    if (kind === undefined) return undefined
    for (const type of kind.types) types.add(type)
    items ??= kind.items
  }
  return { types, items }
}

function literalValue(literal: string): unknown {
  try {
    return literal.startsWith("'") ? literal.slice(1, -1) : JSON.parse(literal)
  } catch {
    return literal
  }
}

const MAX_DEPTH = 5

/** The kind of value that the schema allows, if it is simple enough for a table. */
function kindOfSchema(given: unknown, root: SchemaNode, depth: number): Kind | undefined {
  const node = resolveSchema(given, root)
  if (depth > MAX_DEPTH) return undefined
  if (Object.hasOwn(node, 'const')) return valuesKind([node.const])
  if (Array.isArray(node.enum)) return valuesKind(node.enum)
  const types = typeof node.type === 'string' ? [node.type] : Array.isArray(node.type) ? node.type.map(String) : []
  if (types.length > 0) {
    const items = isObject(node.items) ? kindOfSchema(node.items, root, depth + 1) : undefined
    return { types: new Set(types), items }
  }
  const choices = [node.anyOf, node.oneOf].find(Array.isArray)
  if (choices === undefined) return isObject(node.properties) ? { types: new Set(['object']) } : undefined
  const kinds = choices.map((choice) => kindOfSchema(choice, root, depth + 1))
  if (kinds.every((kind) => kind?.values !== undefined)) {
    return valuesKind(kinds.flatMap((kind) => [...(kind?.values ?? [])].map((text) => JSON.parse(text))))
  }
  return union(kinds)
}

const valuesKind = (values: readonly unknown[]): Kind => ({
  types: new Set(values.map((value) => kindsInWords(kindOf(value)))),
  values: new Set(values.map((value) => canonical(value))),
})
