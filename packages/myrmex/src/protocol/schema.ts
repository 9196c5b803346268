/**
 * One view of every schema a tool author may write: Zod, any Standard Schema that can give JSON Schema, or plain JSON
 * Schema 2020-12. It gives the JSON Schema for documents and the wire, and a `parse` for values.
 */
import { createRequire } from 'node:module'
import * as z from 'zod'
import { ToolError } from './errors.ts'
import { at, isObject, type Json, type JsonObject, pointer } from './json.ts'

/** What is wrong with one field: where, which rule it breaks, and the value found there. */
export interface Issue {
  path: string
  constraint: string
  message: string
  value: Json
}

export type Parsed<T = unknown> = { success: true; data: T } | { success: false; issues: Issue[] }

export interface Schema<T = unknown> {
  /** JSON Schema 2020-12 */
  readonly json: JsonObject
  /**
   * values: it knows JavaScript's own types, such as Date. json: it judges what stands on the wire.
   * plain: it lets nothing through but JSON, so that what passed needs no further look.
   */
  readonly judges: 'values' | 'json' | 'plain'
  /** Throws only if the schema itself is asynchronous or broken. */
  parse(value: unknown): Parsed<T>
}

/** https://standardschema.dev, reduced to what is used here. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly jsonSchema?: {
      readonly input: (options: { target: string }) => Record<string, unknown>
      readonly output: (options: { target: string }) => Record<string, unknown>
    }
  }
}
type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        message: string
        path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
      }[]
    }

/** What `tool()` takes for `input` and `output`. */
export type SchemaSource = StandardSchema | JsonObject

/** The values a schema gives after parsing; plain JSON Schema says nothing to TypeScript. */
export type Output<S> = S extends StandardSchema<infer _In, infer Out> ? Out : Record<string, unknown>
/** The values a schema takes before parsing. */
export type Input<S> = S extends StandardSchema<infer In, infer _Out> ? In : Record<string, unknown>

const isStandard = (source: SchemaSource): source is StandardSchema => '~standard' in source
const isZod = (source: object): source is z.ZodType => '_zod' in source

/** `side` is what a caller sees: it sends the input side of an input schema and receives the output side of an output. */
export function compileSchema(source: SchemaSource, side: 'input' | 'output'): Schema {
  if (!isObject(source)) throw new ToolError('RegistrationError', `the ${side} schema is missing`)
  if (isZod(source)) return fromZod(source, side)
  if (isStandard(source)) return fromStandard(source, side)
  return fromJsonSchema(source, side)
}

function fromZod(source: z.ZodType, side: 'input' | 'output'): Schema {
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
        throw new ToolError('RegistrationError', `JSON Schema has no word for z.${type}() at ${pointer(path) || '/'}`)
      }
    },
  }) as unknown as JsonObject
  delete json.$schema
  const secrets = secretPaths(json)
  const { _zod } = source
  return {
    json,
    judges: isPlain(source) ? 'plain' : 'values',
    parse(value) {
      // What safeParse does, less the objects it makes on the way: this runs twice in every call.
      // `run` is read anew each time because Zod replaces it by a faster one once it knows the schema.
      const payload = _zod.run({ value, issues: [] }, { async: false })
      if (payload instanceof Promise) throw new ToolError('RegistrationError', `the ${side} schema is asynchronous`)
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

function zodIssue(issue: z.core.$ZodIssue, value: unknown, secrets: SecretPaths): Issue {
  const { code, path, message, ...rest } = issue as z.core.$ZodIssue & Record<string, unknown>
  delete rest.input
  delete rest.inst
  delete rest.errors
  delete rest.origin
  const bound = Object.entries(rest).map(
    ([key, bound]) => `${key} ${bound instanceof RegExp ? bound : JSON.stringify(bound)}`,
  )
  return describe(path, bound.length > 0 ? bound.join(', ') : code, message, value, secrets)
}

function fromStandard(source: StandardSchema, side: 'input' | 'output'): Schema {
  const standard = source['~standard']
  const json = standard.jsonSchema?.[side]({ target: 'draft-2020-12' }) as JsonObject | undefined
  if (json === undefined) {
    throw new ToolError('RegistrationError', `the ${side} schema (${standard.vendor}) cannot give a JSON Schema`)
  }
  delete json.$schema
  const secrets = secretPaths(json)
  return {
    json,
    judges: 'values',
    parse(value) {
      const result = standard.validate(value)
      if (result instanceof Promise) throw new ToolError('RegistrationError', `the ${side} schema is asynchronous`)
      if (result.issues === undefined) return { success: true, data: result.value }
      return {
        success: false,
        issues: result.issues.map((issue) => {
          const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))
          return describe(path, issue.message, issue.message, value, secrets)
        }),
      }
    },
  }
}

type AjvIssue = { instancePath: string; keyword: string; params: Record<string, unknown>; message?: string }
type AjvCheck = ((value: unknown) => boolean) & { errors?: AjvIssue[] | null }

/** Ajv is loaded and a schema compiled on first use: a thousand schemas at start would cost a second or two. */
function fromJsonSchema(source: JsonObject, side: 'input' | 'output'): Schema {
  const secrets = secretPaths(source)
  let check: AjvCheck | undefined
  const fills = side === 'input' && JSON.stringify(source).includes('"default"')
  return {
    json: source,
    judges: 'json',
    parse(value) {
      check ??= compileAjv(source, side)
      // Ajv writes defaults into what it checks, and that belongs to the caller.
      const own = fills ? structuredClone(value) : value
      if (check(own)) return { success: true, data: own }
      const issues = (check.errors ?? []).map((error) => {
        const path = error.instancePath.split('/').slice(1).map(unescapePointer)
        if (error.keyword === 'required') path.push(String(error.params.missingProperty))
        const message = error.message ?? error.keyword
        return describe(path, `${error.keyword} ${JSON.stringify(error.params)}`, message, value, secrets)
      })
      return { success: false, issues }
    },
  }
}

const JSON_SCHEMA_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DIALECTS: Record<string, string> = {
  [JSON_SCHEMA_2020]: 'ajv/dist/2020.js',
  'http://json-schema.org/draft-07/schema': 'ajv',
}

const unescapePointer = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')

function compileAjv(source: JsonObject, side: string): AjvCheck {
  const require = createRequire(import.meta.url)
  const addFormats = require('ajv-formats') as { default: (ajv: object) => void }
  const dialect = typeof source.$schema === 'string' ? source.$schema.replace(/#$/, '') : JSON_SCHEMA_2020
  const file = DIALECTS[dialect]
  if (file === undefined) {
    const known = Object.keys(DIALECTS).join(', ')
    throw new ToolError('RegistrationError', `the ${side} schema is in dialect ${dialect}; supported are ${known}`)
  }
  const { default: Ajv } = require(file) as typeof import('ajv')
  // No schema is ever fetched: loadSchema is absent, so a $ref to the network fails to compile.
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true, useDefaults: side === 'input' })
  addFormats.default(ajv)
  try {
    return ajv.compile(source as object) as unknown as AjvCheck
  } catch (error) {
    throw new ToolError('RegistrationError', `the ${side} schema does not compile: ${(error as Error).message}`)
  }
}

const CLIPPED = 200

function describe(
  path: readonly PropertyKey[],
  constraint: string,
  message: string,
  whole: unknown,
  secrets: SecretPaths,
): Issue {
  return {
    path: pointer(path),
    constraint,
    message,
    value: secrets.has(shape(path)) ? '[secret]' : clip(at(whole, path)),
  }
}

/** A value as it may stand in an error: never long, always JSON. */
function clip(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value as Json
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > CLIPPED ? `${text.slice(0, CLIPPED)}… (${text.length} characters)` : (value as Json)
}

/** Places marked `x-secret`, as pointers with array indexes folded to `*`. */
type SecretPaths = ReadonlySet<string>
const shape = (path: readonly PropertyKey[]): string =>
  path.map((key) => (typeof key === 'number' || /^\d+$/.test(String(key)) ? '*' : String(key))).join('/')

function secretPaths(schema: JsonObject): SecretPaths {
  const found = new Set<string>()
  const visit = (node: unknown, path: string[]): void => {
    if (!isObject(node) || path.length > 32) return
    if (node['x-secret'] === true) found.add(path.join('/'))
    if (isObject(node.properties))
      for (const [key, child] of Object.entries(node.properties)) visit(child, [...path, key])
    visit(node.items, [...path, '*'])
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      const branches = node[word]
      if (Array.isArray(branches)) for (const branch of branches) visit(branch, path)
    }
  }
  visit(schema, [])
  return found
}
