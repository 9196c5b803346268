/** record: one audit record per call, durable before the result leaves. If the ledger cannot write, no call starts. */
import { RETRY_AFTER_MS } from '../../ledger/ledger-error.ts'
import { recordBuilder } from '../audit/call-record.ts'
import { endWithoutSecrets, hasSecrets } from '../audit/call-secrets.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed, type Step } from '../gate.ts'
import { type CallEnd, Fault, type Outcome, refusal } from '../outcome.ts'

export const record: Gate = (tool, next, pipeline) => {
  const { recorder, metrics } = pipeline
  const toolMetrics = metrics.of(tool)
  const recordOf = recordBuilder(tool)

  const isSecretive = hasSecrets(tool)

  const write = (call: Call, end: CallEnd): CallEnd | Promise<CallEnd> => {
    try {
      const ended = isSecretive || call.answerRounds.length > 0 ? endWithoutSecrets(call, end) : end
      const callRecord = recordOf(call, ended)
      metrics.end()
      toolMetrics.count(callRecord.outcome, callRecord.error_type ?? '', callRecord.duration_ms)
      const written = recorder.record(callRecord)
      if (written === undefined) return ended
      if (written instanceof Promise)
        return written.then(
          () => ended,
          () => unrecordedFailure(call.started),
        )
      call.pendingWrite = written
      return ended
    } catch (thrown) {
      pipeline.observe(call, thrown)
      return unrecordedFailure(call.started)
    }
  }
  const fault = (call: Call, thrown: unknown): CallEnd | Promise<CallEnd> => {
    pipeline.observe(call, thrown)
    call.noteCause(thrown)
    return write(call, new Fault(call.id))
  }
  const start: Step = (call) => proceed(call, next, write, fault)
  const refuse = (): Outcome => {
    metrics.end()
    toolMetrics.count('failure', 'UnavailableError', 0)
    return refusal(
      'UnavailableError',
      'The call was not started: the ledger cannot write, and no call runs without an audit record.',
      { retry_after_ms: RETRY_AFTER_MS },
    )
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

/** The call ended but could not be recorded: its result is withheld, but the caller learns whether the tool ran. */
export const unrecordedFailure = (ran = true): Outcome =>
  refusal(
    'UnavailableError',
    ran
      ? 'The call ran but could not be recorded, so its result is withheld. The ledger cannot write; ask the operator.'
      : 'The call did not run, and that could not be recorded either. The ledger cannot write; ask the operator.',
    { retry_after_ms: RETRY_AFTER_MS },
  )
