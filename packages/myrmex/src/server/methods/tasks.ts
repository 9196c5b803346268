/** `tasks/get`, `tasks/update`, `tasks/cancel`, for clients that declare the extension in the request. */
import type { InputResponses } from '../../protocol/content.ts'
import { invalidParams } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Exchange } from '../exchange.ts'
import { withEnvelope } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import { Task } from '../tasks/task.ts'
import type { AnyTask, TaskRecord } from '../tasks/tasks.ts'
import type { Method } from './method-table.ts'
import { supportsTasks, tasksCapabilityMissing } from './tools.ts'

function taskOf(exchange: Exchange, server: Server): Promise<AnyTask> {
  if (!supportsTasks(exchange)) throw tasksCapabilityMissing()
  return server.tasks.find(exchange.params?.taskId, exchange.principal)
}

export const getTask: Method = async (exchange, server) => {
  const task = await taskOf(exchange, server)
  const result = withEnvelope(exchange, task.detailed())
  const own = task instanceof Task ? task.ownMeta : undefined
  return own === undefined ? result : { ...result, _meta: { ...server.meta, ...own } }
}

export const updateTask: Method = async (exchange, server) => {
  const task = await taskOf(exchange, server)
  const responses = exchange.params?.inputResponses
  if (!isObject(responses)) throw invalidParams('inputResponses must be an object')
  if (task instanceof Task) task.update(responses as InputResponses)
  else refuseElsewhere(task)
  return withEnvelope(exchange, {})
}

export const cancelTask: Method = async (exchange, server) => {
  const task = await taskOf(exchange, server)
  if (task instanceof Task) task.cancel()
  else refuseElsewhere(task)
  return withEnvelope(exchange, {})
}

/** A finished task needs nothing. One in another process cannot be reached from here. */
export function refuseElsewhere({ isInOtherProcess }: TaskRecord): void {
  if (isInOtherProcess)
    throw invalidParams('This task runs in another process on the same ledger. Ask the process that started it.')
}
