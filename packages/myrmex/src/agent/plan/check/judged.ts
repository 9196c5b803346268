/** What was found out about a value and a schema: it fits, it does not, or that cannot be told yet. */
import type { ProblemCode } from './problem-codes.ts'

export interface ArgumentFault {
  readonly code: ProblemCode
  /** steps from the value that was judged first */
  readonly path: readonly string[]
  /** why the value there does not fit, to follow its name; `seen` is the value, for those who may show it */
  readonly why: string
  readonly seen?: unknown
  /** a listed value: of several choices it tells which one was meant */
  readonly decides?: true
}

/** Faults: it certainly does not fit, for these reasons. */
export type Judgement = 'fits' | 'doubtful' | readonly ArgumentFault[]

/** Asks about the same value, or one within it. */
export type JudgePart = (schema: unknown, value: unknown, path: readonly string[]) => Judgement

export const newFault = (
  path: readonly string[],
  why: string,
  seen?: unknown,
  code: ProblemCode = 'bad-argument',
): Judgement => [{ code, path, why, seen }]

/** Whoever sends a list of a hundred thousand wrong items need not hear of each. */
const MOST_FAULTS = 100

/** Both must hold. */
export function both(one: Judgement, other: Judgement): Judgement {
  if (typeof one === 'object') return typeof other === 'object' && one.length < MOST_FAULTS ? [...one, ...other] : one
  if (typeof other === 'object') return other
  return one === 'fits' ? other : one
}
