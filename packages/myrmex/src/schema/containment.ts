/**
 * Whether every value that one JSON Schema accepts is accepted by another. "Contained" and "not contained" are certain and agree
 * with our validator. Everything else is undecided, with a reason. Defaults are not filled in. `multipleOf` is compared for
 * numbers up to 2^53.
 *
 * How it works: both schemas are read (schema-document.ts) and turned into formulas (formula/). The search (search/) looks for a
 * value that the first accepts and the second rejects. A value that it finds is confirmed by the validator (witness.ts).
 */
import { messageOf } from '../protocol/errors.ts'
import { type Json, type JsonObject, pointer } from '../protocol/json.ts'
import { Evaluator } from './containment/evaluate.ts'
import { literal, SchemaInterner } from './containment/formula/interned-schema.ts'
import { locateSchema } from './containment/locate.ts'
import { readSchema, SchemaRefusal } from './containment/schema-document.ts'
import { Search } from './containment/search/search.ts'
import type { PathStep, SearchResult } from './containment/search/search-result.ts'
import { WorkExceeded, WorkLimit } from './containment/search/work-limit.ts'
import { type CompileSchema, compileForeign, WitnessCheck } from './containment/witness.ts'

export type Containment =
  | { readonly verdict: 'contained' }
  | { readonly verdict: 'not contained'; readonly where: string; readonly why: string; readonly witness?: Json }
  | { readonly verdict: 'undecided'; readonly where: string; readonly why: string }

/**
 * Whether every JSON value that `narrow` accepts is accepted by `wide`. `where` is a JSON pointer into `narrow`. Tests that
 * compare thousands of schemas pass their own `compile`. `work` bounds the time, also of several comparisons together.
 */
export function checkContainment(
  narrow: JsonObject | boolean,
  wide: JsonObject | boolean,
  compile: CompileSchema = compileForeign,
  work: WorkLimit = new WorkLimit(STEPS),
): Containment {
  try {
    return compared(narrow, wide, compile, work)
  } catch (error) {
    if (error instanceof WorkExceeded) return undecided('', 'too much to compare')
    // A schema is not plain data, or overflowed the stack.
    return undecided('', `it cannot be compared: ${messageOf(error)}`)
  }
}

const undecided = (where: string, why: string): Containment => ({ verdict: 'undecided', where, why })

/** the steps of one comparison, if the caller sets no limit */
export const STEPS = 60_000

function compared(narrow: unknown, wide: unknown, compile: CompileSchema, work: WorkLimit): Containment {
  const small = readSchema(narrow)
  if (small instanceof SchemaRefusal) return undecided(small.where, `the first schema: ${small.why}`)
  const large = readSchema(wide)
  if (large instanceof SchemaRefusal) return undecided(large.where, `the second schema: ${large.why}`)
  const nodes = new SchemaInterner()
  const evaluator = new Evaluator(work)
  const search = new Search(nodes, evaluator, work)
  const goal = [literal(nodes.intern(small.root, small)), literal(nodes.intern(large.root, large), false)]
  if (goal[0]?.node === goal[1]?.node) return { verdict: 'contained' }
  const judge = new WitnessCheck(small, large, compile)
  const answer = search.prove(goal, (value) => judge.isWitness(value))
  // A witness is still valid then, but a proof would not be.
  const doubt = small.unprovable ?? large.unprovable
  if (answer.kind === 'empty' && doubt !== undefined) return undecided(doubt.where, doubt.why)
  return explained(answer, judge, (path, value) => pointer(locateSchema(small, evaluator, path, value)))
}

function explained(
  answer: SearchResult,
  judge: WitnessCheck,
  locate: (path: readonly PathStep[], value?: Json) => string,
): Containment {
  if (answer.kind === 'empty') return { verdict: 'contained' }
  if (answer.kind === 'some' || (answer.value !== undefined && judge.isWitness(answer.value))) {
    const witness = answer.value as Json
    const { path, why } = judge.refusal(witness)
    return { verdict: 'not contained', where: locate(path, witness), why, witness }
  }
  return undecided(locate(answer.path), judge.failure ?? answer.why)
}
