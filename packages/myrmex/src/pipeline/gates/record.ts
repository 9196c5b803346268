/** record: one line a call, durable before its answer leaves. Where the ledger cannot write, no call starts. */
import { RETRY_AFTER_MS } from '../../ledger/ledger-error.ts'
import { CODE, RpcError } from '../../protocol/errors.ts'
import { recordBuilder } from '../audit/call-record.ts'
import type { Call } from '../call.ts'
import type { Gate, Step } from '../gate.ts'
import { type CallEnd, failure, isPromise, type Outcome } from '../outcome.ts'

export const record: Gate = (tool, next, pipeline) => {
  const { recorder, metrics } = pipeline
  const measure = metrics.of(tool)
  const lineOf = recordBuilder(tool)

  const keep = (call: Call, ended: CallEnd): CallEnd | Promise<CallEnd> => {
    try {
      const line = lineOf(call, ended)
      metrics.end()
      measure.count(line.outcome, line.error_type ?? '', line.duration_ms)
      const kept = recorder.record(line)
      if (kept === undefined) return ended
      if (kept instanceof Promise)
        return kept.then(
          () => ended,
          () => unrecordedFailure(call.started),
        )
      call.pendingWrite = kept
      return ended
    } catch (thrown) {
      pipeline.observe(call, thrown)
      return unrecordedFailure(call.started)
    }
  }
  /** Our own mistake, in a gate or in a schema: the caller gets the id, the log the cause, and the audit has its line. */
  const fault = (call: Call, thrown: unknown): CallEnd | Promise<CallEnd> => {
    pipeline.observe(call, thrown)
    const message = `Internal error. The log has the cause under ${call.id}.`
    return keep(call, new RpcError(CODE.internal, message, { reference: call.id }))
  }
  const start: Step = (call) => {
    let ended: CallEnd | Promise<CallEnd>
    try {
      ended = next(call)
    } catch (thrown) {
      return fault(call, thrown)
    }
    if (!isPromise(ended)) return keep(call, ended)
    return ended.then(
      (value) => keep(call, value),
      (thrown) => fault(call, thrown),
    )
  }
  const refuse = (): Outcome => {
    metrics.count(tool, 'failure', 'UnavailableError', 0)
    return unrecordable()
  }
  return (call) => {
    call.time = Date.now()
    metrics.begin()
    const failing = recorder.failing?.()
    if (failing === undefined || failing === false) return start(call)
    if (failing === true) return refuse()
    return failing.then((still) => (still ? refuse() : start(call)))
  }
}

/** It is over, and nobody may know what came of it until that is written down; but whether it ran at all, they must. */
export const unrecordedFailure = (ran = true): Outcome =>
  failure({
    error_type: 'UnavailableError',
    error_message: ran
      ? 'The call ran but could not be recorded, so its result is withheld. The ledger cannot write; ask the operator.'
      : 'The call did not run, and that could not be recorded either. The ledger cannot write; ask the operator.',
    error_details: { retry_after_ms: RETRY_AFTER_MS },
  })

const unrecordable = (): Outcome =>
  failure({
    error_type: 'UnavailableError',
    error_message: 'The call was not started: the ledger cannot write, and what is not recorded does not run.',
    error_details: { retry_after_ms: RETRY_AFTER_MS },
  })
