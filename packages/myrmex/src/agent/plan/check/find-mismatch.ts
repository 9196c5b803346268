/**
 * Finds a value that a reference may have and that the argument rejects, by containment of schemas (schema/containment.ts). This
 * is slower than the rest of the checker, so it runs for small schemas and for the first references of a plan only.
 */
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import type { CompileSchema } from '../../../schema/containment/witness.ts'
import { checkContainment } from '../../../schema/containment.ts'
import { judge, scopeOf } from '../../../schema/json-schema/judge.ts'
import { clipText } from '../../../schema/json-schema/show-value.ts'
import type { AnalysedSchema } from './alternatives.ts'
import type { ValueShape } from './follow-path.ts'

/** Pairs of schemas in one plan, in the order of its steps, so that the same plan always gets the same warnings. */
const MAX_PAIRS = 30
const MAX_LENGTH = 1_500

/** Only references to these definitions can be copied with a part of a schema. */
const DEFINITIONS = ['$defs', 'definitions'] as const
const ELSEWHERE = /"\$(?:ref":"(?!#\/(?:\$defs|definitions)\/)|dynamicRef|id"|anchor)/

const cache = new WeakMap<ValueShape, WeakMap<object, string | null>>()

/** One for each check of a plan. */
export class MismatchFinder {
  readonly #seen = new Map<ValueShape, Set<object>>()
  #left = MAX_PAIRS

  /** A possible value that is not accepted, as text; undefined if there is none, or if it cannot be decided. */
  mismatch(source: ValueShape, input: AnalysedSchema, schema: unknown): string | undefined {
    if (!isObject(schema) || !this.#mayCompare(source, schema)) return undefined
    const found = getOrMake(cache, source, () => new WeakMap<object, string | null>())
    return getOrMake(found, schema, () => findWitness(source, input, schema as JsonObject) ?? null) ?? undefined
  }

  #mayCompare(source: ValueShape, schema: object): boolean {
    const seen = getOrMake(this.#seen, source, () => new Set<object>())
    if (seen.has(schema)) return true
    if (this.#left === 0) return false
    this.#left--
    seen.add(schema)
    return true
  }
}

function findWitness(
  { schema: reading, alternatives }: ValueShape,
  input: AnalysedSchema,
  schema: JsonObject,
): string | undefined {
  const choices = alternatives.map(({ parts }) => (parts.length === 1 ? parts[0] : { allOf: [...parts] }))
  const narrow = selfContained(
    choices.length === 1 ? (choices[0] as JsonObject) : ({ anyOf: choices } as JsonObject),
    reading,
    POSSIBLE,
  )
  const wide = selfContained(schema, input, 'what is taken')
  if (narrow === undefined || wide === undefined) return undefined
  const answer = checkContainment(narrow, wide, compileOurs)
  if (answer.verdict !== 'not contained' || answer.witness === undefined) return undefined
  return clipText(JSON.stringify(answer.witness))
}

/** The schema on its own, with the definitions it may refer to. */
function selfContained(schema: JsonObject, { root }: AnalysedSchema, $comment: string): JsonObject | undefined {
  const definitions = DEFINITIONS.flatMap((keyword) =>
    root[keyword] === undefined ? [] : [[keyword, root[keyword]] as const],
  )
  const dialect = typeof root.$schema === 'string' ? { $schema: root.$schema } : {}
  const whole = { ...dialect, $comment, allOf: [schema], ...Object.fromEntries(definitions) } as JsonObject
  const text = JSON.stringify(whole)
  return text.length > MAX_LENGTH || ELSEWHERE.test(text) ? undefined : whole
}

/** Marks the schema of the possible values. */
const POSSIBLE = 'what comes'

/**
 * Uses our judge instead of the validator, which takes milliseconds for each schema. If the judge cannot tell, nothing is
 * proved: the value counts neither as possible nor as rejected.
 */
const compileOurs: CompileSchema = (schema) => {
  const scope = scopeOf(schema)
  const inDoubt = schema.$comment === POSSIBLE ? [{ path: [], message: 'the judge cannot decide' }] : []
  return (value) => {
    const judged = judge(schema, value, scope)
    if (judged === 'fits') return []
    return judged === 'unknown' ? inDoubt : judged.map(({ path, why }) => ({ path, message: why }))
  }
}
