/**
 * Envelopes as JSON text. Parsing accepts exactly what the schemas accept, in bounded time; an error is a ValidationError with the JSON
 * Pointer, line and column of everything that is wrong. Writing refuses what could not be parsed again. Dates are written as ISO 8601.
 */
import type { ZodType } from 'zod'
import { parseFailure, parseMessage } from './bounded-json.ts'
import {
  type ErrorDetail,
  ErrorDetailSchema,
  NOT_INFINITE,
  NOT_PROTO,
  type ToolCall,
  ToolCallSchema,
  type ToolResult,
  ToolResultSchema,
} from './envelope.ts'
import { ToolError } from './errors.ts'
import { type Issue, issueTexts, MAX_ISSUES } from './issue.ts'
import { isObject, type JsonObject, pathToInfinite, pathToProto, pointer } from './json.ts'
import { deeperThan, type JsonLocation, JsonLocations, locationAt } from './json-location.ts'
import { toJson } from './serialise.ts'
import { capitalise, kindOf, withArticle } from './text.ts'
import { issuesOf } from './zod-issue.ts'

export interface StringifyOptions {
  /** with line breaks and indentation, for documents; default: compact, for transmission */
  pretty?: boolean
}

/** Throws ToolError ValidationError. */
export const parseToolCall = (json: string): ToolCall => parse('ToolCall', ToolCallSchema, json) as unknown as ToolCall

/** `data`, `error` and `explanation` are null if the text leaves them out. Throws ToolError ValidationError. */
export function parseToolResult(json: string): ToolResult {
  const { status, data = null, error = null, explanation = null, ...rest } = parse('ToolResult', ToolResultSchema, json)
  return {
    status,
    data,
    error: error && withDetails(error as JsonObject),
    explanation,
    ...rest,
  } as unknown as ToolResult
}

/** `error_details` is null if the text leaves it out. Throws ToolError ValidationError. */
export const parseErrorDetail = (json: string): ErrorDetail =>
  withDetails(parse('ErrorDetail', ErrorDetailSchema, json))

const withDetails = ({ error_type, error_message, error_details = null, ...rest }: JsonObject): ErrorDetail =>
  ({ error_type, error_message, error_details, ...rest }) as unknown as ErrorDetail

/** Throws ToolError: SerializationError for what JSON cannot hold, otherwise ValidationError. */
export const stringifyToolCall = (call: ToolCall, options?: StringifyOptions): string =>
  stringify('ToolCall', ToolCallSchema, call, options)

/** Throws like `stringifyToolCall`. */
export const stringifyToolResult = (result: ToolResult, options?: StringifyOptions): string =>
  stringify('ToolResult', ToolResultSchema, result, options)

/** Throws like `stringifyToolCall`. */
export const stringifyErrorDetail = (detail: ErrorDetail, options?: StringifyOptions): string =>
  stringify('ErrorDetail', ErrorDetailSchema, detail, options)

/** Zod would leave a member named `__proto__` out of its copy, and whatever reads the value later might take it for a prototype. */
function parse(name: string, schema: ZodType, json: string): JsonObject {
  if (typeof json !== 'string')
    throw ToolError.of(
      'ValidationError',
      `${capitalise(withArticle(name))} is parsed from a text, not from ${kindOf(json)}.`,
    )
  let value: unknown
  try {
    value = parseMessage(json)
  } catch (thrown) {
    throw syntaxError(name, json, thrown)
  }
  const issues = unsafeMembers(value) ?? envelopeIssues(schema, value)
  if (issues.length > 0) throw invalidEnvelope(name, issues, locator(json))
  return value as JsonObject
}

function stringify(name: string, schema: ZodType, value: unknown, { pretty = false }: StringifyOptions = {}): string {
  const json = toJson(value)
  const issues = envelopeIssues(schema, json)
  if (issues.length > 0) throw invalidEnvelope(name, issues)
  return JSON.stringify(json, null, pretty ? 2 : undefined)
}

/** Zod would list all unknown members of an object, of which a text may have a million. */
export function envelopeIssues(schema: ZodType, value: unknown): Issue[] {
  if (!isObject(value) || !hasMoreMembersThan(value, MAX_ISSUES)) return issuesOf(schema, value)
  return [issueWithoutValue('', `must have at most ${MAX_ISSUES} members`)]
}

/** What may be anywhere in an envelope, also where its schema allows every member. */
function unsafeMembers(value: unknown): Issue[] | undefined {
  const proto = pathToProto(value)
  if (proto !== undefined) return [issueWithoutValue(pointer(proto), NOT_PROTO)]
  const infinite = pathToInfinite(value)
  return infinite && [issueWithoutValue(pointer(infinite), NOT_INFINITE)]
}

const issueWithoutValue = (path: string, constraint: string): Issue => ({
  path,
  constraint,
  message: constraint,
  value: null,
})

function hasMoreMembersThan(value: object, most: number): boolean {
  let count = 0
  for (const _ in value) if (++count > most) return true
  return false
}

type Locate = (path: string) => JsonLocation

export function invalidEnvelope(name: string, issues: readonly Issue[], locate?: Locate): ToolError {
  const located = issues.map((issue) => ({ ...issue, ...locate?.(issue.path) }))
  const [first] = located as (Issue & Partial<JsonLocation>)[]
  const at = first?.line === undefined ? '' : ` (line ${first.line}, column ${first.column})`
  return ToolError.of('ValidationError', `Not ${withArticle(name)}${at}: ${issueTexts(issues)}`, { issues: located })
}

/** Locations cost a second look at the text, and stack for each level of it. */
const MAX_LOCATED = 1_000_000
const MAX_DEPTH = 500

function locator(json: string): Locate | undefined {
  if (json.length > MAX_LOCATED || deeperThan(MAX_DEPTH, json) !== undefined) return undefined
  const locations = new JsonLocations(json)
  return (path) => locations.locationOf(path)
}

function syntaxError(name: string, json: string, thrown: unknown): ToolError {
  const deep = deeperThan(MAX_DEPTH, json, { strings: false })
  const known = json.length <= MAX_LOCATED && deep === undefined
  const location = known ? (new JsonLocations(json).syntaxError ?? locationAt(json, json.length)) : undefined
  const at = location === undefined ? '' : ` (line ${location.line}, column ${location.column})`
  return ToolError.of('ValidationError', `Not ${withArticle(name)}${at}: ${parseFailure(thrown)}`, { ...location })
}
