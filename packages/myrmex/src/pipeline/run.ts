/** run: the tool itself. Whatever it throws becomes a failure here and nowhere else. */
import type { Call } from './call.ts'
import type { Gate } from './gate.ts'
import { type Ended, fromThrown, isPromise } from './outcome.ts'

/** The last gate. What the tool returned is not an Ended yet: `check`, right above, makes it one. */
export const run: Gate = (tool) => {
  const body = tool.run
  const caught = (call: Call, thrown: unknown): Ended => {
    const ended = fromThrown(thrown, call.id, tool.errorTypes)
    call.pipeline.observe(call, thrown)
    return ended
  }
  return (call) => {
    if (call.onStart !== undefined) call.onStart()
    try {
      const returned = body(call.input, call)
      if (isPromise(returned)) return returned.then(undefined, (thrown) => caught(call, thrown)) as Promise<Ended>
      return returned as Ended
    } catch (thrown) {
      return caught(call, thrown)
    }
  }
}
