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

export function reviseByRules(request: ReviseRequest): JsonObject | null {
  const failing = request.verdict.judgements.filter(({ verdict }) => verdict === 'revise' || verdict === 'fail')
  let args = request.arguments
  for (const place of argumentsOf(request.tool.input)) {
    const value = better(place, args[place.name], failing, request.step.criteria ?? [])
    if (value === undefined) continue
    const changed = { ...args, [place.name]: value }
    if (argumentProblems(request.tool, changed).length === 0) args = changed
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

function better(
  place: Argument,
  now: Json | undefined,
  failing: readonly Judgement[],
  criteria: readonly Criterion[],
): Json | undefined {
  if (place.means === KEYWORDS || place.name === KEYWORDS) return withKeywords(place, now, failing, criteria)
  if (place.kind === 'choice') return asked(place.name, failing, criteria)
  if (!place.optional || !(TAKES_ADVICE.has(place.means) || TAKES_ADVICE.has(place.name))) return undefined
  const said = failing.flatMap(({ suggestion }) => (suggestion === null ? [] : [suggestion]))
  return said.length === 0 ? undefined : joined(place, now, said, ' ')
}

/** The criterion itself names the words; without them there is nothing that a list of keywords could take. */
function withKeywords(
  place: Argument,
  now: Json | undefined,
  failing: readonly Judgement[],
  criteria: readonly Criterion[],
): Json | undefined {
  const words = settingsOf('keyword_coverage', failing, criteria).flatMap(({ keywords }) =>
    Array.isArray(keywords) ? keywords.filter((word) => typeof word === 'string') : [],
  )
  return words.length === 0 ? undefined : joined(place, now, words, ', ')
}

/** `{"name": "length", "max_words": 50}` failed, and the tool has a number `max_words`: it becomes 50. */
function asked(name: string, failing: readonly Judgement[], criteria: readonly Criterion[]): Json | undefined {
  if (name === 'name') return undefined
  const values = failing.flatMap(({ criterion }) => settingsOf(criterion, failing, criteria)).map((one) => one[name])
  return values.find((value) => typeof value === 'number' || typeof value === 'string')
}

const settingsOf = (name: string, failing: readonly Judgement[], criteria: readonly Criterion[]) =>
  failing.some(({ criterion }) => criterion === name)
    ? criteria
        .filter((one) => typeof one !== 'string')
        .filter((one) => (criterionNamed(one.name)?.name ?? one.name) === name)
    : []

/** What is there stays, and nothing is said twice. */
function joined(place: Argument, now: Json | undefined, said: readonly string[], between: string): Json | undefined {
  if (place.kind === 'texts') {
    const list = [...new Set([...(Array.isArray(now) ? now : []), ...said])]
    return typeof place.schema.maxItems === 'number' ? list.slice(0, place.schema.maxItems) : list
  }
  if (place.kind !== 'text') return undefined
  const before = typeof now === 'string' && now !== '' ? [now] : []
  const fresh = said.filter((text) => !before.some((old) => old.includes(text)))
  const text = [...before, ...new Set(fresh)].join(between)
  return typeof place.schema.maxLength === 'number' ? text.slice(0, place.schema.maxLength) : text
}
