/** run: the tool itself, or its undo. Anything it throws becomes a failure here and nowhere else. */
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import type { Gate, Step } from '../gate.ts'
import { type CallEnd, refusal } from '../outcome.ts'
import { runUndo } from '../undo.ts'

const EXPIRED = 'The recorded result of this key has just expired. Send the call again; it will wait for an approval.'

/** Also promises of other libraries, which a tool may return. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/** One of a tool's functions. */
export type ToolBody = (input: unknown, call: Call) => unknown

/** The last gate. It returns the tool's own value, which `check`, right before it, turns into a CallEnd. */
export const run: Gate = (tool) => {
  const { run: body, undo } = tool
  if (undo === undefined) return running(tool, body)
  return running(tool, (input, call) => (call.undoOf === undefined ? body(input, call) : runUndo(call)))
}

/** Starts a function of the tool, unless the call was interrupted on its way here. */
export function running(tool: Tool, body: ToolBody): Step {
  const caught = (call: Call, thrown: unknown): CallEnd => call.endWith(thrown, tool.errorTypes)
  return (call) => {
    // Nobody waits for the result.
    if (call.interrupted !== undefined) return call.endWith(call.interrupted)
    // It was let through to repeat a result that has expired since: this is a new call, which nobody approved.
    if (call.notes.repeatOnly) return refusal('PermissionError', EXPIRED)
    call.taskHooks?.onStart?.()
    call.started = true
    try {
      const returned = body(call.input, call)
      if (isThenable(returned)) {
        return Promise.resolve(returned).catch((thrown) => caught(call, thrown)) as Promise<CallEnd>
      }
      return returned as CallEnd
    } catch (thrown) {
      return caught(call, thrown)
    }
  }
}
