/**
 * What new rules would allow that the old ones do not, as phrases. It errs on the side of "loosened": a change that it cannot compare
 * counts as one.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Limit } from '../../tool/tool.ts'
import type { Constitution } from './constitution.ts'
import type { Policy } from './policy.ts'
import { matchesName } from './policy.ts'

export interface Rules {
  readonly policy: Policy
  readonly constitution: Constitution
}

export const loosenedRules = (before: Rules, now: Rules): string[] => [
  ...loosenedApprovals(before.policy, now.policy),
  ...loosenedLimits(before.policy, now.policy),
  ...loosenedCallers(before.policy, now.policy),
  ...loosenedArticles(before.constitution, now.constitution),
]

function loosenedApprovals({ approvals: before }: Policy, { approvals: now }: Policy): string[] {
  const gone = before.filter((rule) => !now.some((one) => isDeepStrictEqual(one, rule)))
  // A rule that asks wins over one that allows.
  const allowing = now.filter(
    (rule) => rule.otherwise === 'allow' && !before.some((one) => isDeepStrictEqual(one, rule)),
  )
  return [
    ...gone.map(({ name }) => `the approval rule "${name}" was changed or removed`),
    ...allowing
      .filter(({ name }) => !gone.some((rule) => rule.name === name))
      .map(({ name }) => `the approval rule "${name}" allows calls`),
  ]
}

function loosenedLimits({ limits: before }: Policy, { limits: now }: Policy): string[] {
  const loosened = (['all', 'principal'] as const).filter((name) => !isAtMost(now[name], before[name]))
  const [old, fresh] = [before.tools ?? {}, now.tools ?? {}]
  const tools = Object.keys(old).filter((pattern) => !isAtMost(fresh[pattern], old[pattern]))
  // The most exact pattern counts, and replaces the others and the limit of the tool itself.
  const added = Object.keys(fresh).filter((pattern) => old[pattern] === undefined)
  return [
    ...loosened.map((name) => `the limit of ${name === 'all' ? 'all calls' : 'each principal'} was raised or removed`),
    ...tools.map((pattern) => `the limit of ${pattern} was raised or removed`),
    ...added.map((pattern) => `the limit of ${pattern} replaces another one`),
  ]
}

const isAtMost = (now: Limit | undefined, before: Limit | undefined): boolean =>
  before === undefined || (now !== undefined && now.calls <= before.calls && now.per_ms >= before.per_ms)

function loosenedCallers(before: Policy, now: Policy): string[] {
  const found = now.principals.flatMap((principal) => {
    const same = before.principals.find(({ token_sha256 }) => token_sha256 === principal.token_sha256)
    if (same === undefined) return [`the principal ${principal.id} is new, or has a new token`]
    if (same.id !== principal.id) return [`the principal ${same.id} has another id`]
    const wider = principal.scopes.filter((scope) => !same.scopes.some((one) => matchesName(one, scope)))
    if (wider.length > 0) return [`the principal ${principal.id} has more scopes: ${wider.join(', ')}`]
    const isFreed = same.profile !== undefined && same.profile !== principal.profile
    return isFreed ? [`the principal ${principal.id} has another profile`] : []
  })
  if (now.jwt !== undefined && !isDeepStrictEqual(before.jwt, now.jwt)) found.push('jwt was changed')
  // Without any token, callers on this machine need none.
  const hadCallers = before.principals.length > 0 || before.jwt !== undefined
  if (hadCallers && now.principals.length === 0 && now.jwt === undefined) found.push('no caller has a token any more')
  return found
}

function loosenedArticles(before: Constitution, now: Constitution): string[] {
  const gone = before.articles.filter((article) => !now.articles.some((one) => isDeepStrictEqual(one, article)))
  const found = gone.map(({ name }) => `the article "${name}" was changed or removed`)
  const hasPeriods = before.articles.some(({ at_most }) => at_most !== undefined)
  if (hasPeriods && before.time_zone !== now.time_zone) found.push('the time zone of the constitution was changed')
  return found
}
