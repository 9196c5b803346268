/**
 * Judges a value by a JSON Schema without compiling it. There are three answers: the value fits, it has faults, or it is
 * `unknown`.
 *
 * - "Fits" and faults are certain: our validator (Ajv, see protocol/ajv.ts) gives the same answer. Property tests compare both.
 * - `unknown` stands for keywords that are not interpreted, for parts of the value that the caller does not know yet, and for
 *   work beyond the budget.
 * - It never throws and its work is bounded, even for malformed or hostile schemas.
 *
 * The linter judges examples with it, containment tests values against parts of schemas, and the plan checker judges arguments
 * before anything runs. All of them avoid compiling, which takes a thousand times as long.
 */
import { dialectOf } from '../../protocol/ajv.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, type JsonObject, resolveRef } from '../../protocol/json.ts'
import { arrayJudgements } from './judge-array.ts'
import { objectJudgements } from './judge-object.ts'
import { judgeScalar } from './judge-scalar.ts'
import { both, type JudgeFault, type Judgement, newFault } from './judgement.ts'

export type SchemaObject = Readonly<Record<string, unknown>>

/** What the keywords of a schema mean depends on the document around it. */
export interface SchemaScope {
  /** draft-07; otherwise 2020-12 */
  readonly draft07: boolean
  /** the schema that a `$ref` names; undefined if there is none in the document */
  resolve(reference: string): unknown
}

/** Choices within choices take long. A judgement that needs more steps than are left is `unknown`. */
export interface JudgeBudget {
  left: number
}

export interface JudgeOptions {
  /** judges a part of the value that is not known yet; returns undefined for a part that is known */
  readonly judgeUnknown?: (part: unknown, schema: unknown, path: readonly string[]) => Judgement | undefined
  /** whether a value contains a part that is not known yet */
  readonly hasUnknown?: (value: unknown) => boolean
  /** missing properties get their default before validation, as the arguments of a call do */
  readonly fillsDefaults?: boolean
  readonly firstFaultOnly?: boolean
  readonly budget?: JudgeBudget
}

export const JUDGE_STEPS = 20_000
/** References that return to themselves without descending into the value end at this depth. */
const MAX_DEPTH = 200

export const DRAFT_07 = 'http://json-schema.org/draft-07/schema'

export const scopeOf = (root: JsonObject): SchemaScope => ({
  draft07: dialectOf(root) === DRAFT_07,
  resolve: (reference) => resolveRef(root, reference),
})

export function judge(schema: unknown, value: unknown, scope: SchemaScope, options: JudgeOptions = {}): Judgement {
  const judging = new Judging(scope, options)
  const judged = judging.judge(schema, value, [])
  return judged === 'fits' && judging.isIncomplete ? 'unknown' : judged
}

/** A part of the value and the schema that judges it. */
export interface JudgedPart<T = unknown> {
  readonly schema: SchemaObject
  readonly value: T
  readonly path: readonly string[]
  readonly judging: Judging
}

export class Judging {
  readonly scope: SchemaScope
  readonly options: JudgeOptions
  /** a part was left out, so no other part can make it certain that the value fits: the validator may not even end there */
  isIncomplete = false
  /** within `not` or `if`, where the validator stops at the first fault */
  stopsAtFirst = false
  readonly #budget: JudgeBudget
  #depth = 0
  /** the value that the schema around the current one is about */
  #around: unknown

  constructor(scope: SchemaScope, options: JudgeOptions) {
    this.scope = scope
    this.options = options
    this.#budget = options.budget ?? { left: JUDGE_STEPS }
  }

  judge(schema: unknown, value: unknown, path: readonly string[]): Judgement {
    if (typeof schema === 'boolean') return schema ? 'fits' : newFault(path, 'must not be there', value)
    if (!isObject(schema)) return 'unknown'
    const unknown = this.options.judgeUnknown?.(value, schema, path)
    if (unknown !== undefined) return unknown
    if (--this.#budget.left < 0 || this.#depth > MAX_DEPTH) {
      this.isIncomplete = true
      return 'unknown'
    }
    const around = this.#around
    const filled = this.options.fillsDefaults === true ? withDefaults(schema, value) : value
    // Defaults that one part of a schema fills in are seen by the parts that the validator runs after it.
    if (filled !== value && value === around) this.isIncomplete = true
    this.#depth++
    let judged = this.#keywords(schema, value, path)
    if (filled !== value) judged = certain(judged, this.#keywords(schema, filled, path))
    this.#depth--
    this.#around = around
    return judged
  }

  #keywords(schema: SchemaObject, value: unknown, path: readonly string[]): Judgement {
    this.#around = value
    let judged: Judgement = 'fits'
    for (const one of this.#judgements(schema, value, path)) {
      judged = both(judged, one)
      if (this.options.firstFaultOnly === true && typeof judged === 'object') break
    }
    return judged
  }

  *#judgements(schema: SchemaObject, value: unknown, path: readonly string[]): Generator<Judgement> {
    const part = { schema, value, path, judging: this }
    yield judgeScalar(part)
    if (Array.isArray(value)) yield* arrayJudgements({ ...part, value })
    else if (isObject(value)) yield* objectJudgements({ ...part, value })
    if (hasInPlace(schema)) yield* this.#inPlace(schema, value, path)
  }

  /** The keywords whose schemas are about the same value. */
  *#inPlace(schema: SchemaObject, value: unknown, path: readonly string[]): Generator<Judgement> {
    const { $ref, allOf, anyOf, oneOf } = schema
    const each = (choices: readonly unknown[]): Judgement[] => choices.map((one) => this.judge(one, value, path))
    if ($ref !== undefined)
      yield this.judge(typeof $ref === 'string' ? this.scope.resolve($ref) : undefined, value, path)
    if (Array.isArray(allOf)) for (const part of allOf) yield this.judge(part, value, path)
    if (Array.isArray(anyOf)) yield anyFits(each(anyOf), path, value)
    if (Array.isArray(oneOf)) yield oneFits(each(oneOf), path, value)
    if (schema.not !== undefined) {
      const denied = this.#condition(schema.not, value, path)
      yield typeof denied === 'object'
        ? 'fits'
        : denied === 'fits'
          ? newFault(path, 'is ruled out by "not"', value)
          : denied
    }
    if (schema.if !== undefined) yield this.#conditional(schema, value, path)
    if (!this.scope.draft07 && NOT_INTERPRETED.some((keyword) => schema[keyword] !== undefined)) yield 'unknown'
  }

  #conditional(schema: SchemaObject, value: unknown, path: readonly string[]): Judgement {
    const met = this.#condition(schema.if, value, path)
    const branch = (inner: unknown): Judgement => (inner === undefined ? 'fits' : this.judge(inner, value, path))
    if (met === 'fits') return branch(schema.then)
    if (met !== 'unknown') return branch(schema.else)
    return branch(schema.then) === 'fits' && branch(schema.else) === 'fits' ? 'fits' : 'unknown'
  }

  #condition(schema: unknown, value: unknown, path: readonly string[]): Judgement {
    const before = this.stopsAtFirst
    this.stopsAtFirst = true
    const judged = this.judge(schema, value, path)
    this.stopsAtFirst = before
    return judged
  }
}

const NOT_INTERPRETED = ['$dynamicRef', '$recursiveRef'] as const
const IN_PLACE: ReadonlySet<string> = new Set([...NOT_INTERPRETED, '$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'])

const inPlace = new WeakMap<SchemaObject, boolean>()

/** Most schemas have none of these keywords, and the same schema is asked again and again. */
const hasInPlace = (schema: SchemaObject): boolean =>
  getOrMake(inPlace, schema, () => Object.keys(schema).some((keyword) => IN_PLACE.has(keyword)))

/** The value with the defaults of its missing properties; the value itself if there are none. */
function withDefaults({ properties }: SchemaObject, value: unknown): unknown {
  if (!isObject(value) || !isObject(properties)) return value
  const missing = Object.entries(properties).filter(
    ([name, child]) => isObject(child) && child.default !== undefined && !Object.hasOwn(value, name),
  )
  if (missing.length === 0) return value
  return { ...value, ...Object.fromEntries(missing.map(([name, child]) => [name, (child as SchemaObject).default])) }
}

/** What holds with and without the defaults: the validator fills them in for some keywords and not for others. */
function certain(plain: Judgement, filled: Judgement): Judgement {
  if (plain === 'fits' && filled === 'fits') return 'fits'
  if (typeof plain !== 'object' || typeof filled !== 'object') return 'unknown'
  const shared = plain.filter(({ path, why }) =>
    filled.some((other) => other.why === why && other.path.join('\n') === path.join('\n')),
  )
  return shared.length === 0 ? 'unknown' : shared
}

function anyFits(choices: readonly Judgement[], path: readonly string[], value: unknown): Judgement {
  if (choices.includes('fits')) return 'fits'
  return choices.includes('unknown') ? 'unknown' : nearestOf(choices as (readonly JudgeFault[])[], path, value)
}

function oneFits(choices: readonly Judgement[], path: readonly string[], value: unknown): Judgement {
  const fitting = choices.filter((choice) => choice === 'fits').length
  if (fitting > 1) return newFault(path, `fits ${fitting} of ${choices.length} choices, and must fit one`, value)
  if (choices.includes('unknown')) return 'unknown'
  return fitting === 1 ? 'fits' : nearestOf(choices as (readonly JudgeFault[])[], path, value)
}

/** All choices failed: the one that was meant has the listed values of the schema, and its faults lie deepest. */
function nearestOf(choices: readonly (readonly JudgeFault[])[], path: readonly string[], value: unknown): Judgement {
  const meant = choices.filter((faults) => !faults.some(({ decides }) => decides))
  const likely = meant.length > 0 ? meant : choices
  const depthOf = (faults: readonly JudgeFault[]): number => Math.min(...faults.map((fault) => fault.path.length))
  const deepest = Math.max(...likely.map(depthOf))
  const nearest = likely.filter((faults) => depthOf(faults) === deepest)
  const [first] = nearest
  if (first !== undefined && (nearest.length === 1 || deepest > path.length)) return first
  const whys = [...new Set(choices.flat().map(({ why }) => why))]
  return newFault(path, whys.length <= 3 ? whys.join(', or ') : `fits none of ${choices.length} choices`, value)
}
