/** Keywords that apply other schemas to the same value: references, combinations and conditions. */
import { narrowAlternatives } from '../alternatives.ts'
import type { Check, Evaluation } from './evaluation.ts'
import { asList, asText, type KeywordContext, type KeywordTable } from './keyword.ts'

const branches = (given: unknown, keyword: string, context: KeywordContext): Check[] =>
  asList(given, keyword).map((schema) => context.same(schema, keyword))

/** How many fit, at most `enough`. If none does, the issues tell how to correct the value. */
function countFitting(checks: readonly Check[], value: unknown, run: Evaluation, enough: number): number {
  const before = run.issues.length
  const ends: number[] = []
  let count = 0
  for (const check of checks) {
    if (run.alternative(check, value)) count++
    if (count >= enough) break
    ends.push(run.issues.length)
  }
  if (count > 0) run.issues.length = before
  else if (run.issues.length > before) {
    const branches = ends.map((end, index) => run.issues.slice(index === 0 ? before : ends[index - 1], end))
    run.issues.length = before
    run.issues.push(...narrowAlternatives(branches, run.path))
  }
  return count
}

const reference =
  (keyword: string) =>
  (given: unknown, context: KeywordContext): Check => {
    const check = context.reference(asText(given, keyword))
    return (value, run) => run.branch(check, value)
  }

function conditionCheck(given: unknown, context: KeywordContext): Check {
  const { then: consequence, else: alternative } = context.schema
  const condition = context.same(given, 'if')
  const whenTrue = consequence === undefined ? undefined : context.same(consequence, 'then')
  const whenFalse = alternative === undefined ? undefined : context.same(alternative, 'else')
  return (value, run) => {
    const holds = run.quietly(condition, value)
    const check = holds ? whenTrue : whenFalse
    return check === undefined || run.branch(check, value)
  }
}

export const LOGIC_KEYWORDS: KeywordTable = {
  $ref: reference('$ref'),
  $dynamicRef: reference('$dynamicRef'),
  $recursiveRef: reference('$recursiveRef'),
  allOf: (given, context) => {
    const checks = branches(given, 'allOf', context)
    return (value, run) => {
      let fits = true
      for (const check of checks) {
        if (run.branch(check, value)) continue
        fits = false
        if (run.stopsAtFailure) break
      }
      return fits
    }
  },
  anyOf: (given, context) => {
    const checks = branches(given, 'anyOf', context)
    return (value, run) => {
      // Each that fits may evaluate other members.
      const enough = run.evaluated === undefined ? 1 : checks.length
      return countFitting(checks, value, run, enough) > 0
    }
  },
  oneOf: (given, context) => {
    const checks = branches(given, 'oneOf', context)
    return (value, run) => {
      const count = countFitting(checks, value, run, 2)
      return count === 1 || (count > 1 && run.fail('oneOf'))
    }
  },
  not: (given, context) => {
    const check = context.same(given, 'not')
    return (value, run) => {
      const { evaluated } = run
      run.evaluated = undefined
      const fits = run.quietly(check, value)
      run.evaluated = evaluated
      return !fits || run.fail('not')
    }
  },
  if: conditionCheck,
}
