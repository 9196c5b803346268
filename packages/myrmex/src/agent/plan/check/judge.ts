/**
 * Whether a value fits a schema, where parts of the value are not known yet. It interprets the schema and compiles nothing: a plan
 * meets most of its tools once. A no is certain; what cannot be told, or would take long, is doubtful and passes, since the
 * pipeline judges every call again. A test holds it against Ajv.
 */
import { isObject, resolveRef } from '../../../protocol/json.ts'
import { isReference, type Reference } from '../plan.ts'
import type { AnalysedSchema, SchemaObject } from './alternatives.ts'
import { judgeItems } from './judge-list.ts'
import { judgeMembers } from './judge-object.ts'
import { judgeScalar } from './judge-scalar.ts'
import { type ArgumentFault, both, type Judgement, type JudgePart, newFault } from './judged.ts'

/** What is said of a value that is not known yet. */
export type JudgeReference = (ref: Reference, schema: unknown, path: readonly string[]) => Judgement

/** How much a judgement may cost: choices within choices take long. What needs more is doubtful, and left to the pipeline. */
export interface JudgeBudget {
  left: number
}
const MOST_STEPS = 20_000

/** A share of what is left of the work for a whole plan. */
export function shareOf<T>(whole: JudgeBudget, judging: (work: JudgeBudget) => T): T {
  const given = Math.min(MOST_STEPS, whole.left)
  const work = { left: given }
  const judged = judging(work)
  whole.left -= given - Math.max(0, work.left)
  return judged
}

/** References that go round without using up the value end here. */
const DEEPEST = 200

export function judge(
  reading: AnalysedSchema,
  value: unknown,
  judgeReference: JudgeReference,
  schema: unknown = reading.root,
  work: JudgeBudget = { left: MOST_STEPS },
): Judgement {
  let depth = 0
  const ask: JudgePart = (asked, part, path) => {
    if (typeof asked === 'boolean') return asked ? 'fits' : newFault(path, 'must not be there', part)
    if (!isObject(asked)) return 'doubtful'
    if (isReference(part)) return judgeReference(part, asked, path)
    if (--work.left < 0 || depth > DEEPEST) return 'doubtful'
    depth++
    const judged = whole(asked, part, path)
    depth--
    return judged
  }
  const whole = (asked: SchemaObject, part: unknown, path: readonly string[]): Judgement => {
    let judged = judgeScalar(asked, part, path)
    if (Array.isArray(part)) judged = both(judged, judgeItems(asked, part, path, ask))
    else if (isObject(part)) judged = both(judged, judgeMembers(asked, part, path, ask))
    return appliesMore(asked) ? applied(judged, asked, part, path, ask, reading) : judged
  }
  return ask(schema, value, [])
}

/** Keywords that depend on how the rest of the schema was judged, or that few have ever met. */
const UNJUDGED = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'] as const
const APPLIED: ReadonlySet<string> = new Set([...UNJUDGED, '$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'])

/** Most schemas have none of these, and are asked again and again. */
function appliesMore(schema: SchemaObject): boolean {
  let more = known.get(schema)
  if (more === undefined) {
    more = Object.keys(schema).some((keyword) => APPLIED.has(keyword))
    known.set(schema, more)
  }
  return more
}
const known = new WeakMap<SchemaObject, boolean>()

/** The keywords whose schemas are about the same value. */
function applied(
  first: Judgement,
  schema: SchemaObject,
  value: unknown,
  path: readonly string[],
  ask: JudgePart,
  reading: AnalysedSchema,
): Judgement {
  const { $ref, allOf, anyOf, oneOf } = schema
  let judged = first
  const also = (more: Judgement): void => {
    judged = both(judged, more)
  }
  if ($ref !== undefined) also(ask(resolveRef(reading.root, $ref), value, path))
  if (Array.isArray(allOf)) for (const part of allOf) also(ask(part, value, path))
  if (Array.isArray(anyOf))
    also(
      some(
        anyOf.map((choice) => ask(choice, value, path)),
        path,
        value,
      ),
    )
  if (Array.isArray(oneOf))
    also(
      one(
        oneOf.map((choice) => ask(choice, value, path)),
        path,
        value,
      ),
    )
  if (schema.not !== undefined) {
    const denied = ask(schema.not, value, path)
    also(
      denied === 'fits'
        ? newFault(path, 'is what the schema rules out', value)
        : denied === 'doubtful'
          ? denied
          : 'fits',
    )
  }
  if (schema.if !== undefined) also(conditional(schema, value, path, ask))
  if (UNJUDGED.some((keyword) => schema[keyword] !== undefined)) also('doubtful')
  return judged
}

function conditional(schema: SchemaObject, value: unknown, path: readonly string[], ask: JudgePart): Judgement {
  const met = ask(schema.if, value, path)
  const follow = (branch: unknown): Judgement => (branch === undefined ? 'fits' : ask(branch, value, path))
  if (met === 'fits') return follow(schema.then)
  if (met !== 'doubtful') return follow(schema.else)
  return follow(schema.then) === 'fits' && follow(schema.else) === 'fits' ? 'fits' : 'doubtful'
}

function some(choices: readonly Judgement[], path: readonly string[], value: unknown): Judgement {
  if (choices.includes('fits')) return 'fits'
  return choices.includes('doubtful') ? 'doubtful' : nearestOf(choices as (readonly ArgumentFault[])[], path, value)
}

function one(choices: readonly Judgement[], path: readonly string[], value: unknown): Judgement {
  const fitting = choices.filter((choice) => choice === 'fits').length
  if (fitting > 1) return newFault(path, `fits ${fitting} of ${choices.length} choices, and must fit one`, value)
  if (choices.includes('doubtful')) return 'doubtful'
  return fitting === 1 ? 'fits' : nearestOf(choices as (readonly ArgumentFault[])[], path, value)
}

/** Of choices that all failed, the one that was meant is one whose listed values are there, and whose faults lie deepest. */
function nearestOf(choices: readonly (readonly ArgumentFault[])[], path: readonly string[], value: unknown): Judgement {
  const meant = choices.filter((faults) => !faults.some(({ decides }) => decides))
  const likely = meant.length > 0 ? meant : choices
  const depthOf = (faults: readonly ArgumentFault[]): number => Math.min(...faults.map((fault) => fault.path.length))
  const deepest = Math.max(...likely.map(depthOf))
  const nearest = likely.filter((faults) => depthOf(faults) === deepest)
  const [first] = nearest
  if (first !== undefined && (nearest.length === 1 || deepest > path.length)) return first
  const whys = [...new Set(choices.flat().map(({ why }) => why))]
  return newFault(path, whys.length <= 3 ? whys.join(', or ') : `fits none of ${choices.length} choices`, value)
}
