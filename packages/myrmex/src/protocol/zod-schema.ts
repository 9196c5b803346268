/** Zod schemas: their JSON Schema, fast parsing, and which of them accept only JSON. */
import * as z from 'zod'
import { ToolError } from './errors.ts'
import { describeIssue, type Issue } from './issue.ts'
import { type JsonObject, pointer } from './json.ts'
import type { Schema } from './schema.ts'
import { type SecretNames, secretNames } from './secret.ts'

export function fromZod(source: z.ZodType, side: 'input' | 'output'): Schema {
  const json = z.toJSONSchema(source, {
    io: side,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      const type = zodSchema._zod.def.type
      // A Date leaves as ISO 8601 text (see serialise.ts), which JSON Schema can say.
      if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      // maxItems says the same, and a bare `false` is read as draft-07 by the official SDK 1.x.
      else if (type === 'tuple' && jsonSchema.items === false && jsonSchema.maxItems !== undefined)
        delete jsonSchema.items
      else if (UNSPEAKABLE.has(type)) {
        throw ToolError.of('RegistrationError', `JSON Schema has no word for z.${type}() at ${pointer(path) || '/'}`)
      }
    },
  }) as unknown as JsonObject
  delete json.$schema
  const secrets = secretNames(json)
  const { _zod } = source
  return {
    json,
    validates: isPlain(source) ? 'plain' : 'values',
    secrets,
    parse(value) {
      // What safeParse does, less the objects it makes on the way: this runs twice in every call.
      // `run` is read each time because Zod replaces it with a faster one later.
      const payload = _zod.run({ value, issues: [] }, { async: false })
      if (payload instanceof Promise) throw ToolError.of('RegistrationError', `the ${side} schema is asynchronous`)
      if (payload.issues.length === 0) return { success: true, data: payload.value }
      const issues = source.safeParse(value).error?.issues ?? []
      return { success: false, issues: issues.map((issue) => zodIssue(issue, value, secrets)) }
    },
  }
}

const UNSPEAKABLE = new Set(['bigint', 'symbol', 'function', 'map', 'set', 'promise', 'nan', 'custom'])

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
  if (JSON_TYPES.has(def.type)) return true
  if (TRANSPARENT.has(def.type)) return isPlain(def.innerType, seen)
  if (def.type === 'array') return isPlain(def.element, seen)
  if (def.type === 'object') {
    return (def.catchall === undefined || isNever(def.catchall)) && every(Object.values(def.shape as object))
  }
  return def.type === 'union' && every(def.options as unknown[])
}

const isNever = (schema: unknown): boolean => (schema as z.core.$ZodType)._zod.def.type === 'never'

function zodIssue(issue: z.core.$ZodIssue, value: unknown, secrets: SecretNames): Issue {
  const { code, path, message, ...rest } = issue as z.core.$ZodIssue & Record<string, unknown>
  delete rest.input
  delete rest.inst
  delete rest.errors
  delete rest.origin
  const bound = Object.entries(rest).map(
    ([key, bound]) => `${key} ${bound instanceof RegExp ? bound : JSON.stringify(bound)}`,
  )
  return describeIssue(path, bound.length > 0 ? bound.join(', ') : code, message, value, secrets)
}
