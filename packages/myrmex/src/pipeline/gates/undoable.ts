/**
 * undoable: what a call needs to be undone later is stored before its result leaves. An undo is claimed in the ledger before it runs,
 * so each recorded call is undone once: by one caller, in one process, before a restart or after it. A second undo gets the
 * recorded outcome.
 */
import type { UndoableCall, UndoClaim } from '../../ledger/undoable-calls.ts'
import { errorTypesWhere } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { Call } from '../call.ts'
import { type Gate, guarded, proceed, type Step } from '../gate.ts'
import { type CallEnd, Outcome, refusal } from '../outcome.ts'
import { parseOutcome, storableOutcome } from '../stored-outcome.ts'
import { unrecordedFailure } from './record.ts'

/** How often an undo that waits for another process checks whether that one is done. */
const POLL_MS = 50
/** After any other failure the undo has changed nothing. */
const MAY_HAVE_EFFECT = errorTypesWhere('mayHaveEffect')

export const undoable: Gate = (tool, next) => {
  if (tool.undo === undefined) return next
  return (call) =>
    call.undoOf === undefined ? proceed(call, next, keep, rethrow) : guarded(call, () => undoOnce(call, next))
}

const rethrow = (_call: Call, thrown: unknown): never => {
  throw thrown
}

const keep = (call: Call, ended: CallEnd): CallEnd | Promise<CallEnd> =>
  ended instanceof Outcome && (ended.status === 'success' || ended.status === 'partial_success')
    ? stored(call, ended)
    : ended

async function stored(call: Call, ended: Outcome): Promise<CallEnd> {
  const { tool, caller } = call
  const forwarded_call = forwardedCall(ended)
  try {
    await call.pipeline.ledger.undoableCalls.store({
      call_id: call.id,
      principal: call.principal.id,
      tool: tool.name,
      version: tool.version,
      run: caller.runContext?.run ?? null,
      step: caller.runContext?.step ?? null,
      arguments: call.args ?? {},
      data: ended.data,
      ...(forwarded_call !== undefined && { forwarded_call }),
    })
    return ended
  } catch (thrown) {
    // Like a call that could not be recorded: its caller learns that it ran.
    call.pipeline.observe(call, thrown)
    return unrecordedFailure(true)
  }
}

/** The id of the call on the Myrmex server that it was forwarded to. That server knows it by no other. */
function forwardedCall({ forwarded }: Outcome): string | undefined {
  const meta = isObject(forwarded?._meta) ? forwarded._meta[META.result] : undefined
  if (!isObject(meta)) return undefined
  const id = meta.repeat_of ?? meta.call_id
  return typeof id === 'string' ? id : undefined
}

async function undoOnce(call: Call, next: Step): Promise<CallEnd> {
  const { undoableCalls } = call.pipeline.ledger
  const undone = call.undone as UndoableCall
  for (;;) {
    const claim = await undoableCalls.claim(undone, call.id)
    if (claim.state === 'claimed') return run(call, undone, next)
    if (claim.state === 'done') {
      call.note({ repeatOf: claim.call_id })
      return parseOutcome(claim.outcome)
    }
    if (claim.state === 'lost') {
      if (!isRepeatable(call)) return unknownOutcome(call, claim)
      if (await undoableCalls.takeOver(undone, claim.call_id, call.id)) return run(call, undone, next)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (call.interrupted !== undefined) throw call.interrupted
  }
}

/** An undo with the same key has its effect once, if its tool is keyed. */
const isRepeatable = ({ tool, idempotencyKey }: Call): boolean =>
  tool.idempotent || (tool.keyed && idempotencyKey !== undefined)

async function run(call: Call, undone: UndoableCall, next: Step): Promise<CallEnd> {
  const { undoableCalls } = call.pipeline.ledger
  const ended = await next(call)
  // Not started, coming again, or failed without an effect: it can be tried again.
  if (!call.started || !(ended instanceof Outcome) || (isHarmless(ended) && ended.status === 'failure')) {
    await undoableCalls.release(undone, call.id)
    return ended
  }
  if (ended.status === 'failure' && isRepeatable(call)) {
    await undoableCalls.release(undone, call.id)
    return ended
  }
  const { outcome, text } = storableOutcome(call, ended)
  await undoableCalls.finish(undone, call.id, text)
  return outcome
}

const isHarmless = ({ error }: Outcome): boolean => !MAY_HAVE_EFFECT.has(error?.error_type ?? '')

const unknownOutcome = (
  { tool, undone }: Call,
  { call_id, started_at }: Extract<UndoClaim, { state: 'lost' }>,
): Outcome =>
  refusal(
    'UnavailableError',
    `Call ${undone?.call_id} of ${tool.name} was being undone by call ${call_id}, whose process ended before the undo did. Whether it ` +
      'took effect is unknown, so it is not undone again. Check what the undo should have changed.',
    { call_id, started_at: new Date(started_at).toISOString(), outcome: 'unknown' },
  )
