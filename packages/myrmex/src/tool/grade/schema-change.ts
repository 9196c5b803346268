/** What a change of one schema of a tool means for its calls. Work is bounded: what cannot be decided within it counts as different. */
import { dialectOf } from '../../protocol/ajv.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { WorkExceeded, WorkLimit } from '../../schema/containment/search/work-limit.ts'
import type { CompileSchema } from '../../schema/containment/witness.ts'
import { checkContainment, STEPS } from '../../schema/containment.ts'
import { isSameValue } from '../difference/format.ts'
import { isLoosened } from './loosened-schema.ts'
import { normalSchema } from './schema-equivalences.ts'

/** same: both have the same normal form. wider: an input accepts more, or an output promises more, and nothing else differs. */
export type SchemaChange = 'same' | 'wider' | 'different'

/**
 * Bounds the comparisons of one listing. Ordinary schemas take a millisecond. A single step of a hostile one can take a good part of
 * that, so processor time is bounded as well as steps: that of one comparison, which blocks the process, and that of all together.
 */
const MAX_COMPARISON_MS = 250
const MAX_LISTING_MS = 3000
/** Reading the clock takes a microsecond. */
const STEPS_PER_CHECK = 32

export class GradeBudget {
  #leftMs = MAX_LISTING_MS

  /** What was not compared for that reason may be compared another time. */
  get isSpent(): boolean {
    return this.#leftMs <= 0
  }

  /** Runs one comparison within its share of what is left. */
  spend<T>(compare: (work: WorkLimit) => T): T {
    const start = processorMs()
    try {
      return compare(new TimedWorkLimit(STEPS, start + Math.min(MAX_COMPARISON_MS, this.#leftMs)))
    } finally {
      this.#leftMs -= processorMs() - start
    }
  }
}

/** of this thread: a busy machine makes no schema harder */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

class TimedWorkLimit extends WorkLimit {
  readonly #end: number
  #untilCheck = 0

  constructor(steps: number, end: number) {
    super(steps)
    this.#end = end
  }

  override spend(steps?: number): void {
    super.spend(steps)
    if (--this.#untilCheck > 0) return
    this.#untilCheck = STEPS_PER_CHECK
    if (processorMs() > this.#end) throw new WorkExceeded('too long to compare')
  }
}

export function gradeSchema(
  before: JsonObject,
  after: JsonObject,
  side: 'input' | 'output',
  budget: GradeBudget,
): SchemaChange {
  const normal = { before: normalSchema(before), after: normalSchema(after) }
  if (isSameValue(normal.before, normal.after)) return 'same'
  if (isLarge(before) || isLarge(after)) return 'different'
  const dialects = dialectOf(before) === dialectOf(after) ? 'same' : 'other'
  const [old, now] = [comparable(normal.before, dialects), comparable(normal.after, dialects)]
  if (!(side === 'input' ? isLoosened(old, now) : isLoosened(now, old))) return 'different'
  const [narrow, wide] = side === 'input' ? [before, after] : [after, before]
  // If both accept the same values, the difference means something only to a reader.
  return isContained(narrow, wide, budget) && !isContained(wide, narrow, budget) ? 'wider' : 'different'
}

/** A normal form names its dialect only if its keywords depend on it, so one of the two may lack it. */
const comparable = ({ $schema, ...schema }: JsonObject, dialects: 'same' | 'other'): JsonObject =>
  dialects === 'same' || $schema === undefined ? schema : { ...schema, $schema }

/** Reading a schema takes time before the first step is counted. */
const MAX_CHARACTERS = 64 * 1024
const isLarge = (schema: JsonObject): boolean => JSON.stringify(schema).length > MAX_CHARACTERS

function isContained(narrow: JsonObject, wide: JsonObject, budget: GradeBudget): boolean {
  return budget.spend((work) => checkContainment(narrow, wide, NEVER, work).verdict === 'contained')
}

/** A proof needs no validator. Compiling foreign schemas to find a counterexample would only cost time. */
const NEVER: CompileSchema = () => {
  throw new Error('a proof is wanted, not a counterexample')
}
