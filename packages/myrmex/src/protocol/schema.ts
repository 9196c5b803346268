/**
 * One view of every schema that a tool author may write: Zod, any Standard Schema that can produce JSON Schema, or plain JSON
 * Schema 2020-12. It has the JSON Schema for documents and the wire, and `parse` for values.
 */
import type { ZodType } from 'zod'
import { arktypeFaults } from './arktype-faults.ts'
import { ToolError } from './errors.ts'
import { inheritedNameFaults } from './inherited-names.ts'
import type { Issue } from './issue.ts'
import { isObject, type JsonObject } from './json.ts'
import { fromForeignSchema, fromJsonSchema } from './json-schema.ts'
import { type SecretNames, secretNames } from './secret.ts'
import { withPlainObjects } from './serialise.ts'
import { type StandardIssue, standardIssues } from './standard-issue.ts'
import { valueLimit } from './value-limit.ts'
import { asynchronous, fromZod, rejectAll } from './zod-schema.ts'

export type Parsed<T = unknown> = { success: true; data: T } | { success: false; issues: Issue[] }

/** Steps that several checks against foreign schemas may still take together. Each check takes its steps from it. */
export interface StepBudget {
  left: number
}

export interface Schema<T = unknown> {
  /** JSON Schema 2020-12 */
  readonly json: JsonObject
  /**
   * values: it accepts JavaScript types, such as Date. json: it validates what is sent on the wire.
   * plain: it accepts nothing but JSON, so that what passed needs no further check.
   */
  readonly validates: 'values' | 'json' | 'plain'
  /** names of the fields marked `x-secret` */
  readonly secrets: SecretNames
  /** code of the author reads values before the schema does (`z.preprocess`), so it may take names that the JSON Schema does not have */
  readonly isPreprocessed?: boolean
  /** Throws only if the schema itself is asynchronous or broken. A check of a foreign schema takes its steps from `budget`. */
  parse(value: unknown, budget?: StepBudget): Parsed<T>
}

/** https://standardschema.dev, reduced to what is used here. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate?: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly jsonSchema?: {
      readonly input: (options: { target: string }) => Record<string, unknown>
      readonly output: (options: { target: string }) => Record<string, unknown>
    }
  }
}
type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** What `tool()` takes for `input` and `output`. */
export type SchemaSource = StandardSchema | JsonObject

/** The values after parsing; for plain JSON Schema TypeScript knows nothing about them. */
export type Output<S> = S extends StandardSchema<infer _In, infer Out> ? Out : Record<string, unknown>
/** The values a schema takes before parsing. */
export type Input<S> = S extends StandardSchema<infer In, infer _Out> ? In : Record<string, unknown>

const isStandard = (source: object): source is StandardSchema => '~standard' in source
const isZod = (source: object): source is ZodType => '_zod' in source
/** Types of some libraries are functions. */
export const isSchemaSource = (source: unknown): source is object =>
  isObject(source) || (typeof source === 'function' && isStandard(source))

/**
 * `side` is what a caller sees: it sends the input side of an input schema and receives the output side of an output. A `foreign`
 * schema comes from another program: nothing in it is trusted, so it is checked in bounded time.
 */
export function compileSchema(source: SchemaSource, side: 'input' | 'output', from: 'own' | 'foreign' = 'own'): Schema {
  if (!isSchemaSource(source)) throw ToolError.of('RegistrationError', notASource(source, side))
  if (isZod(source)) return fromZod(source, side)
  if (isStandard(source)) return fromStandard(source, side)
  return from === 'foreign' ? fromForeignSchema(source, side) : fromJsonSchema(source, side)
}

function notASource(source: unknown, side: 'input' | 'output'): string {
  if (source === undefined) return `the ${side} schema is missing`
  return `the ${side} schema must be a Zod schema, a Standard Schema that gives JSON Schema, or plain JSON Schema`
}

/** How a library gives JSON Schema, if its schemas do not by themselves. */
const WRAPPERS: Readonly<Record<string, string>> = {
  valibot: 'Wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  effect: 'Pass Schema.toStandardSchemaV1(Schema.toStandardJSONSchemaV1(schema))',
}

function fromStandard(source: StandardSchema, side: 'input' | 'output'): Schema {
  const standard = source['~standard']
  const { vendor, jsonSchema } = standard
  const validate = standard.validate?.bind(standard)
  if (jsonSchema === undefined) {
    const hint = Object.hasOwn(WRAPPERS, vendor) ? `. ${WRAPPERS[vendor]}` : ''
    throw ToolError.of('RegistrationError', `the ${side} schema (${vendor}) cannot give a JSON Schema${hint}`)
  }
  const { $schema: _, ...json } = jsonOf(() => jsonSchema[side]({ target: 'draft-2020-12' }), side, vendor)
  if (vendor === 'arktype') rejectAll(arktypeFaults(source, side))
  // Some only describe.
  if (validate === undefined) return fromJsonSchema(json, side)
  rejectAll(inheritedNameFaults(json, side))
  if (answersLater(validate)) throw asynchronous(side)
  const secrets = secretNames(json)
  const limit = valueLimit(json, side)
  const describe = standardIssues(json, side, secrets)
  return {
    json,
    validates: 'values',
    secrets,
    parse(given) {
      const value = side === 'output' ? withPlainObjects(given, secrets) : given
      const excess = limit(value)
      if (excess !== undefined) return { success: false, issues: [excess] }
      const result = validate(value)
      if (result instanceof Promise) throw asynchronous(side)
      if (result.issues === undefined) return { success: true, data: result.value }
      return { success: false, issues: describe(result.issues, value) }
    },
  }
}

/** Told from the answer to nothing, which is an issue for every schema of an object. */
function answersLater(validate: (value: unknown) => unknown): boolean {
  try {
    return validate(undefined) instanceof Promise
  } catch {
    return false
  }
}

function jsonOf(make: () => Record<string, unknown>, side: 'input' | 'output', vendor: string): JsonObject {
  try {
    return make() as JsonObject
  } catch (thrown) {
    const why = (thrown as Error).message
    throw ToolError.of('RegistrationError', `the ${side} schema (${vendor}) has no JSON Schema: ${why}`)
  }
}
