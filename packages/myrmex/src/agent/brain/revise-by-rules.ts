/**
 * Revising without a model: fills arguments for feedback, for keywords, and for the number that a criterion asks for.
 * What comes out fits the tool's input schema and differs from what was tried; where there is nothing to say, null.
 */
import { isObject, type Json, type JsonObject, resolveRef } from '../../protocol/json.ts'
import { criterionNamed } from '../critic/criteria/registry.ts'
import type { Judgement } from '../critic/verdict.ts'
import type { Criterion } from '../plan/plan.ts'
import { argumentProblems } from './arguments.ts'
import type { ReviseRequest } from './brain.ts'

/** Names or type_ids of arguments that take advice for a better result. */
const TAKES_ADVICE = new Set(['feedback', 'suggestions', 'instructions', 'notes', 'hints'])
const KEYWORDS = 'keywords'

export function reviseByRules({ tool, step, verdict, ...request }: ReviseRequest): JsonObject | null {
  const failing = verdict.judgements.filter((one) => one.verdict === 'revise' || one.verdict === 'fail')
  let args = request.arguments
  for (const argument of argumentsOf(tool.input)) {
    const value = betterValue(argument, args[argument.name], failing, step.criteria ?? [])
    if (value === undefined) continue
    const changed = { ...args, [argument.name]: value }
    if (argumentProblems(tool, changed).length === 0) args = changed
  }
  return JSON.stringify(args) === JSON.stringify(request.arguments) ? null : args
}

interface Argument {
  readonly name: string
  /** its type_id, or its name */
  readonly means: string
  readonly optional: boolean
  readonly kind: 'text' | 'texts' | 'choice' | 'other'
  readonly schema: Record<string, unknown>
}

function argumentsOf(input: JsonObject): Argument[] {
  const required = Array.isArray(input.required) ? input.required : []
  return Object.entries(isObject(input.properties) ? input.properties : {}).map(([name, child]) => {
    const own = isObject(child) ? child : {}
    const target = resolveRef(input, own.$ref)
    const schema = isObject(target) ? { ...target, ...own } : own
    const means = typeof schema.type_id === 'string' ? schema.type_id : name
    return { name, means, optional: !required.includes(name), kind: kindOf(schema), schema }
  })
}

function kindOf(schema: Record<string, unknown>): Argument['kind'] {
  if (Array.isArray(schema.enum) || schema.type === 'number' || schema.type === 'integer') return 'choice'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'array' && isObject(schema.items) && schema.items.type === 'string') return 'texts'
  return 'other'
}

function betterValue(
  argument: Argument,
  now: Json | undefined,
  failing: readonly Judgement[],
  criteria: readonly Criterion[],
): Json | undefined {
  const { name, means, kind } = argument
  const settings = failing.flatMap(({ criterion }) => settingsOf(criterion, criteria))
  if (means === KEYWORDS || name === KEYWORDS) {
    const isCoverage = failing.some(({ criterion }) => criterion === 'keyword_coverage')
    const lists = isCoverage ? settingsOf('keyword_coverage', criteria).map(({ keywords }) => keywords) : []
    return joined(argument, now, lists.filter(Array.isArray).flat().filter(isText), ', ')
  }
  // `{"name": "length", "max_words": 50}` failed, and the tool has a number `max_words`: it becomes 50.
  if (kind === 'choice' && name !== 'name')
    return settings.map((one) => one[name]).find((value) => typeof value === 'number' || isText(value)) as
      | Json
      | undefined
  if (!argument.optional || !(TAKES_ADVICE.has(means) || TAKES_ADVICE.has(name))) return undefined
  return joined(argument, now, failing.map(({ suggestion }) => suggestion).filter(isText), ' ')
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The parameters of a criterion, under any spelling of its name. */
const settingsOf = (name: string, criteria: readonly Criterion[]) =>
  criteria
    .filter((one) => typeof one !== 'string')
    .filter((one) => (criterionNamed(one.name)?.name ?? one.name) === name)

/** Adds texts to the present value, each once. */
function joined(
  { kind, schema }: Argument,
  now: Json | undefined,
  texts: readonly string[],
  between: string,
): Json | undefined {
  if (texts.length === 0) return undefined
  if (kind === 'texts') {
    const list = [...new Set([...(Array.isArray(now) ? now : []), ...texts])]
    return typeof schema.maxItems === 'number' ? list.slice(0, schema.maxItems) : list
  }
  if (kind !== 'text') return undefined
  const before = typeof now === 'string' && now !== '' ? [now] : []
  const fresh = texts.filter((text) => !before.some((old) => old.includes(text)))
  const text = [...before, ...new Set(fresh)].join(between)
  return typeof schema.maxLength === 'number' ? text.slice(0, schema.maxLength) : text
}
