/** record: one line a call, durable before its answer leaves. Where the ledger cannot write, no call starts. */
import { RETRY_AFTER_MS } from '../ledger/error.ts'
import { CODE, RpcError } from '../protocol/errors.ts'
import type { Call } from './call.ts'
import type { Gate, Step } from './gate.ts'
import { lineWriter } from './line.ts'
import { type Ended, failure, isPromise, type Outcome } from './outcome.ts'

export const record: Gate = (tool, next, pipeline) => {
  const { recorder, measures } = pipeline
  const measure = measures.of(tool)
  const lineOf = lineWriter(tool)

  const keep = (call: Call, ended: Ended): Ended | Promise<Ended> => {
    try {
      const line = lineOf(call, ended)
      measures.end()
      measure.count(line.outcome, line.error_type ?? '', line.duration_ms)
      const kept = recorder.record(line)
      if (kept === undefined) return ended
      if (kept instanceof Promise)
        return kept.then(
          () => ended,
          () => unrecorded(call.started),
        )
      call.kept = kept
      return ended
    } catch (thrown) {
      pipeline.observe(call, thrown)
      return unrecorded(call.started)
    }
  }
  /** Our own mistake, in a gate or in a schema: the caller gets the id, the log the cause, and the audit has its line. */
  const fault = (call: Call, thrown: unknown): Ended | Promise<Ended> => {
    pipeline.observe(call, thrown)
    const message = `Internal error. The log has the cause under ${call.id}.`
    return keep(call, new RpcError(CODE.internal, message, { reference: call.id }))
  }
  const start: Step = (call) => {
    let ended: Ended | Promise<Ended>
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
    measures.count(tool, 'failure', 'UnavailableError', 0)
    return unrecordable()
  }
  return (call) => {
    call.time = Date.now()
    measures.begin()
    const failing = recorder.failing?.()
    if (failing === undefined || failing === false) return start(call)
    if (failing === true) return refuse()
    return failing.then((still) => (still ? refuse() : start(call)))
  }
}

/** It is over, and nobody may know what came of it until that is written down; but whether it ran at all, they must. */
export const unrecorded = (ran = true): Outcome =>
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
