/**
 * What makes a Zod schema unusable for a tool, each fault with its location in the data: types that JSON has no form for, optional properties
 * that every object inherits, and code that answers later, because the arguments of a call are checked at once. `superRefine`, and a function that returns a promise without being
 * an async function, cannot be recognised here: such a schema fails when it is first used, with the locations of its transforms.
 */
import type * as z from 'zod'
import { inheritedNameFault, isInheritedName } from './inherited-names.ts'
import { pointer } from './json.ts'

type ZodDef = Omit<z.core.$ZodTypeDef, 'checks'> & { checks?: readonly ZodCheck[]; [part: string]: unknown }
type ZodCheck = { readonly _zod: { readonly def: { readonly fn?: unknown }; readonly check?: unknown } }

/** What to use instead. */
const NOT_JSON: Readonly<Record<string, string>> = {
  bigint: 'Use z.int() or a text',
  custom: 'z.custom() and z.instanceof() say nothing about their values: use another schema with refine()',
  file: 'Use a text, such as z.base64()',
  function: 'Remove it',
  map: 'Use z.record()',
  nan: 'Use z.null()',
  promise: 'Use the schema of its value',
  set: 'Use z.array()',
  symbol: 'Use a text',
}
const SENT_DATE = 'Callers send texts: use z.coerce.date(), or z.iso.datetime() for the text itself'
const CODEC =
  'It would decode what run returns. Use the schema of what run returns, such as z.date(), with transform() if callers get something else'

export function zodFaults(schema: z.ZodType, side: 'input' | 'output'): string[] {
  const check = new Check(side)
  check.visit(schema, [], true)
  return check.faults
}

/** Where the schema has code that converts values: `transform` and `preprocess`. */
export function transformLocations(schema: z.ZodType, side: 'input' | 'output'): string[] {
  const check = new Check(side)
  check.visit(schema, [], true)
  return [...check.transforms]
}

class Check {
  readonly faults: string[] = []
  readonly transforms = new Set<string>()
  readonly #side: 'input' | 'output'
  readonly #seen = new Set<unknown>()

  constructor(side: 'input' | 'output') {
    this.#side = side
  }

  /** `isDescribed`: callers see this schema. False for what is between it and the code of the tool. */
  visit(schema: unknown, path: readonly string[], isDescribed: boolean): void {
    if (this.#seen.has(schema)) return
    this.#seen.add(schema)
    const def = (schema as z.core.$ZodType)._zod.def as ZodDef
    if (isDescribed) this.#type(def, path)
    if (this.#side === 'output' && def.reverseTransform !== undefined)
      this.#add('has a codec (z.codec or z.stringbool)', path, CODEC)
    if (def.type === 'transform') this.transforms.add(pointer(path) || 'its root')
    if (hasAsyncCode(def)) this.#add(`answers later (an async function)`, path, 'Move that into run')
    for (const [name, member] of Object.entries((def.shape ?? {}) as Record<string, z.core.$ZodType>))
      if (isInheritedName(name) && member._zod.optin !== undefined)
        this.faults.push(inheritedNameFault(this.#side, [...path, name]))
    for (const [inner, step, described] of this.#parts(def))
      this.visit(inner, step === undefined ? path : [...path, step], isDescribed && described)
  }

  #add(fault: string, path: readonly string[], advice: string): void {
    this.faults.push(`the ${this.#side} schema ${fault} at ${pointer(path) || 'its root'}. ${advice}`)
  }

  #type(def: ZodDef, path: readonly string[]): void {
    const { type, values, coerce } = def
    const instead = Object.hasOwn(NOT_JSON, type) ? NOT_JSON[type] : undefined
    if (instead !== undefined) this.#add(`has z.${type}(), which JSON cannot hold,`, path, instead)
    else if (type === 'date' && this.#side === 'input' && coerce !== true)
      this.#add('has z.date(), which JSON cannot hold,', path, SENT_DATE)
    else if (type === 'literal' && (values as unknown[]).some((value) => typeof value === 'bigint'))
      this.#add('has a bigint, which JSON cannot hold,', path, 'Use a number or a text')
  }

  /** The schemas in a schema, the step to each of them in the data, and whether callers see it. */
  *#parts(def: ZodDef): Iterable<[schema: unknown, step: string | undefined, isDescribed: boolean]> {
    if (def.type === 'pipe') {
      yield [def.in, undefined, this.#side === 'input']
      yield [def.out, undefined, this.#side === 'output']
      return
    }
    if (def.type === 'lazy') yield [(def.getter as () => unknown)(), undefined, true]
    for (const [key, inner] of Object.entries((def.shape ?? {}) as object)) yield [inner, key, true]
    for (const key of ['innerType', 'left', 'right']) if (def[key] !== undefined) yield [def[key], undefined, true]
    for (const key of ['element', 'valueType', 'keyType', 'catchall', 'rest'])
      if (def[key] !== undefined && def[key] !== null) yield [def[key], '*', true]
    for (const option of (def.options ?? []) as unknown[]) yield [option, undefined, true]
    for (const [index, item] of ((def.items ?? []) as unknown[]).entries()) yield [item, String(index), true]
  }
}

const hasAsyncCode = ({ fn, transform, checks = [] }: ZodDef): boolean =>
  [fn, transform, ...checks.flatMap(({ _zod }) => [_zod.def.fn, _zod.check])].some(isAsync)

const isAsync = (code: unknown): boolean => Object.prototype.toString.call(code) === '[object AsyncFunction]'
