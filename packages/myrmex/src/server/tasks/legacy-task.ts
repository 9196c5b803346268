/**
 * A task as clients of 2025-11-25 see it. What differs from the extension of the modern era: a result that is an error makes the task a
 * failed one, a task is cancelled at once, its `ttl` counts from its creation, and its result comes from a request of its own.
 */
import { CODE, invalidParams, RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { TASK_TTL_MS, Task } from './task.ts'
import { type AnyTask, RUNNING_TTL_MS } from './tasks.ts'

export const relatedTask = (taskId: string): JsonObject => ({ [META.relatedTask]: { taskId } })

export const isOver = (status: unknown): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

export function legacyTask(task: AnyTask): JsonObject {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, pollIntervalMs, result } =
    task.detailed() as JsonObject
  const lived = Date.parse(String(lastUpdatedAt)) - Date.parse(String(createdAt))
  return {
    taskId: taskId as string,
    status: isCancelled(task)
      ? 'cancelled'
      : isObject(result) && result.isError === true
        ? 'failed'
        : (status as string),
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: createdAt as string,
    lastUpdatedAt: lastUpdatedAt as string,
    ttl: isOver(status) ? lived + TASK_TTL_MS : RUNNING_TTL_MS,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  }
}

/** Also before its tool has noticed. */
const isCancelled = (task: AnyTask): boolean => task instanceof Task && !task.isOver && task.cancelled

/** What the call would have returned without a task. Throws its error. */
export function legacyResult(task: AnyTask): JsonObject {
  const { taskId, status, result, error } = task.detailed() as JsonObject
  if (isObject(error)) throw new RpcError(Number(error.code), String(error.message), error.data)
  if (status === 'cancelled') throw new RpcError(CODE.invalidRequest, `The task was cancelled: ${String(taskId)}`)
  if (!isObject(result)) throw invalidParams(`The task has no result: ${String(taskId)}`)
  const { resultType: _, _meta, ...said } = result as JsonObject
  const { [META.serverInfo]: __, ...meta } = (_meta ?? {}) as JsonObject
  return { ...said, _meta: { ...meta, ...relatedTask(String(taskId)) } }
}
