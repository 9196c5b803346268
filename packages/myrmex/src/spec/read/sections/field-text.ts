/**
 * Fields in a line of text or code: `path: str = "."`, `limit (integer, optional, default 10)`, `{status, count: int}`. Everything
 * takes linear time, because documents may be hostile.
 */

export interface FieldText {
  readonly name: string
  readonly type: string | undefined
  readonly required: boolean | undefined
  readonly default: string | undefined
}

/** Strings, arrows, brackets and separators. An apostrophe in a word opens no string. */
const TOKEN = /"(?:[^"\\]|\\.)*"|(?<!\w)'(?:[^'\\]|\\.)*'|->|[()[\]{}<>,:=|]/gs
const DEPTH: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, '<': 1, ')': -1, ']': -1, '}': -1, '>': -1 }
/** Longer texts are prose. */
const MAX_TEXT = 5000

/** Splits at a separator (`,`, `:`, `=` or `|`) that is outside of brackets and quotation marks. */
export function splitOutside(text: string, separator: string): string[] {
  if (text.length > MAX_TEXT) return [text]
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    depth = Math.max(0, depth + (DEPTH[token] ?? 0))
    if (token !== separator || depth > 0) continue
    parts.push(text.slice(from, index))
    from = index + 1
  }
  return [...parts, text.slice(from)]
}

const NAME = /^["']?([A-Za-z_$][\w$-]*(?:\[\])?(?:\.[A-Za-z_$][\w$-]*(?:\[\])?)*)["']?(\?)?$/

/** The name of a field without quotation marks and without the mark of an optional one. */
export function fieldName(text: string): { name: string; optional: boolean } | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 128) return undefined
  const [, name, mark] = NAME.exec(trimmed) ?? []
  return name === undefined ? undefined : { name, optional: mark !== undefined }
}

/** `name`, `name?`, `name: type`, `name: type = default`. */
export function fieldIn(text: string): FieldText | undefined {
  const [left = '', ...values] = splitOutside(text, '=')
  const [name = '', ...types] = splitOutside(left, ':')
  const found = fieldName(name)
  if (found === undefined) return undefined
  const type = types.join(':').trim()
  const value = values.length === 0 ? undefined : values.join('=').trim()
  const optional = found.optional || value !== undefined
  return { name: found.name, type: type || undefined, required: optional ? false : undefined, default: value }
}

/** The parameters of a function: `city: str, days: int = 3, *, units=None`. */
export function signatureFields(text: string): FieldText[] | undefined {
  const parts = splitOutside(text.replace(/\s+/g, ' '), ',').map((part) => part.trim())
  const wanted = parts.filter((part) => part !== '' && !/^(?:[*/]|self\b|cls\b|ctx\b|context\b)/.test(part))
  const fields = wanted.map(fieldIn)
  if (!fields.every((field) => field !== undefined)) return undefined
  // A parameter without a default must be given.
  return fields.map((field) => ({ ...field, required: field.required ?? true }))
}

/** The members of `{status, count: int, note?: str}`; undefined if it is something else. */
export function shapeFields(text: string): FieldText[] | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length > MAX_SHAPE) return undefined
  const parts = splitOutside(trimmed.slice(1, -1), ',').map((part) => part.trim())
  const wanted = parts.filter((part) => part !== '' && !/^(?:\.{3}|…)$/.test(part))
  const fields = wanted.map(fieldIn)
  if (fields.length === 0 || !fields.every((field) => field !== undefined)) return undefined
  return fields.map((field) => ({ ...field, type: field.type && typeOfValue(field.type) }))
}

/** The values of a shape are samples: `"success"` is any string. */
function typeOfValue(text: string): string {
  if (/^(["']).*\1$/s.test(text)) return 'string'
  if (/^(?:true|false)$/i.test(text)) return 'boolean'
  return /^-?\d+(?:\.\d+)?$/.test(text) ? 'number' : text
}

const MAX_SHAPE = 2000

const REQUIRED = /^(?:required|mandatory)$/i
const OPTIONAL = /^(?:optional|not required)$/i
const DEFAULT = /^(?:defaults?(?: to| is| value)?|default)\s*[:=]?\s*(\S.*)$/is

/** What brackets after a name say: `(integer, optional, default: 10)`. */
export function fieldRemark(remark: string): Omit<FieldText, 'name'> {
  const types: string[] = []
  let required: boolean | undefined
  let value: string | undefined
  for (const part of splitOutside(remark, ',').map((one) => one.trim())) {
    const given = DEFAULT.exec(part)?.[1]
    if (REQUIRED.test(part)) required = true
    else if (OPTIONAL.test(part)) required = false
    else if (given !== undefined) value = given
    else if (part !== '') types.push(part)
  }
  // Words after the type, such as a range, are left to the description.
  return { type: types[0], required: required ?? (value === undefined ? undefined : false), default: value }
}
