/**
 * The context of an agent in this process while it plans or judges. Its calls go through the fleet's pipeline under its own name and
 * reach only its own tools, as if it ran in its own process.
 */
import type { Caller } from '../../pipeline/caller.ts'
import { cancellation } from '../../pipeline/outcome.ts'
import type { Pipeline } from '../../pipeline/pipeline.ts'
import { RequestScope } from '../../pipeline/request-scope.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plainCaller } from '../../server/exchange.ts'
import type { MethodContext } from '../../tool/context.ts'

export class AgentScope extends RequestScope implements MethodContext {
  readonly depth = 0
  readonly #pipeline: Pipeline

  constructor(pipeline: Pipeline, agent: string) {
    super(callerOf(agent), undefined)
    this.#pipeline = pipeline
  }

  call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return this.#pipeline.subCall(this, name, args)
  }

  /** Returns when the work is done or the signal aborts, whether or not the agent handles the signal. */
  until<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (signal === undefined) return work()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.interrupt(cancellation())
        reject(this.interrupted)
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      work()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stop))
    })
  }
}

const callerOf = (agent: string): Caller => ({
  // A caller that asks for a plan receives no notifications.
  ...plainCaller(
    'direct',
    Object.freeze({ id: `agent:${agent}`, kind: 'agent', scopes: Object.freeze([`${agent}.*`]) }),
  ),
  ask: () => {
    throw ToolError.of(
      'UnavailableError',
      `Nobody can be asked while ${agent} plans. Put it into the plan's questions.`,
    )
  },
})
