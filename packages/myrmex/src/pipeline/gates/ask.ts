/** ask: what the definition wants to know from the client is known before the tool starts, so that it starts once. */
import type { InputResponses } from '../../protocol/content.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { fromThrown } from '../outcome.ts'

export const ask: Gate = (tool, next) => {
  const question = tool.ask
  if (question === undefined) return next
  const go = (call: Call, answers: InputResponses) => {
    call.answers = answers
    return next(call)
  }
  return (call) => {
    // What it wants to know is about running, not about taking it back.
    if (call.undoData !== undefined) return next(call)
    try {
      const requests = question(call.input, call)
      if (requests === undefined || Object.keys(requests).length === 0) return next(call)
      const answers = call.caller.ask(call, requests)
      if (answers instanceof Promise) {
        return answers.then(
          (given) => go(call, given),
          (thrown) => fromThrown(thrown, call.id, tool.errorTypes),
        )
      }
      return go(call, answers)
    } catch (thrown) {
      return fromThrown(thrown, call.id, tool.errorTypes)
    }
  }
}
