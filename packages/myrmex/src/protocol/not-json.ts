/** What is said about a value that JSON cannot hold: what it is, where it is, and what to do. Nothing of the value itself is said. */
import { ToolError } from './errors.ts'
import { PROTO, pointer } from './json.ts'
import { markedPath, type SecretNames } from './secret.ts'
import { clip, withArticle } from './text.ts'

/** A result is returned by a tool, arguments are sent by a caller, and a definition is passed to a function such as `tool`. */
export type Conversion = keyof typeof WORDS

const WORDS = {
  result: { before: 'before you return it', useMessage: 'Throw it, or return its message.', use: 'Return' },
  arguments: { before: 'before you send it', useMessage: 'Send its message.', use: 'Send' },
  definition: { before: 'before you pass it', useMessage: 'Use its message.', use: 'Pass' },
} as const

const MAX_NAME = 100
const MAX_PATH = 300

export interface NonJsonPlace {
  readonly path: readonly PropertyKey[]
  readonly what: Conversion
  readonly secrets?: SecretNames | undefined
}

/** `advice` ends the message. */
export function serializationError(found: string, advice: string, place: NonJsonPlace, cause?: unknown): ToolError {
  const { path, secrets } = place
  const marked = secrets === undefined || secrets.size === 0 ? undefined : markedPath(path, secrets)
  const location = clip(pointer(marked ?? path), MAX_PATH)
  const where = location === '' ? 'at the top' : `at ${location}`
  const sentence =
    found === PROTO_MEMBER ? `${PROTO_MEMBER} is not accepted (${where}).` : `JSON cannot hold ${found} (${where}).`
  const options = cause === undefined ? undefined : { cause }
  return ToolError.of('SerializationError', `${sentence} ${advice}`, { path: location, found }, options)
}

const PROTO_MEMBER = `A member named "${PROTO}"`

/** The error of a member whose name would replace the prototype of a copy. */
export const protoError = (place: NonJsonPlace): ToolError =>
  serializationError(PROTO_MEMBER, 'Rename it, or leave it out.', place)

/** The error of any other value. */
export function nonJsonError(value: unknown, place: NonJsonPlace): ToolError {
  const [found, advice] = describe(value, place.what)
  return serializationError(found, advice, place)
}

function describe(value: unknown, what: Conversion): [found: string, advice: string] {
  const { before } = WORDS[what]
  switch (typeof value) {
    case 'bigint':
      return ['a bigint', 'Convert it to a number or a text.']
    case 'number':
      return [`the number ${value}`, `Convert it to null or a text ${before}.`]
    case 'undefined':
      return ['undefined', 'Use null, or leave it out.']
    case 'object':
      return describeObject(value as object, what)
    default:
      return [withArticle(typeof value), `Remove it or convert it ${before}.`]
  }
}

function describeObject(value: object, what: Conversion): [found: string, advice: string] {
  const { before, useMessage, use } = WORDS[what]
  const name = className(value)
  const named = withArticle(name)
  if (isThenable(value)) return ['a Promise', `Was an await forgotten? Await it ${before}.`]
  if (value instanceof Error) return [named, useMessage]
  if (value instanceof Date) return ['an invalid date', `Convert it to null or a text ${before}.`]
  if (value instanceof Map) return [named, 'Convert it with Object.fromEntries(map).']
  if (value instanceof Set) return [named, 'Convert it with [...set].']
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
    return [named, `Convert bytes to a text, such as base64, ${before}.`]
  if (BUILT_IN.some((type) => value instanceof type)) return [named, `Remove it or convert it ${before}.`]
  return [`an instance of ${name}`, `${use} a plain object, such as {...value}, or give its class a toJSON method.`]
}

const BUILT_IN = [RegExp, WeakMap, WeakSet, WeakRef]

export const isThenable = (value: object): boolean => typeof (value as { then?: unknown }).then === 'function'

/** Only the class says it: a member named `constructor` is data. */
function className(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  const prototype: unknown = Object.getPrototypeOf(value)
  const maker: unknown = typeof prototype === 'object' && prototype !== null ? prototype.constructor : undefined
  const name = typeof maker === 'function' && maker.name !== 'Object' ? maker.name : tag
  return clip(name || 'an unnamed class', MAX_NAME)
}
