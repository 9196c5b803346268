/**
 * Whether a value fits a schema beyond doubt, told without compiling it. Only a yes means something: a no, and all that is
 * not plain, is for Ajv to judge and to explain. The schema is one that `isSurelyValid` knows. A test holds every yes
 * against Ajv.
 */

import { isObject, type JsonObject } from '../../protocol/json.ts'
import { linearPattern } from '../../protocol/linear-pattern.ts'
import { targetOf } from './surely-valid.ts'

type Node = Record<string, unknown>
type Fits = (schema: unknown, value: unknown) => boolean
/** Whether a keyword lets a value through; it may ask about what stands inside the value. */
type Keyword = (asked: unknown, value: unknown, fits: Fits, node: Node) => boolean

/** Enough for any example that a person reads; doubling references must end somewhere. */
const MOST_STEPS = 20_000
const DEEPEST = 60

/** `fills`: what is missing and has a default is put in before the value is judged, as Ajv does with arguments. */
export function surelyFits(root: JsonObject, value: unknown, fills: boolean): boolean {
  const walk = new Walk(root, fills)
  return walk.fits(root, value, undefined, 0) && !walk.gaveUp
}

class Walk {
  /** Then nothing is sure, whatever other branches say: Ajv may go round here for ever. */
  gaveUp = false
  #steps = 0
  readonly #root: JsonObject
  readonly #fills: boolean

  constructor(root: JsonObject, fills: boolean) {
    this.#root = root
    this.#fills = fills
  }

  /** `around` is the value that the schema around this one speaks about. */
  fits(schema: unknown, value: unknown, around: unknown, depth: number): boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema) || !this.#goesOn(schema, value, depth)) return false
    const filled = this.#fills ? withDefaults(schema, value) : value
    // Which of the keywords see what is filled in depends on their order, so they must agree on both.
    if (filled === value) return this.#keywords(schema, value, depth)
    // What one part of a schema fills in, the others see as well, in an order that is Ajv's own.
    if (value === around) this.gaveUp = true
    return this.#keywords(schema, value, depth) && this.#keywords(schema, filled, depth)
  }

  #keywords(schema: Node, value: unknown, depth: number): boolean {
    const inside: Fits = (child, part) => this.fits(child, part, value, depth + 1)
    return Object.entries(schema).every(([word, asked]) => {
      if (word === '$ref') return inside(targetOf(this.#root, String(asked)), value)
      if (Object.hasOwn(KEYWORDS, word)) return KEYWORDS[word]?.(asked, value, inside, schema) === true
      return ANNOTATIONS.has(word) || word.startsWith('x-')
    })
  }

  #goesOn({ pattern }: Node, value: unknown, depth: number): boolean {
    // A pattern costs as much as there is of it and of the text.
    const matching = typeof pattern === 'string' && typeof value === 'string' ? pattern.length * value.length : 0
    this.#steps += 1 + matching / 10
    if (depth > DEEPEST || this.#steps > MOST_STEPS) this.gaveUp = true
    return !this.gaveUp
  }
}

const ANNOTATIONS = new Set(
  '$schema $comment $defs definitions title description default examples deprecated readOnly writeOnly'.split(' '),
)

const isNumber = (value: unknown): value is number => typeof value === 'number'
const lengthOf = (text: string): number => [...text].length
const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null

const number =
  (holds: (value: number, bound: number) => boolean): Keyword =>
  (bound, value) =>
    !isNumber(value) || holds(value, bound as number)

const text =
  (holds: (value: string, asked: unknown) => boolean): Keyword =>
  (asked, value) =>
    typeof value !== 'string' || holds(value, asked)

const list =
  (holds: (value: unknown[], asked: unknown, fits: Fits, node: Node) => boolean): Keyword =>
  (asked, value, fits, node) =>
    !Array.isArray(value) || holds(value, asked, fits, node)

const object =
  (holds: (value: Node, asked: unknown, fits: Fits, node: Node) => boolean): Keyword =>
  (asked, value, fits, node) =>
    !isObject(value) || holds(value, asked, fits, node)

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: (asked, value) => (Array.isArray(asked) ? asked : [asked]).some((type) => isOfType(value, type)),
  enum: (asked, value) => isPrimitive(value) && (asked as unknown[]).includes(value),
  const: (asked, value) => isPrimitive(value) && asked === value,
  minimum: number((value, bound) => value >= bound),
  maximum: number((value, bound) => value <= bound),
  exclusiveMinimum: number((value, bound) => value > bound),
  exclusiveMaximum: number((value, bound) => value < bound),
  multipleOf: number(
    (value, bound) => Number.isSafeInteger(value) && Number.isSafeInteger(bound) && value % bound === 0,
  ),
  minLength: text((value, least) => lengthOf(value) >= (least as number)),
  maxLength: text((value, most) => lengthOf(value) <= (most as number)),
  pattern: text((value, source) => matches(value, source as string)),
  // Some formats are about numbers; those known here are not.
  format: (name, value) =>
    typeof value === 'string' ? FORMATS.get(name as string)?.test(value) === true : FORMATS.has(name as string),
  minItems: list((value, least) => value.length >= (least as number)),
  maxItems: list((value, most) => value.length <= (most as number)),
  uniqueItems: list(
    (value, unique) => unique === false || (value.every(isPrimitive) && new Set(value).size === value.length),
  ),
  items: list(
    (value, asked, fits, node) => !Object.hasOwn(node, 'prefixItems') && value.every((one) => fits(asked, one)),
  ),
  required: object((value, names) => (names as string[]).every((name) => Object.hasOwn(value, name))),
  properties: object((value, asked, fits) =>
    Object.entries(asked as Node).every(([name, child]) => !Object.hasOwn(value, name) || fits(child, value[name])),
  ),
  additionalProperties: object((value, asked, fits, node) => {
    const known = isObject(node.properties) ? node.properties : {}
    return Object.keys(value).every(
      (name) => Object.hasOwn(known, name) || (asked !== false && fits(asked, value[name])),
    )
  }),
  propertyNames: object((value, asked, fits) => Object.keys(value).every((name) => fits(asked, name))),
  anyOf: (asked, value, fits) => (asked as unknown[]).map((one) => fits(one, value)).includes(true),
  allOf: (asked, value, fits) => (asked as unknown[]).every((one) => fits(one, value)),
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** The value with the defaults of what it leaves out; the value itself where there are none. */
function withDefaults({ properties }: Node, value: unknown): unknown {
  if (!isObject(value) || !isObject(properties)) return value
  const missing = Object.entries(properties).filter(
    ([name, child]) => isObject(child) && Object.hasOwn(child, 'default') && !Object.hasOwn(value, name),
  )
  if (missing.length === 0) return value
  return { ...value, ...Object.fromEntries(missing.map(([name, child]) => [name, (child as Node).default])) }
}

/** No 29 February: whether there is one is for Ajv to say. */
const DATE = String.raw`[12]\d{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`

/** The plainest forms of each; the rest is for Ajv. */
const FORMATS = new Map([
  ['date-time', new RegExp(String.raw`^${DATE}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$`)],
  ['date', new RegExp(`^${DATE}$`)],
  ['email', /^[a-z0-9]{1,40}@[a-z0-9]{1,40}\.[a-z]{2,10}$/],
  ['uri', /^https?:\/\/[a-z0-9]{1,40}(?:\.[a-z0-9]{1,40}){1,4}(?:\/[A-Za-z0-9_./-]{0,200})?$/],
  ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/],
])

/** Patterns are the stranger's own: they are walked in linear time, and those that cannot be are for Ajv and its limit. */
function matches(value: string, source: string): boolean {
  if (!known.has(source)) {
    if (known.size > MOST_KNOWN) known.clear()
    known.set(source, linear(source))
  }
  return known.get(source)?.(value) === true
}

const MOST_KNOWN = 1000
const known = new Map<string, ((text: string) => boolean) | undefined>()

function linear(source: string): ((text: string) => boolean) | undefined {
  try {
    return linearPattern(source)
  } catch {
    return undefined
  }
}
