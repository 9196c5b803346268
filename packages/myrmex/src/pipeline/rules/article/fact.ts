/**
 * Facts: numbers that tools return and that an article bounds. They are read by calls through the pipeline, for the same caller,
 * and cached briefly. A fact that cannot be read counts as a breach.
 */
import { canonical } from '../../../protocol/canonical.ts'
import { RpcError, toErrorDetail } from '../../../protocol/errors.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject, pointerSteps, valueAtPath } from '../../../protocol/json.ts'
import type { Call } from '../../call.ts'
import { InputRequired } from '../../outcome.ts'
import type { Pipeline } from '../../pipeline.ts'
import { COMPARISONS } from '../condition.ts'
import { BOUNDS, type FactSource } from '../constitution-schema.ts'
import { formatValue, type Violation } from './breach.ts'

export interface Fact {
  /** The violation; undefined if the fact is within its bounds. */
  violation(call: Call): Promise<Violation | undefined>
}

export function factOf({ fact, ...written }: FactSource): Fact {
  const path = pointerSteps(fact.path)
  const bounds = BOUNDS.flatMap((name) => (written[name] === undefined ? [] : [{ name, bound: written[name] }]))
  const must = bounds.map(({ name, bound }) => `${name.replace('_', ' ')} ${bound}`).join(' and ')
  const bound = Object.fromEntries(bounds.map(({ name, bound: number }) => [name, number]))
  const where = `${fact.path || 'the answer'} of ${fact.tool}`
  return {
    async violation(call) {
      const { data, why } = await answer(call, fact.tool, filled(fact.arguments, call) as Record<string, unknown>)
      const value = valueAtPath(data, path)
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        const found = why ?? `${where} is ${formatValue(value)}, which is no number.`
        return { message: `Whether it is so cannot be found out: ${found}`, value: null, bound }
      }
      if (bounds.every(({ name, bound: limit }) => COMPARISONS[name](value, limit))) return undefined
      return { message: `${where} is ${value}; it must be ${must}.`, value, bound }
    },
  }
}

/** `{"$argument": pointer}` becomes that argument of the call. */
function filled(template: unknown, call: Call): unknown {
  if (Array.isArray(template)) return template.map((item) => filled(item, call))
  if (!isObject(template)) return template
  const { $argument } = template
  if (typeof $argument === 'string' && Object.keys(template).length === 1)
    return valueAtPath(call.args, pointerSteps($argument))
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, filled(item, call)]))
}

interface Answered {
  readonly data?: unknown
  /** why there is none */
  readonly why?: string
}

/** How long a fact is cached. */
const KEPT_MS = 2000
const MAX_CACHED = 1000

interface Kept {
  readonly time: number
  readonly answered: Promise<Answered>
}
const known = new WeakMap<Pipeline, Map<string, Kept>>()

/** Simultaneous calls read a fact once. */
function answer(call: Call, tool: string, args: Record<string, unknown>): Promise<Answered> {
  const { pipeline, principal } = call
  const kept = getOrMake(known, pipeline, () => new Map<string, Kept>())
  const key = canonical([principal.id, principal.scopes ?? null, tool, args])
  const now = performance.now()
  const last = kept.get(key)
  if (last !== undefined && now - last.time < KEPT_MS) return last.answered
  if (kept.size >= MAX_CACHED) kept.clear()
  const answered = ask(call, tool, args)
  kept.set(key, { time: now, answered })
  // A fact that could not be read is read again by the next call.
  void answered.then(({ why }) => why !== undefined && kept.delete(key))
  return answered
}

async function ask(call: Call, name: string, args: Record<string, unknown>): Promise<Answered> {
  const tool = call.pipeline.registry.find(name)
  if (tool === undefined) return { why: `there is no tool ${name}.` }
  if (tool.destructive) return { why: `${name} changes state, and facts are read from tools that do not.` }
  try {
    const { data, error } = await call.pipeline.subCall(call, name, args)
    return error === null ? { data } : { why: `${name} failed: ${error.error_message}` }
  } catch (thrown) {
    if (thrown instanceof InputRequired) return { why: `${name} asks for input.` }
    if (!(thrown instanceof RpcError)) call.pipeline.observe(call, thrown)
    return { why: `${name} failed: ${toErrorDetail(thrown, call.id).error_message}` }
  }
}
