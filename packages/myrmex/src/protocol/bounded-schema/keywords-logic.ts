/** Keywords that apply other schemas to the same value: references, combinations and conditions. */
import type { Check, Evaluation } from './evaluation.ts'
import { asList, asText, type KeywordContext, type KeywordTable } from './keyword.ts'

const branches = (given: unknown, keyword: string, context: KeywordContext): Check[] =>
  asList(given, keyword).map((schema) => context.same(schema, keyword))

/** How many fit, at most `enough`. Issues of the others stay if none does: they tell how to correct the value. */
function countFitting(checks: readonly Check[], value: unknown, run: Evaluation, enough: number): number {
  const before = run.issues.length
  let count = 0
  for (const check of checks) {
    if (run.alternative(check, value)) count++
    if (count >= enough) break
  }
  if (count > 0) run.issues.length = before
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
    if (check === undefined || run.branch(check, value)) return true
    const failingKeyword = holds ? 'then' : 'else'
    return run.fail('if', `must match "${failingKeyword}" schema`, { failingKeyword })
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
      return countFitting(checks, value, run, enough) > 0 || run.fail('anyOf', 'must match a schema in anyOf')
    }
  },
  oneOf: (given, context) => {
    const checks = branches(given, 'oneOf', context)
    return (value, run) =>
      countFitting(checks, value, run, 2) === 1 || run.fail('oneOf', 'must match exactly one schema in oneOf')
  },
  not: (given, context) => {
    const check = context.same(given, 'not')
    return (value, run) => {
      const { evaluated } = run
      run.evaluated = undefined
      const fits = run.quietly(check, value)
      run.evaluated = evaluated
      return !fits || run.fail('not', 'must NOT be valid')
    }
  },
  if: conditionCheck,
}
