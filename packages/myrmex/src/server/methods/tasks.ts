/** `tasks/get`, `tasks/update`, `tasks/cancel`. Only for clients that declare the extension on the request itself. */
import type { InputResponses } from '../../protocol/content.ts'
import { invalidParams } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Exchange } from '../exchange.ts'
import type { Method } from '../methods.ts'
import { complete } from '../result.ts'
import type { Server } from '../server.ts'
import type { Task } from '../tasks.ts'
import { speaksTasks, tasksNeeded } from './tools.ts'

function taskOf(exchange: Exchange, server: Server): Task {
  if (!speaksTasks(exchange)) throw tasksNeeded()
  return server.tasks.find(exchange.params?.taskId, exchange.principal)
}

export const getTask: Method = (exchange, server) => complete(exchange, server, taskOf(exchange, server).detailed())

export const updateTask: Method = (exchange, server) => {
  const task = taskOf(exchange, server)
  const responses = exchange.params?.inputResponses
  if (!isObject(responses)) throw invalidParams('inputResponses must be an object')
  task.update(responses as InputResponses)
  return complete(exchange, server, {})
}

export const cancelTask: Method = (exchange, server) => {
  taskOf(exchange, server).cancel()
  return complete(exchange, server, {})
}
