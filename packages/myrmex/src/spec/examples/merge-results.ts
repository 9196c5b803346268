/**
 * One result of several calls with the same arguments: what was the same in all stays, what differed is replaced by a fixed sample.
 * The result is the same whenever and wherever the calls were made.
 */
import { canonical } from '../../protocol/canonical.ts'
import type { ErrorDetail, ToolResult } from '../../protocol/envelope.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { Sampler, sampleNumber } from '../render/sample.ts'
import { wordForName } from '../render/sample-words.ts'
import { resolveSchema, type SchemaNode } from '../schema-view.ts'
import { isPresentTime, stableText } from './stable-text.ts'

export interface MergedResult {
  readonly result: ToolResult
  readonly varying: readonly VaryingValue[]
}

/** A value that differed, and what was put in its place. */
export interface VaryingValue {
  readonly path: readonly string[]
  /** text: parts of a text were replaced. value: the whole value was. */
  readonly replaced: 'text' | 'value'
}

/** What is known about the values. */
export interface ResultSchemas {
  readonly data: JsonObject
  readonly details: JsonObject | undefined
  /** when the calls were made, if their clock was not moved: then times near it are taken for ones that differ */
  readonly now: number | undefined
}

/** Undefined: the calls ended differently. */
export function mergeResults(a: ToolResult, b: ToolResult, schemas: ResultSchemas): MergedResult | undefined {
  if (a.status !== b.status || a.error?.error_type !== b.error?.error_type) return undefined
  const varying: VaryingValue[] = []
  const merge = (schema: JsonObject): Merge => new Merge(schema, schemas.now, varying)
  const data = merge(schemas.data).of(a.data, b.data, schemas.data, ['data'])
  const result: ToolResult = {
    status: a.status,
    data: data as ToolResult['data'],
    error: a.error === null || b.error === null ? null : mergeErrors(a.error, b.error, schemas, merge),
    explanation: mergeTexts(a.explanation, b.explanation, schemas.now) ?? null,
  }
  if (result.explanation !== a.explanation) varying.push({ path: ['explanation'], replaced: 'text' })
  return { result, varying }
}

function mergeErrors(
  a: ErrorDetail,
  b: ErrorDetail,
  { details = {}, now }: ResultSchemas,
  merge: (schema: JsonObject) => Merge,
): ErrorDetail {
  const merging = merge(details)
  const message = mergeTexts(a.error_message, b.error_message, now)
  if (message !== a.error_message) merging.varying.push({ path: ['error', 'error_message'], replaced: 'text' })
  const merged = merging.of(a.error_details ?? null, b.error_details ?? null, details, ['error', 'error_details'])
  return {
    error_type: a.error_type,
    error_message: message ?? 'The message differs from call to call.',
    error_details: merged as JsonObject | string | null,
  }
}

const mergeTexts = (a: string | null, b: string | null, now: number | undefined): string | undefined =>
  a === null || b === null ? undefined : stableText(a, b, now)

class Merge {
  readonly varying: VaryingValue[]
  readonly #root: JsonObject
  readonly #now: number | undefined

  constructor(root: JsonObject, now: number | undefined, varying: VaryingValue[]) {
    this.#root = root
    this.#now = now
    this.varying = varying
  }

  of(a: unknown, b: unknown, node: unknown, path: readonly string[]): unknown {
    if (typeof a === 'string' && typeof b === 'string') return this.#text(a, b, node, path)
    if (typeof a === 'number' && a === b && !isPresentTime(a, this.#now)) return a
    if (typeof a !== 'number' && typeof a !== 'object' && a === b) return a
    const schema = this.#choiceFor(a, node)
    if (Array.isArray(a) && Array.isArray(b)) return this.#list(a, b, schema, path)
    if (isObject(a) && isObject(b)) return this.#members(a, b, schema, path)
    return canonical(a) === canonical(b) && typeof a !== 'number' ? a : this.#sample(a, schema, path)
  }

  /** Of several forms, the one that a value has. */
  #choiceFor(value: unknown, node: unknown): SchemaNode {
    const schema = resolveSchema(node, this.#root)
    const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? []
    const type = Array.isArray(value) ? 'array' : typeof value
    const chosen = choices.map((choice) => resolveSchema(choice, this.#root)).find((choice) => choice.type === type)
    return schema.type === undefined && chosen !== undefined ? chosen : schema
  }

  #text(a: string, b: string, node: unknown, path: readonly string[]): string {
    const text = stableText(a, b, this.#now)
    if (text === a) return a
    if (text === undefined || hasForm(resolveSchema(node, this.#root))) return this.#sample(a, node, path) as string
    this.varying.push({ path, replaced: 'text' })
    return text
  }

  /** Of lists of different lengths, and of lists of nothing but samples, one element shows the form. */
  #list(a: readonly unknown[], b: readonly unknown[], schema: SchemaNode, path: readonly string[]): unknown[] {
    if (a.length !== b.length) this.varying.push({ path, replaced: 'value' })
    const most = a.length === b.length ? a.length : Math.min(a.length, b.length, 1)
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    const items = a.slice(0, most).map((item, index) => {
      return this.of(item, b[index], first[index] ?? schema.items, [...path, String(index)])
    })
    const shown = new Set(items.map(canonical))
    if (items.length < 2 || shown.size > 1 || shown.has(canonical(a[0]))) return items
    this.varying.push({ path, replaced: 'value' })
    return items.slice(0, 1)
  }

  /** A member that is not always there is left out. */
  #members(
    a: Readonly<Record<string, unknown>>,
    b: Readonly<Record<string, unknown>>,
    schema: SchemaNode,
    path: readonly string[],
  ): object {
    const properties = isObject(schema.properties) ? schema.properties : {}
    const names = Object.keys(a).filter((name) => Object.hasOwn(b, name))
    if (names.length !== Object.keys(a).length || names.length !== Object.keys(b).length)
      this.varying.push({ path, replaced: 'value' })
    const members = names.map((name) => {
      const node = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
      return [name, this.of(a[name], b[name], node, [...path, name])]
    })
    return Object.fromEntries(members)
  }

  #sample(value: unknown, node: unknown, path: readonly string[]): unknown {
    this.varying.push({ path, replaced: 'value' })
    const name = path.findLast((step) => !/^\d+$/.test(step)) ?? ''
    const schema = resolveSchema(node, this.#root)
    if (typeof value === 'number' && schema.type === undefined)
      return sampleNumber(schema, name, Number.isInteger(value))
    if (typeof value === 'string' && schema.type === undefined) return wordForName(name)
    return new Sampler(this.#root).of(node, name)
  }
}

/** A text in which a part was replaced may no longer fit. */
const hasForm = ({ format, pattern, enum: values }: SchemaNode): boolean =>
  format !== undefined || pattern !== undefined || values !== undefined
