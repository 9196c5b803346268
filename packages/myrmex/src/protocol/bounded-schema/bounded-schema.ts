/**
 * JSON Schema (2020-12 and draft-07) for schemas and values that nobody trusts: compiling and checking take bounded time and memory,
 * whatever they are, and at most 20 issues are collected. Schemas of our own tools are checked by faster code (see json-schema.ts),
 * which uses this for the issues of values that do not fit.
 */
import { dialectOf, KNOWN_DIALECTS } from '../ajv.ts'
import { describeIssue, type FoundIssue, type Issue } from '../issue.ts'
import { type JsonObject, pointer } from '../json.ts'
import type { StepBudget } from '../schema.ts'
import type { SecretNames } from '../secret.ts'
import { compileBounded } from './compile.ts'
import { type Check, Evaluation, TooMuchWork } from './evaluation.ts'
import { MAX_STEPS } from './limits.ts'
import { badSchema } from './schema-document.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema'

/** The constraint of an issue that says that the check was given up. */
export const TOO_MUCH_WORK = 'must be small enough to be checked'

export interface BoundedCheckOptions {
  readonly side: 'input' | 'output'
  readonly secrets: SecretNames
  /** default: true */
  readonly checksFormats?: boolean
  /** how many steps one check may take */
  readonly steps?: number
}

/** Returns the issues of a value; none if it fits. With `mayFill` the defaults of the input side are written into it. */
export type BoundedCheck = (value: unknown, mayFill?: boolean, budget?: StepBudget) => Issue[]

/** Throws RegistrationError if the schema is invalid or exceeds a bound. */
export function boundedCheck(source: JsonObject, options: BoundedCheckOptions): BoundedCheck {
  const { side, secrets, checksFormats = true, steps = MAX_STEPS } = options
  const dialect = dialectOf(source)
  if (!KNOWN_DIALECTS.includes(dialect))
    throw badSchema(`is in dialect ${dialect.slice(0, 200)}; supported are ${KNOWN_DIALECTS.join(', ')}`)
  if (Object.hasOwn(source, '$async')) throw badSchema('has "$async", which is no JSON Schema')
  const check = compileBounded(source, { draft07: dialect === DRAFT_07, isInput: side === 'input', checksFormats })
  return (value, mayFill = false, budget = undefined) => {
    if (budget === undefined) return issuesOf(check, value, new Evaluation(steps, mayFill), secrets)
    const run = new Evaluation(Math.min(steps, budget.left), mayFill)
    const issues = issuesOf(check, value, run, secrets)
    budget.left = Math.max(0, budget.left - run.stepsTaken)
    return issues
  }
}

function issuesOf(check: Check, value: unknown, run: Evaluation, secrets: SecretNames): Issue[] {
  try {
    if (check(value, run)) return []
  } catch (thrown) {
    if (!(thrown instanceof TooMuchWork)) throw thrown
    return [{ path: '', constraint: TOO_MUCH_WORK, message: thrown.message, value: null }]
  }
  const described = run.issues.map((found) => describeIssue(found, value, secrets))
  return described.filter((_, index) => !isSpelledOut(run.issues, index))
}

/** The pattern of a text whose format does not fit either: the format says the same in words. */
function isSpelledOut(issues: readonly FoundIssue[], index: number): boolean {
  const { keyword, path } = issues[index] as FoundIssue
  const at = pointer(path)
  return keyword === 'pattern' && issues.some((other) => other.keyword === 'format' && pointer(other.path) === at)
}
