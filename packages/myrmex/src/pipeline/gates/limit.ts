/** limit: token buckets per tool, per principal and over all calls, counted in the ledger so that replicas share them. */
import type { Bucket, TakeResult } from '../../ledger/counters.ts'
import { couldMean } from '../../tool/possible-resources.ts'
import type { Limit } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed, type Step } from '../gate.ts'
import { type CallEnd, type Outcome, refusal } from '../outcome.ts'
import type { Pipeline } from '../pipeline.ts'
import { limitsFor } from '../rules/policy.ts'

const bucket = (id: string, { calls, per_ms }: Limit): Bucket => ({ id, calls, per_ms })

export const limit: Gate = (tool, next, pipeline) => {
  const given = limitsFor(pipeline.policy, tool, (pattern) => couldMean(tool, pattern))
  // The operator's limit replaces the author's: the operator knows the machine.
  const own = given.tool ?? tool.limit
  const fixed: Bucket[] = []
  if (own !== undefined) fixed.push(bucket(`tool:${tool.name}`, own))
  for (const [pattern, one] of given.possible ?? []) fixed.push(bucket(`tool:${pattern}`, one))
  if (given.all !== undefined) fixed.push(bucket('all', given.all))
  return limited(fixed, given.principal, next, pipeline)
}

/** For calls without a tool: unknown names and malformed calls. There is no bucket for an invented name. */
export function limitCaller(next: Step, pipeline: Pipeline): Step {
  const { all, principal } = pipeline.policy.limits
  return limited(all === undefined ? [] : [bucket('all', all)], principal, next, pipeline)
}

function limited(fixed: Bucket[], perPrincipal: Limit | undefined, next: Step, pipeline: Pipeline): Step {
  if (fixed.length === 0 && perPrincipal === undefined) return next
  const bucketsOf = (call: Call): Bucket[] =>
    perPrincipal === undefined ? fixed : [...fixed, bucket(`principal:${call.principal.id}`, perPrincipal)]
  const take = (call: Call) => pipeline.ledger.counters.take(bucketsOf(call))
  const decide = (call: Call, taken: TakeResult): CallEnd | Promise<CallEnd> =>
    taken.taken ? next(call) : exceeded(call, taken, bucketsOf(call))
  return (call) => proceed(call, take, decide)
}

function exceeded(call: Call, taken: Extract<TakeResult, { taken: false }>, buckets: readonly Bucket[]): Outcome {
  call.note({ isUnread: true })
  const full = buckets.find(({ id }) => id === taken.bucket)
  const whose = taken.bucket === 'all' ? 'all calls' : taken.bucket.replace(':', ' ')
  const bound = full === undefined ? '' : ` of ${full.calls} calls per ${full.per_ms} ms`
  return refusal(
    'ApiLimitExceeded',
    `${call.tool.name}: the limit${bound} for ${whose} is reached. Try again in ${taken.retry_after_ms} ms.`,
    { limit: taken.bucket, retry_after_ms: taken.retry_after_ms },
  )
}
