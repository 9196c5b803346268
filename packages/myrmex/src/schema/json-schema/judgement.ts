/** The three answers of the schema judge, and how two of them combine. */

export interface JudgeFault {
  /** missing: a required property is absent. unexpected: the schema allows no such property. unfit: reported by the caller. */
  readonly code: 'invalid' | 'missing' | 'unexpected' | 'unfit'
  /** keys that lead from the judged value to the faulty part */
  readonly path: readonly string[]
  /** a predicate that follows the name of the part, such as "must be string" */
  readonly why: string
  /** the faulty part, for callers that may show it */
  readonly seen?: unknown
  /** a const or enum mismatch: if all choices fail, it tells which of them was not meant */
  readonly decides?: true
}

/** Faults: the value certainly does not fit, for these reasons. */
export type Judgement = 'fits' | 'unknown' | readonly JudgeFault[]

export const newFault = (
  path: readonly string[],
  why: string,
  seen?: unknown,
  code: JudgeFault['code'] = 'invalid',
): Judgement => [{ code, path, why, seen }]

/** A list of a hundred thousand wrong items is reported by its first faults. */
const MAX_FAULTS = 100

/** Both must hold. */
export function both(one: Judgement, other: Judgement): Judgement {
  if (typeof one === 'object') return typeof other === 'object' && one.length < MAX_FAULTS ? [...one, ...other] : one
  if (typeof other === 'object') return other
  return one === 'fits' ? other : one
}
