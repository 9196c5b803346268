/** What the words about a field say beyond its type: its default, the values it may have, the range of a number. */
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { DocumentField } from '../document.ts'
import { fitsType } from './type-schema.ts'

/** Longer descriptions are not searched. */
const MAX_WORDS = 2000
/** A value that is marked as one may follow the word directly. A bare word must end the remark: "the default is to wait" names none. */
const MARKED = String.raw`\`[^\`]+\`|"[^"]*"|'[^']*'|\[[^\]]*\]|\{[^}]*\}|-?\d+(?:\.\d+)?\b|(?:true|false|null|none)\b`
const DEFAULT = new RegExp(
  String.raw`\bdefaults?(?:\s*[:=]\s*|\s+)(?:(?:to|is|value)\s*[:=]?\s*)?(${MARKED})|\bdefaults?\s*[:=]\s*([\w./@:-]*[\w/@])(?=\s*(?:[).,;]|$))`,
  'i',
)
const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`
const RANGES = [
  new RegExp(`\\bbetween ${NUMBER} and ${NUMBER}`, 'i'),
  new RegExp(`\\b(?:range|from)\\b:?\\s*[[(\`]*${NUMBER}\\s*(?:-|–|—|to|,|\\.\\.+)\\s*${NUMBER}`, 'i'),
  new RegExp(`[[(]\\s*${NUMBER}\\s*(?:-|–|—|to|,|\\.\\.+)\\s*${NUMBER}\\s*[\\])]`, 'i'),
]
const MINIMUM = new RegExp(`(?:\\bmin(?:imum)?\\b[ :=]*|>=\\s*|≥\\s*|\\bat least )${NUMBER}`, 'i')
const MAXIMUM = new RegExp(`(?:\\bmax(?:imum)?\\b[ :=]*|<=\\s*|≤\\s*|\\bat most )${NUMBER}`, 'i')
const QUOTED = /`"?([^`"]*)"?`|"([^"]*)"|'([^']*)'/g
const SEPARATORS = /^(?:[\s,/|]|\b(?:or|and)\b)*$/i

/** The schema with the default, values and range that the field gives, as far as they fit its type. */
export function withDetails(schema: JsonObject, { default: given, description }: DocumentField): JsonObject {
  const words = description.slice(0, MAX_WORDS)
  const detailed = isNumeric(schema)
    ? { ...schema, ...rangeIn(words) }
    : isText(schema)
      ? { ...schema, ...valuesIn(words) }
      : schema
  const found = DEFAULT.exec(words)
  const value = defaultOf(given ?? found?.[1] ?? found?.[2], detailed)
  return value === undefined ? detailed : { ...detailed, default: value }
}

const isNumeric = ({ type }: JsonObject): boolean => type === 'integer' || type === 'number'
const isText = (schema: JsonObject): boolean => schema.type === 'string' && Object.keys(schema).length === 1

function rangeIn(words: string): JsonObject {
  for (const pattern of RANGES) {
    const [, from, to] = pattern.exec(words) ?? []
    if (from !== undefined && Number(from) < Number(to)) return { minimum: Number(from), maximum: Number(to) }
  }
  const [minimum, maximum] = [MINIMUM.exec(words)?.[1], MAXIMUM.exec(words)?.[1]]
  return {
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && { maximum: Number(maximum) }),
  }
}

/** "One of `a`, `b`", or a description that is nothing but such values. */
function valuesIn(words: string): JsonObject {
  const announced = /\b(?:one of|allowed values|options|possible values|valid values)\b:?\s*/i.exec(words)
  const list = announced === null ? words : words.slice(announced.index + announced[0].length)
  const values: string[] = []
  let end = 0
  for (const { 0: whole, 1: code, 2: double, 3: single, index } of list.matchAll(QUOTED)) {
    if (!SEPARATORS.test(list.slice(end, index))) break
    values.push(code ?? double ?? single ?? '')
    end = index + whole.length
  }
  const isWhole = announced !== null || SEPARATORS.test(list.slice(end).replace(/\.$/, ''))
  return values.length > 1 && isWhole ? { enum: [...new Set(values)] } : {}
}

/** The value of a default as written, if it fits the type. `null` says that there is none. */
function defaultOf(given: string | undefined, schema: JsonObject): Json | undefined {
  if (given === undefined) return undefined
  const text = given
    .trim()
    .replace(/^`(.*)`$/s, '$1')
    .trim()
  return readings(text).find((value) => value !== null && fitsType(value, schema))
}

/** A text without quotation marks is a text, unless it is JSON or a Python literal that fits better. */
function readings(text: string): Json[] {
  const python: Readonly<Record<string, Json>> = { True: true, False: false, None: null }
  const values: Json[] = []
  if (Object.hasOwn(python, text)) return [python[text] as Json]
  try {
    values.push(JSON.parse(text) as Json)
  } catch {
    // It is a text.
  }
  if (values[0] === null) return values
  return [...values, text.replace(/^'(.*)'$/s, '$1')]
}
