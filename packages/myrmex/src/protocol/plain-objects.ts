/**
 * Before Zod reads what a tool returned, every object that the schema describes must be a plain one. Zod copies the members it knows of
 * any object, so an instance of a class, a promise whose `await` was forgotten, or an object with a member named `__proto__` would pass,
 * with members missing. The check follows the schema, because values that the schema itself converts may be anything.
 */
import type * as z from 'zod'
import { protoError, serializationError } from './not-json.ts'
import type { SecretNames } from './secret.ts'
import { isPlainObject, MAX_RESULT_DEPTH, withoutClass } from './serialise.ts'

/** The value, with the result of `toJSON` in place of an object that has it. Throws SerializationError. `path` is where the value is. */
export type AsPlain = (value: unknown, path: PropertyKey[]) => unknown

/** Undefined if the schema describes no object. */
export function plainObjects(schema: z.ZodType, secrets: SecretNames): AsPlain | undefined {
  return new Compiler(secrets).compile(schema)
}

type ZodDef = z.core.$ZodTypeDef & { [part: string]: unknown }
const defOf = (schema: unknown): ZodDef => (schema as z.core.$ZodType)._zod.def as ZodDef

type Member = readonly [key: string, asPlain: AsPlain]

interface Compiled {
  asPlain: AsPlain | undefined
}

class Compiler {
  readonly #secrets: SecretNames
  readonly #known = new Map<unknown, Compiled>()

  constructor(secrets: SecretNames) {
    this.#secrets = secrets
  }

  compile(schema: unknown): AsPlain | undefined {
    const known = this.#known.get(schema)
    if (known !== undefined) return known.asPlain
    const compiled: Compiled = { asPlain: (value, path) => (made === undefined ? value : made(value, path)) }
    // A schema that contains itself finds this one, until it is compiled.
    this.#known.set(schema, compiled)
    const made = this.#make(defOf(schema))
    compiled.asPlain = made
    return made
  }

  #make(def: ZodDef): AsPlain | undefined {
    switch (def.type) {
      case 'object':
        return this.#object(Object.entries(def.shape as object), def.catchall)
      case 'record':
        return this.#object([], def.valueType)
      case 'array':
        return this.#list([], def.element)
      case 'tuple':
        return this.#list(def.items as unknown[], def.rest ?? undefined)
      case 'union':
        return this.#union(def.options as unknown[])
      case 'intersection':
        return inTurn([this.compile(def.left), this.compile(def.right)])
      case 'lazy':
        return this.compile((def.getter as () => unknown)())
      case 'pipe':
        return this.compile(def.in)
      default:
        return def.innerType === undefined ? undefined : this.compile(def.innerType)
    }
  }

  /** `rest` is the schema of members without their own. */
  #object(shape: [string, unknown][], rest: unknown): AsPlain {
    const members = shape.flatMap(([key, inner]): Member[] => {
      const asPlain = this.compile(inner)
      return asPlain === undefined ? [] : [[key, asPlain]]
    })
    const others = rest === undefined ? undefined : this.compile(rest)
    const own = new Set(shape.map(([key]) => key))
    return (value, path) => {
      // Zod rejects anything else, unless it is optional.
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const plain = isPlainObject(value) ? value : this.#plain(value, path)
      if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain
      const known = withMembers(plain as Record<string, unknown>, members, path)
      if (others === undefined) return known
      const free = Object.keys(known).flatMap((key): Member[] => (own.has(key) ? [] : [[key, others]]))
      return withMembers(known, free, path)
    }
  }

  #list(first: unknown[], rest: unknown): AsPlain | undefined {
    const items = first.map((item) => this.compile(item))
    const others = rest === undefined ? undefined : this.compile(rest)
    if (others === undefined && items.every((item) => item === undefined)) return undefined
    return (value, path) => {
      if (!Array.isArray(value)) return value
      let copy: unknown[] | undefined
      for (let index = 0; index < value.length; index++) {
        const asPlain = index < items.length ? items[index] : others
        const item: unknown = value[index]
        const plain = asPlain === undefined ? item : at(index, item, asPlain, path)
        if (plain === item) continue
        copy ??= value.slice()
        copy[index] = plain
      }
      return copy ?? value
    }
  }

  /** Which option applies is for Zod to find out, so the value must be plain for all of them. */
  #union(options: unknown[]): AsPlain | undefined {
    const all = inTurn(options.map((option) => this.compile(option)))
    if (all === undefined || !options.some(mayTakeInstance)) return all
    return (value, path) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlainObject(value)
        ? value
        : all(value, path)
  }

  #plain(value: object, path: PropertyKey[]): unknown {
    const place = { what: 'result', secrets: this.#secrets } as const
    const plain = withoutClass(value, () => ({ ...place, path }))
    if (typeof plain === 'object' && plain !== null && Object.hasOwn(plain, '__proto__'))
      throw protoError({ ...place, path: [...path, '__proto__'] })
    return plain
  }
}

/** Types that a Date or another instance may be meant for. */
const OF_INSTANCES = new Set(['any', 'custom', 'date', 'transform', 'unknown'])

function mayTakeInstance(schema: unknown): boolean {
  const { type, innerType, in: first } = defOf(schema)
  const inner = innerType ?? first
  return OF_INSTANCES.has(type) || (inner !== undefined && mayTakeInstance(inner))
}

function inTurn(checks: readonly (AsPlain | undefined)[]): AsPlain | undefined {
  const [one, ...more] = checks.filter((check) => check !== undefined)
  if (one === undefined || more.length === 0) return one
  return (value, path) => more.reduce((plain, check) => check(plain, path), one(value, path))
}

function withMembers(
  value: Record<string, unknown>,
  members: readonly Member[],
  path: PropertyKey[],
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const [key, asPlain] of members) {
    const item = value[key]
    const plain = at(key, item, asPlain, path)
    if (plain === item) continue
    copy ??= { ...value }
    copy[key] = plain
  }
  return copy ?? value
}

function at(key: PropertyKey, item: unknown, asPlain: AsPlain, path: PropertyKey[]): unknown {
  if (typeof item !== 'object' || item === null) return item
  if (path.length >= MAX_RESULT_DEPTH)
    throw serializationError(`more than ${MAX_RESULT_DEPTH} levels, or a cycle`, 'Return a flatter object.', {
      path,
      what: 'result',
    })
  path.push(key)
  const plain = asPlain(item, path)
  path.pop()
  return plain
}
