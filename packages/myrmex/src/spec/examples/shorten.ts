/** Shortens a result that would bury the page: long lists and texts are cut, and the JSON stays valid. */
import { canonical } from '../../protocol/canonical.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { fitsSchema } from '../render/sample.ts'

const MAX_LINES = 100
const MAX_LENGTH = 4000

/** From the least to the most that is cut: elements of lists for the lines, characters of texts for the length. */
const ITEMS = [20, 10, 5, 3, 2, 1]
const CHARACTERS = [600, 300, 150]

interface Cut {
  readonly items: number
  readonly characters: number
}

export interface ShortenedResult {
  readonly result: ToolResult
  readonly shortened: boolean
}

/** `schema` is that of the data: what would no longer fit it is not cut. */
export function shorten(result: ToolResult, schema: JsonObject): ShortenedResult {
  let shown = result
  let limits: Cut = { items: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY }
  const tryCut = (further: Partial<Cut>): void => {
    const next = { ...limits, ...further }
    const shorter = cut(result, next) as ToolResult
    if (shorter.data !== null && !fitsSchema(schema, shorter.data)) return
    shown = shorter
    limits = next
  }
  for (const items of ITEMS) if (linesOf(shown) > MAX_LINES) tryCut({ items })
  for (const characters of CHARACTERS) if (readableJson(shown).length > MAX_LENGTH) tryCut({ characters })
  const shortened = canonical(shown) !== canonical(result)
  return { result: shortened ? shown : result, shortened }
}

const linesOf = (result: ToolResult): number => readableJson(result).split('\n').length

function cut(value: unknown, limits: Cut): unknown {
  if (typeof value === 'string') return clip(value, limits.characters)
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => cut(item, limits))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, limits)]))
}
