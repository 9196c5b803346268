/**
 * The context of an agent in this process while it plans or judges. Its calls go through the fleet's pipeline under its own name and
 * reach only its own tools, as if it ran in its own process.
 */
import { untilAborted } from '../../host/upstream/upstream-errors.ts'
import type { Caller } from '../../pipeline/caller.ts'
import { cancellation } from '../../pipeline/outcome.ts'
import type { Pipeline } from '../../pipeline/pipeline.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plainCaller } from '../../server/exchange.ts'
import { MethodScope } from '../../server/server.ts'
import type { MethodContext } from '../../tool/context.ts'

/** Returns when the work is done or the signal aborts, whether or not the agent handles the signal. */
export async function asAgent<T>(
  agent: string,
  pipeline: Pipeline,
  signal: AbortSignal | undefined,
  work: (ctx: MethodContext) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw cancellation()
  const scope = new MethodScope(pipeline, callerOf(agent), undefined)
  const stop = (): void => scope.interrupt(cancellation())
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await untilAborted(work(scope), scope)
  } finally {
    signal?.removeEventListener('abort', stop)
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
