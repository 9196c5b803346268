/**
 * idempotency: the first call of an idempotency key runs; every later one gets its result, in this process or another, before
 * a restart or after it. If the process of a call died, its effect is unknown: the call runs again only if its definition says
 * that this is harmless (`idempotent` or `keyed`).
 */
import type { Claim, IdempotencyKey } from '../../ledger/idempotency.ts'
import { META } from '../../protocol/versions.ts'
import type { Call } from '../call.ts'
import { type Gate, guarded, type Step } from '../gate.ts'
import { type CallEnd, comesAgain, fromThrown, Outcome, refusal } from '../outcome.ts'
import { parseOutcome, storableOutcome } from '../stored-outcome.ts'
import { sentHashOf } from './approve/edited-call.ts'
import { isInterruptedByStop } from './switches.ts'

/** How often the first of the calls that wait for a key checks whether the running one is done. */
const POLL_MS = 50
const MAX_KEY_LENGTH = 200
/** The keys of steps begin with this, and only runs may use them: a step's result is for its run alone. */
const RUN_PREFIX = 'run:'
const RESERVED =
  `Keys that begin with ${RUN_PREFIX} are reserved for runs. ` +
  `Choose another beginning for _meta["${META.idempotencyKey}"], or for run and step.`

export const idempotency: Gate = (_tool, next) => (call) => {
  const given = call.meta[META.idempotencyKey]
  // A caller who sends a key relies on it: an unusable key is an error, not ignored.
  if (given !== undefined && typeof given !== 'string')
    return invalid(`_meta["${META.idempotencyKey}"] must be a string`)
  const key = call.idempotencyKey
  if (key?.startsWith(RUN_PREFIX) && call.caller.runContext === undefined) return invalid(RESERVED)
  // Most calls have no key.
  if (key === undefined) return next(call)
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    const what = `The idempotency key (_meta["${META.idempotencyKey}"], the header Idempotency-Key, or run and step together)`
    return invalid(`${what} must have 1 to ${MAX_KEY_LENGTH} characters; it has ${key.length}`)
  }
  return guarded(call, () => runOnce(call, key, next))
}

async function runOnce(call: Call, key: string, next: Step): Promise<CallEnd> {
  const storeKey = idempotencyKeyOf(call, key)
  const ended = await tryOnce(call, storeKey, next)
  if (ended !== undefined) return ended
  const { principal, tool, run = '' } = storeKey
  const leave = await call.pipeline.keyQueue.enter(JSON.stringify([run, key, principal, tool]), call)
  try {
    for (;;) {
      const late = await tryOnce(call, storeKey, next)
      if (late !== undefined) return late
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if (call.interrupted !== undefined) throw call.interrupted
    }
  } finally {
    leave()
  }
}

/** Undefined: another call with this key is running. */
async function tryOnce(call: Call, storeKey: IdempotencyKey, next: Step): Promise<CallEnd | undefined> {
  const { idempotency: store } = call.pipeline.ledger
  await call.pipeline.unsavedResults.saveAgain(storeKey)
  const claim = await store.claim(storeKey, sentHashOf(call), call.id)
  if (claim.state === 'claimed') return run(call, storeKey, next)
  if (claim.state === 'done') {
    call.note({ repeatOf: claim.call_id })
    return parseOutcome(claim.outcome)
  }
  if (claim.state === 'other') {
    return invalid(
      `The idempotency key ${storeKey.key} belongs to a call of ${call.tool.name} with other arguments. Use a new key.`,
    )
  }
  if (claim.state === 'lease_lost') return leaseLost(call)
  if (claim.state !== 'lost') return undefined
  if (!isRepeatable(call)) return unknownOutcome(call, claim)
  if (!(await store.takeOver(storeKey, claim.call_id, call.id))) return undefined
  call.note({ takenOverCall: claim.call_id })
  return run(call, storeKey, next)
}

/** The key under which the ledger stores the result of a call. */
export function idempotencyKeyOf({ principal, tool, caller: { runContext } }: Call, key: string): IdempotencyKey {
  const common = { principal: principal.id, tool: tool.name, key }
  if (runContext === undefined) return common
  const { run, step, leaseTerm } = runContext
  return { ...common, run, step, ...(leaseTerm !== undefined && { leaseTerm }) }
}

async function run(call: Call, key: IdempotencyKey, next: Step): Promise<CallEnd> {
  const { idempotency: store } = call.pipeline.ledger
  let ended: CallEnd
  try {
    ended = await next(call)
  } catch (thrown) {
    await store.release(key, call.id)
    throw thrown
  }
  // The tool did not run, or asked for input: the next call with this key runs.
  if (!(ended instanceof Outcome) || !call.started || comesAgain(ended)) {
    await store.release(key, call.id)
    return ended
  }
  const stopped = stoppedEnd(call, ended)
  // To run it again does no harm, and for a day callers would only hear that the operator once stopped all calls.
  if (stopped !== undefined && isRepeatable(call)) {
    await store.release(key, call.id)
    return ended
  }
  const { outcome, text } = storableOutcome(call, stopped ?? ended)
  await call.pipeline.unsavedResults.save(key, call.id, text)
  return outcome
}

/** What is known of a call that failed because the operator stopped all calls. Undefined: it succeeded, or failed with an error of its own. */
function stoppedEnd(call: Call, { status, error }: Outcome): Outcome | undefined {
  const { interrupted: why, tool } = call
  if (why === undefined || status !== 'failure' || !isInterruptedByStop(call)) return undefined
  return tool.errorTypes.has(error?.error_type ?? '') ? undefined : (fromThrown(why, call.id) as Outcome)
}

const isRepeatable = ({ tool }: Call): boolean => tool.idempotent || tool.keyed

const invalid = (message: string): Outcome => refusal('ValidationError', message)

const leaseLost = ({ tool, caller: { runContext } }: Call): Outcome =>
  refusal(
    'UnavailableError',
    `${tool.name} was not started: another process executes run ${runContext?.run} now and continues it.`,
    { outcome: 'deposed' },
  )

const unknownOutcome = ({ tool }: Call, { call_id, started_at }: Extract<Claim, { state: 'lost' }>): Outcome =>
  refusal(
    'UnavailableError',
    `${tool.name} was started under this key as call ${call_id}, and its process ended before the call did. Whether it took ` +
      'effect is unknown, so it is not run again. Check what it should have changed; if needed, call it with a new key.',
    { call_id, started_at: new Date(started_at).toISOString(), outcome: 'unknown' },
  )
