/**
 * One view of every schema that a tool author may write: Zod, any Standard Schema that can produce JSON Schema, or plain JSON
 * Schema 2020-12. It has the JSON Schema for documents and the wire, and `parse` for values.
 */
import type { ZodType } from 'zod'
import { ToolError } from './errors.ts'
import { describeIssue, type Issue, MAX_ISSUES } from './issue.ts'
import { isObject, type JsonObject } from './json.ts'
import { fromForeignSchema, fromJsonSchema } from './json-schema.ts'
import { type SecretNames, secretNames } from './secret.ts'
import { valueLimit } from './value-limit.ts'
import { fromZod } from './zod-schema.ts'

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
  /** Throws only if the schema itself is asynchronous or broken. A check of a foreign schema takes its steps from `budget`. */
  parse(value: unknown, budget?: StepBudget): Parsed<T>
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

/** The values after parsing; for plain JSON Schema TypeScript knows nothing about them. */
export type Output<S> = S extends StandardSchema<infer _In, infer Out> ? Out : Record<string, unknown>
/** The values a schema takes before parsing. */
export type Input<S> = S extends StandardSchema<infer In, infer _Out> ? In : Record<string, unknown>

const isStandard = (source: SchemaSource): source is StandardSchema => '~standard' in source
const isZod = (source: object): source is ZodType => '_zod' in source

/**
 * `side` is what a caller sees: it sends the input side of an input schema and receives the output side of an output. A `foreign`
 * schema comes from another program: nothing in it is trusted, so it is checked in bounded time.
 */
export function compileSchema(source: SchemaSource, side: 'input' | 'output', from: 'own' | 'foreign' = 'own'): Schema {
  if (!isObject(source)) throw ToolError.of('RegistrationError', `the ${side} schema is missing`)
  if (isZod(source)) return fromZod(source, side)
  if (isStandard(source)) return fromStandard(source, side)
  return from === 'foreign' ? fromForeignSchema(source, side) : fromJsonSchema(source, side)
}

function fromStandard(source: StandardSchema, side: 'input' | 'output'): Schema {
  const standard = source['~standard']
  const json = standard.jsonSchema?.[side]({ target: 'draft-2020-12' }) as JsonObject | undefined
  if (json === undefined) {
    throw ToolError.of('RegistrationError', `the ${side} schema (${standard.vendor}) cannot give a JSON Schema`)
  }
  delete json.$schema
  const secrets = secretNames(json)
  const limit = valueLimit(json, side)
  return {
    json,
    validates: 'values',
    secrets,
    parse(value) {
      const excess = limit(value)
      if (excess !== undefined) return { success: false, issues: [excess] }
      const result = standard.validate(value)
      if (result instanceof Promise) throw ToolError.of('RegistrationError', `the ${side} schema is asynchronous`)
      if (result.issues === undefined) return { success: true, data: result.value }
      return {
        success: false,
        issues: result.issues.slice(0, MAX_ISSUES).map((issue) => {
          const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))
          return describeIssue(path, issue.message, issue.message, value, secrets)
        }),
      }
    },
  }
}
