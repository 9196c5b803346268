/**
 * once: the first call of an idempotency key runs; every later one gets what came of it, in this process or another, before
 * a restart or after. Of a call that died on the way nobody knows what it did, so it runs again only if that is harmless, which
 * its definition says: idempotent, or keyed.
 */
import type { Claim, IdempotencyKey } from '../../ledger/idempotency.ts'
import { META } from '../../protocol/versions.ts'
import type { Call } from '../call.ts'
import type { Gate, Step } from '../gate.ts'
import { type CallEnd, failure, fromThrown, Outcome } from '../outcome.ts'
import { parseOutcome, storableOutcome } from '../stored-outcome.ts'

/** How often a call that waits for another process looks whether it is done. */
const LOOK_EVERY_MS = 50
const LONGEST_KEY = 200
/** The keys of a run's steps begin so. Nobody else can have one: what a step did is told to its run alone. */
const OF_RUNS = 'run:'
const RESERVED =
  `Keys that begin with ${OF_RUNS} are those of runs. ` +
  `Give _meta["${META.idempotencyKey}"], or run and step, another beginning.`

export const idempotency: Gate = (_tool, next) => (call) => {
  const given = call.meta[META.idempotencyKey]
  // Whoever sends a key relies on it: one that cannot be used is not passed over.
  if (given !== undefined && typeof given !== 'string') return wrong(`_meta["${META.idempotencyKey}"] must be a string`)
  const key = call.idempotencyKey
  if (key?.startsWith(OF_RUNS) && call.caller.runContext === undefined) return wrong(RESERVED)
  // Nearly every call comes without.
  if (key === undefined) return next(call)
  if (key.length === 0 || key.length > LONGEST_KEY) {
    const what = `_meta["${META.idempotencyKey}"], or run and step together,`
    return wrong(`${what} must have 1 to ${LONGEST_KEY} characters; it has ${key.length}`)
  }
  return runOnce(call, key, next).catch((thrown) => fromThrown(thrown, call.id))
}

async function runOnce(call: Call, key: string, next: Step): Promise<CallEnd> {
  const { idempotency: records } = call.pipeline.ledger
  const place = idempotencyKeyOf(call, key)
  for (;;) {
    await call.pipeline.unsavedResults.saveAgain(place)
    const claim = await records.claim(place, call.argsHash, call.id)
    if (claim.state === 'claimed') return run(call, place, next)
    if (claim.state === 'done') {
      call.repeatOf = claim.call_id
      return parseOutcome(claim.outcome)
    }
    if (claim.state === 'other') {
      return wrong(
        `The idempotency key ${key} belongs to a call of ${call.tool.name} with other arguments. Take a new key.`,
      )
    }
    if (claim.state === 'deposed') return deposed(call)
    if (claim.state === 'lost') {
      if (!call.tool.idempotent && !call.tool.keyed) return lost(call, claim)
      if (await records.takeOver(place, claim.call_id, call.id)) {
        call.takenOverCall = claim.call_id
        return run(call, place, next)
      }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    if (call.interrupted !== undefined) throw call.interrupted
  }
}

/** Where what came of a keyed call is kept. */
export function idempotencyKeyOf({ principal, tool, caller: { runContext } }: Call, key: string): IdempotencyKey {
  const place = { principal: principal.id, tool: tool.name, key }
  if (runContext === undefined) return place
  const { run, step, leaseTerm, concurrency } = runContext
  return {
    ...place,
    run,
    step,
    ...(leaseTerm !== undefined && { leaseTerm }),
    ...(concurrency !== undefined && { concurrency }),
  }
}

async function run(call: Call, place: IdempotencyKey, next: Step): Promise<CallEnd> {
  const { idempotency: records } = call.pipeline.ledger
  let ended: CallEnd
  try {
    ended = await next(call)
  } catch (thrown) {
    await records.release(place, call.id)
    throw thrown
  }
  // A question, a client that cannot be asked, a caller who was gone too soon: when the call comes again, it runs.
  if (!(ended instanceof Outcome) || !call.started) {
    await records.release(place, call.id)
    return ended
  }
  const { outcome, text } = storableOutcome(call, ended)
  await call.pipeline.unsavedResults.save(place, call.id, text)
  return outcome
}

const wrong = (error_message: string): Outcome => failure({ error_type: 'ValidationError', error_message })

const deposed = ({ tool, caller: { runContext } }: Call): Outcome =>
  failure({
    error_type: 'UnavailableError',
    error_message: `${tool.name} was not begun: run ${runContext?.run} is led by another process now, which goes on with it.`,
    error_details: { outcome: 'deposed' },
  })

const lost = ({ tool }: Call, { call_id, started_at }: Extract<Claim, { state: 'lost' }>): Outcome =>
  failure({
    error_type: 'UnavailableError',
    error_message:
      `${tool.name} was started under this key as call ${call_id}, and its process ended before it did. Whether it took ` +
      'effect is not known, so it is not run again. Look at what it was to change; then call with a new key if need be.',
    error_details: { call_id, started_at: new Date(started_at).toISOString(), outcome: 'unknown' },
  })
