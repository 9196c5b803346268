/** limit: token buckets per tool, per principal and over all, counted in the ledger, so that replicas share them. */
import type { Bucket, TakeResult } from '../../ledger/counters.ts'
import type { Limit } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, failure, fromThrown, isPromise, type Outcome } from '../outcome.ts'
import { limitsFor } from '../rules/policy.ts'

const bucket = (id: string, { calls, per_ms }: Limit): Bucket => ({ id, calls, per_ms })

export const limit: Gate = (tool, next, pipeline) => {
  const given = limitsFor(pipeline.policy, tool.name)
  // The operator knows better than the author how much this machine can take.
  const own = given.tool ?? tool.limit
  const fixed: Bucket[] = []
  if (own !== undefined) fixed.push(bucket(`tool:${tool.name}`, own))
  if (given.all !== undefined) fixed.push(bucket('all', given.all))
  const perPrincipal = given.principal
  if (fixed.length === 0 && perPrincipal === undefined) return next

  const judge = (call: Call, taken: TakeResult): CallEnd | Promise<CallEnd> =>
    taken.taken ? next(call) : exceeded(call, taken, [...fixed, ...mine(call)])
  const mine = (call: Call): Bucket[] =>
    perPrincipal === undefined ? [] : [bucket(`principal:${call.principal.id}`, perPrincipal)]
  return (call) => {
    try {
      const taken = pipeline.ledger.counters.take(perPrincipal === undefined ? fixed : [...fixed, ...mine(call)])
      if (!isPromise(taken)) return judge(call, taken)
      return taken.then(
        (late) => judge(call, late),
        (thrown) => fromThrown(thrown, call.id),
      )
    } catch (thrown) {
      return fromThrown(thrown, call.id)
    }
  }
}

function exceeded(call: Call, taken: Extract<TakeResult, { taken: false }>, buckets: readonly Bucket[]): Outcome {
  const full = buckets.find(({ id }) => id === taken.bucket)
  const whose = taken.bucket === 'all' ? 'all calls' : taken.bucket.replace(':', ' ')
  const bound = full === undefined ? '' : ` of ${full.calls} calls per ${full.per_ms} ms`
  return failure({
    error_type: 'ApiLimitExceeded',
    error_message: `${call.tool.name}: the limit${bound} for ${whose} is reached. Try again in ${taken.retry_after_ms} ms.`,
    error_details: { limit: taken.bucket, retry_after_ms: taken.retry_after_ms },
  })
}
