/**
 * Follows a call that a server of 2025-11-25 runs as a task. The host fetches the result at once: the request stays open until the task
 * ends, and the server can ask meanwhile. If the request is lost, the task is polled until it can be fetched again. The task is
 * cancelled when the caller cancels. A client that speaks tasks gets a task of its own. Other clients wait for the result.
 */
import { Call } from '../../pipeline/call.ts'
import { InputRequired } from '../../pipeline/outcome.ts'
import type { RequestScope } from '../../pipeline/request-scope.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { TaskSupport } from '../../tool/task-support.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { hasLegacyTasks } from './forwarded-meta.ts'
import { pauseBefore } from './upstream-task.ts'

/** How long the server may keep the task. It may choose another time. */
const TTL_MS = 7 * 24 * 3_600_000

/** The member `task` of a call that shall become one. A tool that leaves the choice runs as one if its caller gets one too. */
export function taskParams(
  support: TaskSupport | undefined,
  scope: RequestScope,
  { listing }: Upstream,
): JsonObject | undefined {
  if (support === undefined || listing === undefined || !hasLegacyTasks(listing)) return undefined
  const isWanted = support === 'required' || (scope instanceof Call && scope.taskHooks !== undefined)
  return isWanted ? { ttl: TTL_MS } : undefined
}

/** Undefined: the server has answered the call itself. */
export const createdTask = ({ task }: JsonObject): JsonObject | undefined =>
  isObject(task) && typeof task.taskId === 'string' ? (task as JsonObject) : undefined

/** `fetch` sends `tasks/result`. Returns its result, which is that of the call. */
export async function followLegacyTask(
  upstream: Upstream,
  task: JsonObject,
  scope: RequestScope,
  fetch: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const { taskId } = task as { taskId: string }
  if (scope instanceof Call) scope.later()
  const { signal } = scope
  // A task may take hours. The caller can cancel it.
  scope.deadline?.pause()
  try {
    for (;;) {
      try {
        return await fetch()
      } catch (thrown) {
        if (signal.aborted) cancelUpstreamTask(upstream, taskId)
        if (signal.aborted || thrown instanceof InputRequired) throw thrown
        const now = await upstream.request('tasks/get', { taskId }, { signal }).catch(() => undefined)
        if (now === undefined) throw thrown
        if (isOver(now, upstream.name)) return await fetch()
        await pauseBefore(now.pollInterval, signal)
      }
    }
  } finally {
    scope.deadline?.resume()
  }
}

/** Throws if it ended without a result. */
function isOver({ status }: JsonObject, server: string): boolean {
  if (status === 'cancelled') throw ToolError.of('CancelledError', `${server} cancelled the task.`)
  return status === 'completed' || status === 'failed'
}

/** Nobody waits for it any more. A failed cancellation means that the task has ended, or that the server cannot cancel. */
export const cancelUpstreamTask = (upstream: Upstream, taskId: Json | undefined): void =>
  void upstream.request('tasks/cancel', { taskId: taskId as Json }).catch(() => undefined)
