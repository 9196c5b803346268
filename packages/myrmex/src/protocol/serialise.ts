/**
 * Converts values to JSON by the rules of docs/tools.md: dates as ISO 8601, URLs as strings, objects with `toJSON` as what it returns,
 * nothing lost silently. A value that JSON cannot hold is a SerializationError that names its location.
 */
import { ToolError } from './errors.ts'
import { PROTO } from './json.ts'
import {
  type Conversion,
  isThenable,
  type NonJsonPlace,
  nonJsonError,
  protoError,
  serializationError,
} from './not-json.ts'
import type { SecretNames } from './secret.ts'

/** A deeper result counts as a mistake: JSON.stringify would exhaust the stack. Arguments are limited where they are parsed. */
export const MAX_RESULT_DEPTH = 500

/** Deeper values are left to the walk, which does not recurse. A value that contains itself ends there too. */
const MAX_RECURSION = 64

/**
 * Whether a value is certainly what JSON.parse could have returned, without a member named `__proto__`. This runs for the arguments and the
 * data of every call, so it makes nothing and visits each value once. False: `toJson` decides.
 */
export function isJson(value: unknown, levels = MAX_RECURSION): boolean {
  if (typeof value !== 'object') return isJsonLeaf(value)
  return value === null || (Array.isArray(value) ? isJsonList(value, levels) : isJsonObject(value, levels))
}

const isJsonLeaf = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

function isJsonList(list: readonly unknown[], levels: number): boolean {
  // JSON.stringify would call it.
  if (levels === 0 || hasToJson(list)) return false
  for (let index = 0; index < list.length; index++) {
    const item = list[index]
    if (typeof item === 'string') continue
    if (typeof item === 'object' ? !isJson(item, levels - 1) : !isJsonLeaf(item)) return false
  }
  return true
}

function isJsonObject(value: object, levels: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (levels === 0 || (prototype !== Object.prototype && prototype !== null)) return false
  for (const key in value) {
    if (key === PROTO) return false
    const item = (value as Record<string, unknown>)[key]
    if (typeof item === 'string' || item === undefined) continue
    if (typeof item === 'object' ? !isJson(item, levels - 1) : !isJsonLeaf(item)) return false
  }
  return true
}

/** Whether it is an object of no class, without a member named `__proto__`. */
export function isPlainObject(value: object): boolean {
  // Reading it gives the prototype, unless there is a member of that name: one look instead of two.
  // biome-ignore lint/suspicious/noProto: this runs for every object of a result
  const prototype: unknown = (value as { __proto__?: unknown }).__proto__
  return prototype === Object.prototype || (prototype === undefined && Object.getPrototypeOf(value) === null)
}

export interface ToJsonOptions {
  /** default: result */
  readonly what?: Conversion
  /** names whose fields are secret: the error names nothing that is within them */
  readonly secrets?: SecretNames | undefined
  /** where the value is, for errors */
  readonly at?: readonly PropertyKey[]
  /** dates, URLs and what is no object may stay as they are */
  readonly objectsOnly?: boolean
}

/**
 * The same value if it is JSON already, which is usual, else a copy with dates and URLs written out. Properties that are undefined count
 * as absent, as they do for JSON.stringify.
 */
export function toJson(value: unknown, options: ToJsonOptions = {}): unknown {
  if (options.what !== 'arguments') return isJson(value) ? value : new Walk(options).convert(value)
  try {
    if (isJson(value)) return value
  } catch {
    // Found again by the walk, which knows the location.
  }
  return new Walk(options).convertSafely(value)
}

/**
 * The value with plain objects only: those with toJSON are replaced by what it returns. Its other values may be anything, because a schema may
 * convert them. Throws SerializationError for other instances, promises and members named `__proto__`.
 */
export const withPlainObjects = (value: unknown, secrets: SecretNames): unknown =>
  isJson(value) ? value : new Walk({ secrets, objectsOnly: true }).convert(value)

/** What a tool logs may be anything, and must not fail its call. */
export function toLoggable(data: unknown): unknown {
  if (data === undefined) return null
  try {
    return data instanceof Error ? String(data) : toJson(data)
  } catch (thrown) {
    return thrown instanceof ToolError ? `(not shown: ${thrown.message})` : '(not shown: reading it failed)'
  }
}

/** An array or object whose members are being converted. */
interface OpenValue {
  readonly source: object
  /** undefined: a list */
  readonly keys: readonly string[] | undefined
  readonly length: number
  next: number
  copy: Record<PropertyKey, unknown> | undefined
}

/** In place of a value whose members are converted first. */
const OPENED = Symbol('opened')

class Walk {
  readonly #options: ToJsonOptions
  readonly #maxDepth: number
  readonly #stack: OpenValue[] = []
  readonly #open = new Set<object>()

  constructor(options: ToJsonOptions) {
    this.#options = options
    this.#maxDepth = options.what === 'arguments' ? Number.POSITIVE_INFINITY : MAX_RESULT_DEPTH
  }

  get #place(): NonJsonPlace {
    const { what = 'result', secrets, at = [] } = this.#options
    return { what, secrets, path: [...at, ...this.#stack.map(({ keys, next }) => keys?.[next - 1] ?? next - 1)] }
  }

  convert(root: unknown): unknown {
    let done = this.#begin(root)
    for (let top = this.#stack.at(-1); top !== undefined; top = this.#stack.at(-1)) {
      if (top.next < top.length) this.#member(top)
      else {
        this.#stack.pop()
        this.#open.delete(top.source)
        done = top.copy ?? top.source
        const outer = this.#stack.at(-1)
        if (outer !== undefined) settle(outer, done)
      }
    }
    return done
  }

  /** A getter, a toJSON or a proxy of a caller in this process may throw. */
  convertSafely(root: unknown): unknown {
    try {
      return this.convert(root)
    } catch (thrown) {
      if (thrown instanceof ToolError) throw thrown
      throw serializationError('an object that cannot be read', 'Send a plain object.', this.#place, thrown)
    }
  }

  #member(top: OpenValue): void {
    const key = top.keys === undefined ? top.next : (top.keys[top.next] as string)
    top.next++
    if (key === PROTO) throw protoError(this.#place)
    const member = (top.source as Record<PropertyKey, unknown>)[key]
    if (member === undefined && top.keys !== undefined) return
    const leaf = this.#begin(member)
    if (leaf !== OPENED) settle(top, leaf)
  }

  /** The value as JSON, or OPENED. */
  #begin(value: unknown): unknown {
    const { objectsOnly = false } = this.#options
    if (objectsOnly && (value instanceof Date || value instanceof URL)) return value
    if (typeof value !== 'object' || value === null) {
      if (objectsOnly || isJson(value)) return value
      throw nonJsonError(value, this.#place)
    }
    const plain = withoutClass(value, () => this.#place)
    if (typeof plain !== 'object' || plain === null) return this.#begin(plain)
    if (this.#open.has(plain))
      throw serializationError('a cycle', 'Name the other object by its id instead.', this.#place)
    if (this.#stack.length >= this.#maxDepth)
      throw serializationError(`more than ${this.#maxDepth} levels`, 'Return a flatter object.', this.#place)
    this.#open.add(plain)
    const keys = Array.isArray(plain) ? undefined : Object.keys(plain)
    const length = keys === undefined ? (plain as unknown[]).length : keys.length
    this.#stack.push({ source: plain, keys, length, next: 0, copy: undefined })
    return OPENED
  }
}

function settle(outer: OpenValue, item: unknown): void {
  const key = outer.keys?.[outer.next - 1] ?? outer.next - 1
  if (outer.copy === undefined) {
    if ((outer.source as Record<PropertyKey, unknown>)[key] === item) return
    outer.copy = (Array.isArray(outer.source) ? outer.source.slice() : { ...outer.source }) as Record<string, unknown>
  }
  outer.copy[key] = item
}

/** A plain object, an array or a text instead of an object of some class. Throws SerializationError. */
export function withoutClass(value: object, place: () => NonJsonPlace): unknown {
  const written = writtenOut(value)
  if (written !== undefined) return written
  const made = hasToJson(value) && !isNeverJson(value) ? value.toJSON() : value
  if (typeof made !== 'object' || made === null) return made
  const final = writtenOut(made) ?? made
  // toJSON is called once, so its result must be plain itself.
  if (typeof final === 'string' || Array.isArray(final) || (isRecord(final) && !hasToJson(final))) return final
  throw nonJsonError(final, place())
}

/** Dates and URLs as texts. */
function writtenOut(value: object): string | undefined {
  if (value instanceof URL) return value.href
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined
}

const hasToJson = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function'

/** A promise is a mistake, an Error may have secrets, and bytes would leave as a list of numbers, whatever toJSON they have. */
const isNeverJson = (value: object): boolean =>
  isThenable(value) || value instanceof Error || value instanceof Date || ArrayBuffer.isView(value)

/** Also objects of another realm, whose Object.prototype is not ours. A class has Object.prototype further up. */
function isRecord(value: object): boolean {
  if (isThenable(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
