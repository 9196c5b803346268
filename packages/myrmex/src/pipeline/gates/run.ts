/** run: the tool itself, or its undo. Whatever it throws becomes a failure here and nowhere else. */
import { ToolError } from '../../protocol/errors.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, fromThrown } from '../outcome.ts'
import { runUndo } from '../undo.ts'

const GONE = 'The recorded result of this key has just lapsed. Send the call again; it will wait for an approval.'

/** Promises of every make: a tool may come with a library of its own. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/** The last gate. What the tool returned is not an Ended yet: `check`, right above, makes it one. */
export const run: Gate = (tool) => {
  const body = tool.run
  const caught = (call: Call, thrown: unknown): CallEnd => {
    const ended = fromThrown(thrown, call.id, tool.errorTypes)
    // A tool that was told to stop and throws because of it has done what it should.
    if (call.interrupted === undefined) call.pipeline.observe(call, thrown)
    return ended
  }
  return (call) => {
    // Stopped on its way here: nobody waits for it any more.
    if (call.interrupted !== undefined) return fromThrown(call.interrupted, call.id)
    // The result it came for is gone since it was let through: it is a new call, and was not approved.
    if (call.repeatsOnly) return fromThrown(ToolError.of('PermissionError', GONE), call.id)
    if (call.onStart !== undefined) call.onStart()
    call.started = true
    try {
      const returned = call.undoData === undefined ? body(call.input, call) : runUndo(call)
      if (isThenable(returned)) {
        return Promise.resolve(returned).catch((thrown) => caught(call, thrown)) as Promise<CallEnd>
      }
      return returned as CallEnd
    } catch (thrown) {
      return caught(call, thrown)
    }
  }
}
