/**
 * Follows a call that an upstream turned into a task: polls it until it ends, answers its questions, and cancels it when the caller
 * cancels. A client with the tasks extension gets a task of its own. Other clients wait for the result. A step of a run does not wait for
 * a person: its task is cancelled, and the error says which approval of the upstream's ledger the step needs before it is called again.
 */
import { setTimeout } from 'node:timers/promises'
import { Call } from '../../pipeline/call.ts'
import type { RequestScope } from '../../pipeline/request-scope.ts'
import type { WaitsFor } from '../../pipeline/task-hooks.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'
import { META } from '../../protocol/versions.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { toRpcError } from '../upstream/upstream-errors.ts'
import { forwardedMeta } from './forwarded-meta.ts'
import { readQuestions } from './upstream-questions.ts'

const MIN_POLL_MS = 20
const MAX_POLL_MS = 5000
const DEFAULT_POLL_MS = 500
const MAX_REASON = 500

/** `head` is the upstream's first answer. Returns the task's result, which has the shape of an ordinary call result. */
export async function followTask(
  upstream: Upstream,
  head: JsonObject,
  scope: RequestScope,
  carried: JsonObject,
): Promise<JsonObject> {
  const { taskId } = head
  if (typeof taskId !== 'string') {
    throw ToolError.of('ToolExecutionError', `${upstream.name} returned a task without a taskId.`)
  }
  if (scope instanceof Call) scope.later()
  const { signal } = scope
  const ask = (method: string, more: JsonObject = {}): Promise<JsonObject> => {
    const _meta = forwardedMeta(scope, upstream.listing)
    return upstream.request(method, { taskId, ...more, ...(_meta !== undefined && { _meta }) }, { signal })
  }
  const answered = new Set<string>()
  let isGivenUp = false
  const answerQuestions = async ({ inputRequests }: JsonObject): Promise<void> => {
    // A question that was just answered may still be listed.
    const questions = await readQuestions(inputRequests, upstream.name)
    const open = Object.entries(questions).filter(([key]) => !answered.has(key))
    if (open.length === 0) return
    const inputResponses = (await scope.ask(Object.fromEntries(open), { carried })) as JsonObject
    await ask('tasks/update', { inputResponses })
    for (const [key] of open) answered.add(key)
  }
  // A task may take hours. The caller can cancel it.
  scope.deadline?.pause()
  try {
    for (let task = head; ; task = await ask('tasks/get')) {
      const waits = waitsFor(task)
      // Without `waits` it was approved before it was cancelled, and may have had an effect.
      if (isGivenUp && task.status === 'cancelled' && waits !== undefined) throw waitsThere(upstream.name, scope, waits)
      const result = resultOf(task, upstream.name)
      if (result !== undefined) return result
      if (waits !== undefined && !isGivenUp && scope.caller.runContext !== undefined) {
        isGivenUp = true
        // A failed cancellation means that the task has ended.
        await ask('tasks/cancel').catch(() => undefined)
        continue
      }
      if (task.status === 'input_required') await answerQuestions(task)
      await pauseBefore(task.pollIntervalMs, signal)
    }
  } catch (thrown) {
    // Sent without the signal, which is already aborted. A failed cancellation means that the task has ended.
    if (signal.aborted) upstream.request('tasks/cancel', { taskId }).catch(() => undefined)
    throw thrown
  } finally {
    scope.deadline?.resume()
  }
}

/** Undefined: it has not ended. Throws if it ended without a result. */
function resultOf({ status, result, error }: JsonObject, server: string): JsonObject | undefined {
  if (status === 'completed') return isObject(result) ? (result as JsonObject) : {}
  if (status === 'failed') throw toRpcError(error, `${server} reported a failed task without a message.`)
  if (status === 'cancelled') throw ToolError.of('CancelledError', `${server} cancelled the task.`)
  return undefined
}

function waitsFor({ _meta }: JsonObject): WaitsFor | undefined {
  const waits = isObject(_meta) ? _meta[META.waitsFor] : undefined
  if (!isObject(waits) || typeof waits.approval !== 'string' || typeof waits.reason !== 'string') return undefined
  const { approval, reason, denied } = waits
  return { approval, reason, ...(typeof denied === 'string' && { denied }) }
}

function waitsThere(server: string, scope: RequestScope, { approval, reason, denied }: WaitsFor): ToolError {
  const what = scope instanceof Call ? scope.tool.name : 'the request'
  const why = clip(reason, MAX_REASON).replace(/\.$/, '')
  const message = `${what} needs a human's approval in the ledger of ${server}: ${why}. It waits there as approval ${approval}.`
  return ToolError.of('PermissionError', message, {
    approval,
    status: 'waiting',
    ...(denied !== undefined && { denied: { approval: denied } }),
  })
}

/** The time that the server wants between two requests, within bounds. */
export async function pauseBefore(wanted: unknown, signal: AbortSignal): Promise<void> {
  const ms = typeof wanted === 'number' && wanted > 0 ? wanted : DEFAULT_POLL_MS
  try {
    await setTimeout(Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, ms)), undefined, { signal })
  } catch {
    throw signal.reason
  }
}
