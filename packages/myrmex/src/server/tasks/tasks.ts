/**
 * All tasks of a server: those at work here, and, from the ledger, those that other processes have or had. A caller hears of
 * nothing that the ledger does not know already, so a restart takes no task away.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import type { StoredTask } from '../../ledger/tasks.ts'
import type { Call } from '../../pipeline/call.ts'
import { type CallEnd, Outcome } from '../../pipeline/outcome.ts'
import { parseOutcome, storableOutcome } from '../../pipeline/stored-outcome.ts'
import { invalidParams, RpcError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { redact, scrub, secretTexts } from '../../protocol/secret.ts'
import type { Principal } from '../../tool/context.ts'
import type { NotificationHub } from '../notification-hub.ts'
import { CallResult, type DeprecationNotice, type ModernEnvelope } from '../results/call-result.ts'
import { TASK_TTL_MS, Task } from './task.ts'

/** What the ledger keeps of a task. */
interface Body {
  readonly head: Params
  /** an outcome as pipeline/stored.ts writes it */
  readonly outcome?: string
  /** of a tool on its way out: what every result of it says */
  readonly tool?: DeprecationNotice
  readonly error?: JsonObject
}

/** A task of this process, or the record of one that is not. */
export type AnyTask = Task | TaskRecord

export interface TaskRecord {
  readonly detailed: () => Params
  /** it is at work in another process, where alone it can be reached */
  readonly isInOtherProcess: boolean
}

const SWEEP_MS = 60_000
/** A task that is at work is not forgotten before this. */
const AT_WORK_MS = 7 * 24 * 3_600_000
const RETRY_MS = 500

export interface TasksOptions {
  readonly hub: NotificationHub
  readonly parts: ModernEnvelope
  readonly ledger: () => Ledger
  readonly onFailure: (thrown: unknown) => void
}

export class Tasks {
  readonly #home: TasksOptions
  readonly #tasks = new Map<string, Task>()
  #sweep: NodeJS.Timeout | undefined

  constructor(home: TasksOptions) {
    this.#home = home
  }

  /** Not found by anybody until `begin`. */
  draft(call: Call): Task {
    return new Task(call, (task) => this.#moved(task))
  }

  /** From here on the task can be found, after a restart too. `ended` is what comes of its call. */
  async begin(task: Task, ended: Promise<CallEnd>): Promise<void> {
    this.#sweep ??= setInterval(() => this.#forget(), SWEEP_MS).unref()
    await this.#save(task, {})
    this.#tasks.set(task.taskId, task)
    ended.then(
      (value) => this.#end(task, value),
      () => this.#end(task, new RpcError(-32603, 'Internal error')),
    )
  }

  async #end(task: Task, ended: CallEnd): Promise<void> {
    const settled = task.call.commit(ended)
    if (settled instanceof Outcome) {
      const { outcome, text } = storableOutcome(task.call, settled)
      const result = new CallResult(outcome, task.call, this.#home.parts).toObject()
      await this.#saveFinal(task, task.cancelled ? {} : { outcome: text, ...onItsWayOut(task.call.tool) })
      task.complete(result)
      return
    }
    const { code, message, data } =
      settled instanceof RpcError ? settled : new RpcError(-32603, 'Internal error: a task cannot end in a question')
    const error = keepable({ code, message, ...(data !== undefined && { data }) }, task.call)
    await this.#saveFinal(task, { error })
    task.fail(error)
  }

  /** The end of a task is told when it is kept, however long the ledger takes to be back. */
  async #saveFinal(task: Task, end: Omit<Body, 'head'>): Promise<void> {
    const status = task.cancelled ? 'cancelled' : end.error === undefined ? 'completed' : 'failed'
    for (;;) {
      try {
        return await this.#save(task, end, status)
      } catch (thrown) {
        this.#home.onFailure(thrown)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
  }

  async #save(task: Task, end: Omit<Body, 'head'>, status: Task['status'] = task.status): Promise<void> {
    const { statusMessage, ...head } = task.head()
    const over = status !== 'working' && status !== 'input_required'
    // Its end is kept before it is told, so the task itself does not know of it yet.
    if (over) head.lastUpdatedAt = new Date().toISOString()
    // What it was doing is no longer so once it is over, unless it failed and that is the reason.
    const message = end.error === undefined ? (over ? undefined : statusMessage) : end.error.message
    const body: Body = { head: { ...head, status, ...(message !== undefined && { statusMessage: message }) }, ...end }
    await this.#home.ledger().tasks.save({
      id: task.taskId,
      principal: task.principal,
      tool: task.call.tool.name,
      call_id: task.call.id,
      status,
      body: JSON.stringify(body),
      created_at: Date.parse(task.createdAt),
      expires_at: Date.now() + (over ? TASK_TTL_MS : AT_WORK_MS),
    })
  }

  #moved(task: Task): void {
    this.#home.hub.taskChanged(task.taskId, task.detailed())
    // The end was kept before it was told; questions are asked anew by whoever comes next, so their order does not matter.
    if (!task.isOver && this.#tasks.has(task.taskId)) this.#save(task, {}).catch(this.#home.onFailure)
  }

  /** A task of somebody else is as unknown as one that never was. */
  async find(taskId: unknown, principal: Principal): Promise<AnyTask> {
    if (typeof taskId !== 'string') throw invalidParams('Unknown task: taskId must be a string')
    const task = this.#tasks.get(taskId)
    if (task !== undefined && task.principal === principal.id && !task.expired) return task
    const row = task === undefined ? await this.#home.ledger().tasks.find(taskId) : undefined
    if (row === undefined || row.principal !== principal.id) throw invalidParams(`Unknown task: ${taskId}`)
    return this.#fromRecord(row)
  }

  #fromRecord(row: StoredTask): TaskRecord {
    const { head, outcome, tool, error } = JSON.parse(row.body) as Body
    if (row.orphaned) {
      const message = `The process at work on this task has ended. Whether ${row.tool} took effect is not known.`
      const lost = { code: -32603, message, data: { call_id: row.call_id } }
      return {
        isInOtherProcess: false,
        detailed: () => ({ ...head, status: 'failed', statusMessage: message, error: lost }),
      }
    }
    const call = {
      id: row.call_id,
      isPending: false,
      commit: (ended: CallEnd) => ended,
      ...(tool !== undefined && { tool }),
    }
    return {
      isInOtherProcess: row.status === 'working' || row.status === 'input_required',
      detailed: () => ({
        ...head,
        ...(outcome !== undefined && {
          result: new CallResult(parseOutcome(outcome), call, this.#home.parts).toObject(),
        }),
        ...(error !== undefined && { error }),
      }),
    }
  }

  has(taskId: string, principal: Principal): boolean {
    return this.#tasks.get(taskId)?.principal === principal.id
  }

  #forget(): void {
    for (const [id, task] of this.#tasks) if (task.expired) this.#tasks.delete(id)
  }

  close(): void {
    clearInterval(this.#sweep)
  }
}

/** A protocol error of a tool's own making may hold anything: secrets are taken out, and what is no JSON is left out. */
function keepable(error: JsonObject, { args, input, tool }: Call): JsonObject {
  const { secrets } = tool.input
  try {
    const found = [...secretTexts(args, secrets), ...secretTexts(input, secrets)]
    return scrub(redact(JSON.parse(JSON.stringify(error)), secrets) as JsonObject, found)
  } catch {
    return { code: error.code, message: 'The tool failed, and its error cannot be written as JSON.' }
  }
}

const onItsWayOut = ({ deprecatedIn, replacedBy }: DeprecationNotice): Pick<Body, 'tool'> =>
  deprecatedIn === undefined ? {} : { tool: { deprecatedIn, replacedBy } }
