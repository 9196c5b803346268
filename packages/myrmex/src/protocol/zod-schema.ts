/** Zod schemas: their JSON Schema, fast parsing, and which of them accept only JSON. */
import * as z from 'zod'
import { type BoundedCheck, boundedCheck, TOO_MUCH_WORK } from './bounded-schema/bounded-schema.ts'
import { ToolError } from './errors.ts'
import { hasMoreValuesThan, type Issue } from './issue.ts'
import type { JsonObject } from './json.ts'
import { plainObjects } from './plain-objects.ts'
import type { Schema } from './schema.ts'
import { type SecretNames, secretNames } from './secret.ts'
import { isJson } from './serialise.ts'
import { valueLimit } from './value-limit.ts'
import { transformLocations, zodFaults } from './zod-faults.ts'
import { zodIssues } from './zod-issue.ts'

const MAX_TOLD = 20

/** Throws a RegistrationError that names every fault. */
export function fromZod(source: z.ZodType, side: 'input' | 'output'): Schema {
  rejectAll(zodFaults(source, side))
  let isPreprocessed = false
  const json = z.toJSONSchema(source, {
    io: side,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { type } = zodSchema._zod.def
      if (isPreprocess(zodSchema)) isPreprocessed = true
      // A Date leaves as ISO 8601 text (see serialise.ts), which JSON Schema can say.
      if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      // maxItems says the same, and a bare `false` is read as draft-07 by the official SDK 1.x.
      else if (type === 'tuple' && jsonSchema.items === false && jsonSchema.maxItems !== undefined)
        delete jsonSchema.items
    },
  }) as unknown as JsonObject
  delete json.$schema
  const secrets = secretNames(json)
  const { _zod } = source
  const plain = isPlain(source)
  const precheck = largeValueCheck(json, side, secrets, plain)
  const asPlain = side === 'output' ? plainObjects(source, secrets) : undefined
  return {
    json,
    validates: plain ? 'plain' : 'values',
    secrets,
    isPreprocessed,
    parse(given) {
      const value = asPlain === undefined ? given : asPlain(given, [])
      const early = precheck?.(value)
      if (early !== undefined) return { success: false, issues: early }
      // What safeParse does, less the objects it makes on the way: this runs twice in every call.
      // `run` is read each time because Zod replaces it with a faster one later.
      let payload: z.core.ParsePayload | Promise<z.core.ParsePayload>
      try {
        payload = _zod.run({ value, issues: [] }, { async: false })
      } catch (thrown) {
        if (thrown instanceof z.core.$ZodAsyncError) throw asynchronous(side)
        if (!isStackOverflow(thrown))
          throw answersLater(source, value) ? asynchronous(side, transformLocations(source, side)) : thrown
        // Zod calls itself for each level, and passes issues on as arguments.
        return { success: false, issues: [tooLarge()] }
      }
      if (payload instanceof Promise) throw asynchronous(side)
      if (payload.issues.length === 0) return { success: true, data: payload.value }
      return { success: false, issues: zodIssues(payload.issues, value, secrets) }
    },
  }
}

/** Throws a RegistrationError that has each of them in its details. */
export function rejectAll(faults: readonly string[]): void {
  if (faults.length > 0)
    throw ToolError.of('RegistrationError', faults.slice(0, MAX_TOLD).join('; '), { faults: [...faults] })
}

/** `transforms`: the locations of those that may be the cause. */
export function asynchronous(side: string, transforms: readonly string[] = []): ToolError {
  const cause =
    transforms.length === 0
      ? 'it'
      : `${transforms.length === 1 ? 'the transform' : 'one of the transforms'} at ${transforms.join(', ')}`
  return ToolError.of(
    'ToolExecutionError',
    `the ${side} schema answers later (${cause} returned a promise). Move that into run`,
  )
}

/** Zod takes the promise of a transform in an object for a result, and fails on it. Tried again, it may wait, and answers with a promise. */
function answersLater({ _zod }: z.ZodType, value: unknown): boolean {
  try {
    const later = _zod.run({ value, issues: [] }, { async: true })
    if (!(later instanceof Promise)) return false
    later.catch(() => undefined)
    return true
  } catch {
    return false
  }
}

const isStackOverflow = (thrown: unknown): boolean =>
  thrown instanceof RangeError && thrown.message.startsWith('Maximum call stack')

const tooLarge = (): Issue => ({
  path: '',
  constraint: 'must be smaller and less deeply nested',
  message: 'is nested too deeply, or has too many values that do not fit. Send less',
  value: null,
})

/** A larger value is looked at before Zod: Zod collects every issue, and a value of 16 MB can have millions. */
const LARGE = 10_000

/**
 * Undefined if Zod may have the value. For a plain schema its JSON Schema says the same, and the bounded check stops at 20 issues. Of
 * another schema only the number of values is limited.
 */
function largeValueCheck(
  json: JsonObject,
  side: 'input' | 'output',
  secrets: SecretNames,
  plain: boolean,
): ((value: unknown) => Issue[] | undefined) | undefined {
  // A schema without lists and free names has as many issues as fields.
  if (side === 'output' || !REPEATS.test(JSON.stringify(json))) return undefined
  const limit = valueLimit(json, side)
  let check: BoundedCheck | undefined
  const limited = (value: unknown): Issue[] | undefined => {
    const excess = limit(value)
    return excess && [excess]
  }
  if (!plain) return limited
  return (value) => {
    if (!hasMoreValuesThan(value, LARGE)) return undefined
    try {
      // Zod's formats are its own.
      check ??= boundedCheck(json, { side, secrets, checksFormats: false })
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown
      return limited(value)
    }
    const issues = check(value)
    if (issues.length === 0) return undefined
    return issues[0]?.constraint === TOO_MUCH_WORK ? limited(value) : issues
  }
}

const REPEATS = /"(?:items|prefixItems|additionalProperties|patternProperties|propertyNames|\$ref)":/

const JSON_TYPES = new Set(['string', 'number', 'int', 'boolean', 'null', 'enum', 'template_literal'])
const TRANSPARENT = new Set(['optional', 'nullable', 'readonly', 'nonoptional'])

/**
 * Whether everything that passes a Zod schema is JSON already: true only for the types listed here, which is most of
 * what tools return. Whatever is not known to be safe is walked again after the call (see serialise.ts).
 */
function isPlain(schema: unknown, within: ReadonlySet<unknown> = new Set()): boolean {
  // A schema that contains itself lets values through that contain themselves.
  if (within.has(schema)) return false
  const seen = new Set(within).add(schema)
  const every = (parts: unknown[]): boolean => parts.every((part) => isPlain(part, seen))
  const def = (schema as z.core.$ZodType)._zod.def as z.core.$ZodTypeDef & {
    checks?: { _zod: { def: { check: string } } }[]
    [part: string]: unknown
  }
  // A check may rewrite the value (overwrite) or be anybody's code.
  if (def.checks?.some((check) => ['overwrite', 'custom'].includes(check._zod.def.check))) return false
  if (JSON_TYPES.has(def.type)) return def.coerce !== true
  if (def.type === 'literal') return (def.values as unknown[]).every((value) => isJson(value))
  if (TRANSPARENT.has(def.type)) return isPlain(def.innerType, seen)
  // An item that is undefined would leave as null.
  if (def.type === 'array') return !isOptional(def.element) && isPlain(def.element, seen)
  if (def.type === 'object') {
    return (def.catchall === undefined || isNever(def.catchall)) && every(Object.values(def.shape as object))
  }
  return def.type === 'union' && every(def.options as unknown[])
}

const isOptional = (schema: unknown): boolean => (schema as z.core.$ZodType)._zod.optin === 'optional'

/** The JSON Schema is that of what comes after it. */
const isPreprocess = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  def.type === 'pipe' && (def as z.core.$ZodPipeDef).in._zod.def.type === 'transform'

const isNever = (schema: unknown): boolean => (schema as z.core.$ZodType)._zod.def.type === 'never'
