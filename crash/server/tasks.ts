/** Tasks: a client that was given an id finds the task under it for as long as it asks, whichever server it asks. */
import { setTimeout as after } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { answerOf, type CallAnswer, type CallResult, resultOf } from './answer.ts'
import { slow } from './calls.ts'
import type { SeenTask } from './client-record.ts'
import type { Response } from './connection.ts'
import { type SimulatedClient, toolQuestion } from './simulated-client.ts'

const POLL_MS = 10

interface TaskState {
  readonly status: string
  readonly statusMessage?: string
  readonly result?: CallResult
}

export async function work(post: SimulatedClient): Promise<void> {
  const id = post.fresh()
  const response = await post.ask({ ...toolQuestion('crash.work', slow(post, id)), tasks: true })
  if (response === undefined) return
  const told = await follow(post, response, 'crash.work', id)
  if (told !== undefined) post.book.expect('crash.work', id, told)
}

/** From the answer to the call to what came of it: at once, or in the end of its task. */
export async function follow(
  post: SimulatedClient,
  begun: Response,
  tool: string,
  thing: string,
): Promise<CallAnswer | undefined> {
  const first = resultOf<{ resultType: string; taskId: string; status: string }>(begun)
  if (first.resultType !== 'task') return answerOf(first as unknown as CallResult)
  const task: SeenTask = { id: first.taskId, tool, thing, status: first.status, result: undefined }
  post.book.tasks.set(task.id, task)
  for (;;) {
    await after(POLL_MS)
    const state = await lookAt(post, task, false)
    if (state === undefined) return undefined
    if (state.status !== 'working') return state.result === undefined ? undefined : answerOf(state.result)
  }
}

/** `dead`: the server that had the task is known to be gone. */
export async function lookAt(post: SimulatedClient, task: SeenTask, dead: boolean): Promise<TaskState | undefined> {
  const response = await post.ask({ method: 'tasks/get', params: { taskId: task.id }, tasks: true })
  if (response === undefined) return undefined
  const { problems } = post.book
  const of = `task ${task.id} (${task.tool} ${task.thing})`
  if (response.error !== undefined) {
    problems.losing(`${of} was ${task.status} and is not found: ${response.error.message}`)
    return undefined
  }
  const state = resultOf<TaskState>(response)
  const over = task.status !== 'working'
  const changed = task.result !== undefined && !isDeepStrictEqual(state.result, task.result)
  if (over && (state.status !== task.status || changed))
    problems.losing(`${of} was ${task.status} with ${JSON.stringify(task.result)} and is now ${JSON.stringify(state)}`)
  if (state.status === 'completed' && state.result === undefined) problems.losing(`${of} has lost its result`)
  if (state.status === 'working' && dead) problems.losing(`${of} is said to be at work, and its server is dead`)
  if (state.status === 'failed' && !/has ended/.test(state.statusMessage ?? ''))
    problems.losing(`${of} has failed, and not because its server died: ${state.statusMessage}`)
  task.status = state.status
  if (task.result === undefined && state.result !== undefined) {
    task.result = state.result
    post.book.note(task.tool, task.thing, answerOf(state.result))
  }
  return state
}
