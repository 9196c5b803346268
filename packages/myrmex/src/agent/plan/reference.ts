/**
 * References in the arguments of a step to earlier results, and their resolution. A value with `$from` is never data: it is a
 * reference or a mistake. Only own properties are followed.
 */

import { isObject, type Json, type JsonObject, pointer, pointerSteps } from '../../protocol/json.ts'
import { kindOf } from '../../protocol/text.ts'
import type { JudgeOptions } from '../../schema/json-schema/judge.ts'
import { clipText, showValue } from '../../schema/json-schema/show-value.ts'
import { isReference, type Reference } from './plan.ts'

export type ResolvedArguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly at: string; readonly ref: Reference; readonly why: string }

/** Limit for nested arguments. It also ends the walk through cyclic values. */
export const MAX_DEPTH = 64

/** A visited value. Its path is computed only on demand. */
export interface PathNode {
  readonly value: unknown
  readonly key: string
  readonly depth: number
  readonly above: PathNode | undefined
}

export function pathTo(stop: PathNode): string[] {
  const path: string[] = []
  for (let here = stop; here.above !== undefined; here = here.above) path.push(here.key)
  return path.reverse()
}

/** A value with `$from`: a reference, or a mistake. */
export interface FoundReference {
  readonly path: readonly string[]
  readonly value: Reference
}

/** Every value with `$from`, at any depth, in the order of the arguments. */
export function* findReferences(args: unknown): Generator<FoundReference> {
  const left: PathNode[] = [{ value: args, key: '', depth: 0, above: undefined }]
  for (let stop = left.pop(); stop !== undefined; stop = left.pop()) {
    const { value, depth } = stop
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue
    if (isReference(value)) {
      yield { path: pathTo(stop), value }
      continue
    }
    for (const key of Object.keys(value).reverse()) {
      const inner = memberOf(value, key)
      if (typeof inner === 'object' && inner !== null) left.push({ value: inner, key, depth: depth + 1, above: stop })
    }
  }
}

const containsReference = (value: unknown): boolean => findReferences(value).next().done !== true

/** Judges arguments in which references are not known yet. Missing properties get their defaults before a call. */
export const WITH_REFERENCES: JudgeOptions = {
  judgeUnknown: (part) => (isReference(part) ? 'unknown' : undefined),
  hasUnknown: containsReference,
  fillsDefaults: true,
}

const memberOf = (value: object, key: string): unknown => (value as Record<string, unknown>)[key]

/** Longer than any path in a real result. */
const MAX_PATH_LENGTH = 1_000

/** RFC 6901: empty, or steps that each begin with a slash; a tilde only in ~0 and ~1. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

/** What is wrong with a value with `$from`; undefined for a valid reference. */
export function referenceMistake(value: Reference): string | undefined {
  const { $from, path } = value as Record<string, unknown>
  const more = Object.keys(value).filter((key) => key !== '$from' && key !== 'path')
  if (typeof $from !== 'string') return `$from must be the id of a step, not ${showValue($from)}`
  if (!Object.hasOwn(value, 'path')) return 'path is missing: a JSON pointer into the result, or "" for all of it'
  if (typeof path !== 'string') return `path must be a JSON pointer, not ${showValue(path)}`
  if (more.length > 0) return `a reference has $from and path and nothing else, and here is also ${showValue(more[0])}`
  if (path.length > MAX_PATH_LENGTH)
    return `path has ${path.length} characters; at most ${MAX_PATH_LENGTH} are followed`
  if (path !== '' && !path.startsWith('/')) return `path ${showValue(path)} is no JSON pointer: it must begin with /`
  return POINTER.test(path) ? undefined : `path ${showValue(path)} is no JSON pointer: ~ stands only in ~0 and ~1`
}

/** Replaces every reference by its value. Results are data, even if they contain `$from`. */
export function resolveReferences(args: JsonObject, dataOf: (step: string) => unknown): ResolvedArguments {
  try {
    return { ok: true, value: mapReferences(args, (ref, path) => resolved(ref, path, dataOf)) as JsonObject }
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
    return { ok: false, at: pointer(error.path), ref: error.ref, why: error.message }
  }
}

class Unresolved extends Error {
  readonly path: readonly string[]
  readonly ref: Reference

  constructor(path: readonly string[], ref: Reference, why: string) {
    super(why)
    this.path = path
    this.ref = ref
  }
}

/** The arguments with null for each reference: what is known before anything runs. */
export const withoutReferences = (args: unknown): Json => mapReferences(args, () => null) as Json

/** A copy in which each reference, and each value nested too deeply, is replaced. */
function mapReferences(
  value: unknown,
  replace: (value: object, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value) || path.length > MAX_DEPTH) return replace(value, path)
  if (Array.isArray(value)) return value.map((item, index) => mapReferences(item, replace, [...path, String(index)]))
  // Unlike an assignment, this creates an own property for any name.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapReferences(item, replace, [...path, key])]),
  )
}

function resolved(value: object, path: readonly string[], dataOf: (step: string) => unknown): unknown {
  if (path.length > MAX_DEPTH) {
    throw new Unresolved(path, { $from: '', path: '' }, `the arguments are nested more than ${MAX_DEPTH} levels deep`)
  }
  const ref = value as Reference
  const mistake = referenceMistake(ref)
  if (mistake !== undefined) throw new Unresolved(path, ref, mistake)
  const data = dataOf(ref.$from)
  if (data === undefined) throw new Unresolved(path, ref, `step ${ref.$from} has no result`)
  let here: unknown = data
  const done: string[] = []
  for (const step of pointerSteps(ref.path)) {
    const why = obstacle(here, step)
    if (why !== undefined) {
      const place = done.length === 0 ? 'it' : pointer(done)
      throw new Unresolved(path, ref, `the result of ${ref.$from} has no ${clipText(ref.path)}: ${place} is ${why}`)
    }
    here = memberOf(here as object, step)
    done.push(step)
  }
  return here
}

export const INDEX = /^(?:0|[1-9][0-9]*)$/

/** Why this step cannot be followed. */
function obstacle(here: unknown, step: string): string | undefined {
  if (Array.isArray(here)) {
    if (step === '-') return `${inWords(here)}, and - names the place after the last`
    if (!INDEX.test(step)) return `${inWords(here)}, and ${showValue(step)} is no index`
    return Number(step) < here.length ? undefined : `${inWords(here)}, so there is no ${clipText(step)}`
  }
  if (!isObject(here)) return `${inWords(here)}, which has nothing inside`
  if (Object.hasOwn(here, step) && here[step] !== undefined) return undefined
  return `${inWords(here)} without ${showValue(step)}`
}

function inWords(value: unknown): string {
  return typeof value === 'object' ? showValue(value) : kindOf(value)
}
