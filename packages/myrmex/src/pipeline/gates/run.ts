/** run: the tool itself, or its undo. Anything it throws becomes a failure here and nowhere else. */
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, refusal } from '../outcome.ts'
import { runUndo } from '../undo.ts'

const EXPIRED = 'The recorded result of this key has just expired. Send the call again; it will wait for an approval.'

/** Also promises of other libraries, which a tool may return. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/** The last gate. It returns the tool's own value, which `check`, right before it, turns into a CallEnd. */
export const run: Gate = (tool) => {
  const body = tool.run
  const caught = (call: Call, thrown: unknown): CallEnd => call.endWith(thrown, tool.errorTypes)
  return (call) => {
    // Interrupted on its way here: nobody waits for the result.
    if (call.interrupted !== undefined) return call.endWith(call.interrupted)
    // It was let through to repeat a result that has expired since: this is a new call, which nobody approved.
    if (call.notes.repeatOnly) return refusal('PermissionError', EXPIRED)
    call.taskHooks?.onStart?.()
    call.started = true
    try {
      const returned = call.undoOf === undefined ? body(call.input, call) : runUndo(call)
      if (isThenable(returned)) {
        return Promise.resolve(returned).catch((thrown) => caught(call, thrown)) as Promise<CallEnd>
      }
      return returned as CallEnd
    } catch (thrown) {
      return caught(call, thrown)
    }
  }
}
