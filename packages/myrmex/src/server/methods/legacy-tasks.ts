/**
 * Tasks of 2025-11-25, for clients of that revision: the client asks for a task with `tools/call`, polls `tasks/get`, and fetches the
 * result with `tasks/result`, which stays open until the task ends and carries the questions of its tool.
 */
import type { InputRequest, InputResponse } from '../../protocol/content.ts'
import { CODE, invalidParams, RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { missingCapabilities } from '../client-input.ts'
import type { Exchange } from '../exchange.ts'
import { readCursor, writeCursor } from '../results/page.ts'
import type { Server } from '../server.ts'
import { isOver, legacyResult, legacyTask, relatedTask } from '../tasks/legacy-task.ts'
import { Task } from '../tasks/task.ts'
import type { AnyTask } from '../tasks/tasks.ts'
import type { Method } from './method-table.ts'
import { refuseElsewhere } from './tasks.ts'

function assertTasks({ hasLegacyTasks, method }: Exchange): void {
  if (!hasLegacyTasks) throw new RpcError(CODE.methodNotFound, `Method not found: ${method}`)
}

function taskOf(exchange: Exchange, server: Server): Promise<AnyTask> {
  assertTasks(exchange)
  return server.tasks.find(exchange.params?.taskId, exchange.principal)
}

export const getLegacyTask: Method = async (exchange, server) => legacyTask(await taskOf(exchange, server))

export const listLegacyTasks: Method = async (exchange, server) => {
  assertTasks(exchange)
  const { tasks, last } = await server.tasks.list(exchange.principal, keyOf(exchange.params?.cursor))
  return { tasks: tasks.map(legacyTask), ...(last !== undefined && { nextCursor: writeCursor(last) }) }
}

/** Cursors come from clients, which can write anything into them. */
function keyOf(cursor: unknown): string | undefined {
  const key = readCursor(cursor)
  if (key !== undefined && !/^\d{1,15} [\w-]{1,64}$/.test(key))
    throw invalidParams('The cursor was not issued by this server.')
  return key
}

export const cancelLegacyTask: Method = async (exchange, server) => {
  const task = await taskOf(exchange, server)
  const { taskId, status } = legacyTask(task)
  if (isOver(status)) throw invalidParams(`The task has ended: ${String(taskId)} is ${String(status)}`)
  if (!(task instanceof Task)) {
    refuseElsewhere(task)
    return legacyTask(task)
  }
  task.cancel()
  // It may be ending for another reason.
  while (!task.isOver && !task.cancelled) await task.nextChange
  return legacyTask(task)
}

export const legacyTaskResult: Method = async (exchange, server) => {
  const task = await taskOf(exchange, server)
  if (task instanceof Task) await untilOver(task, exchange)
  else refuseElsewhere(task)
  return legacyResult(task)
}

/** Asks the client what the tool asks. The latest request does, because the stream of an earlier one may be lost. */
async function untilOver(task: Task, exchange: Exchange): Promise<void> {
  const stopped = new AbortController()
  const gone = Promise.withResolvers<never>()
  // Nobody waits for it once the task is over.
  gone.promise.catch(() => {})
  exchange.onCancel = () => {
    stopped.abort()
    gone.reject(new RpcError(CODE.invalidRequest, 'The request was cancelled.'))
  }
  const signal = AbortSignal.any([stopped.signal, task.takeQuestions()])
  const asked = new Set<string>()
  try {
    while (!task.isOver) {
      const { nextChange } = task
      for (const [key, question] of Object.entries(task.openQuestions)) {
        if (signal.aborted || asked.has(key) || cannotAnswer(question, exchange)) continue
        asked.add(key)
        askNow(task, key, { question, exchange, signal })
      }
      await Promise.race([nextChange, gone.promise])
    }
  } finally {
    // Questions that nobody needs an answer to any more are withdrawn.
    stopped.abort()
  }
}

/** The task may have been started by another client of the same principal. */
const cannotAnswer = (question: InputRequest, { capabilities }: Exchange): boolean =>
  missingCapabilities({ question }, capabilities) !== undefined

interface Asked {
  readonly question: InputRequest
  readonly exchange: Exchange
  readonly signal: AbortSignal
}

function askNow(task: Task, key: string, { question, exchange, signal }: Asked): void {
  const _meta = { ...(question.params?._meta as JsonObject | undefined), ...relatedTask(task.taskId) }
  const about = { ...question, params: { ...question.params, _meta } } as InputRequest
  exchange.askNow({ [key]: about }, signal).then(
    (answers) => task.update({ [key]: withoutRelatedTask(answers[key] as InputResponse) }),
    // If it was only this request that ended, the next one asks again.
    (thrown) => signal.aborted || task.refuse(key, thrown),
  )
}

function withoutRelatedTask(answer: InputResponse): InputResponse {
  const { _meta, ...said } = answer as JsonObject
  if (!isObject(_meta)) return answer
  const { [META.relatedTask]: _, ...meta } = _meta as JsonObject
  return { ...said, ...(Object.keys(meta).length > 0 && { _meta: meta }) } as InputResponse
}
