/**
 * The idempotency key of a call: in a run that of the step, otherwise the caller's, or one made of the caller's own run and step. A call that
 * a tool makes has none, because a tool may call the same tool twice.
 */
import { pointer } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import type { Call } from './call.ts'

export function keyOf(call: Pick<Call, 'caller' | 'depth' | 'meta' | 'context'>): string | undefined {
  const { runContext } = call.caller
  if (runContext !== undefined) return call.depth === 0 ? runContext.key : undefined
  const key = call.meta[META.idempotencyKey]
  if (typeof key === 'string') return key
  if (call.depth > 0 || call.meta[META.context] === undefined) return undefined
  const { run, step } = call.context
  if (typeof run !== 'string' || typeof step !== 'string' || run === '' || step === '') return undefined
  // As a JSON Pointer slashes are escaped, so that no two pairs give the same key.
  return pointer([run, step]).slice(1)
}
