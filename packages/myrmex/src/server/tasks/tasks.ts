/**
 * All tasks of a server: running ones, and those of other processes from the ledger. Callers only see what the ledger has recorded, so
 * a restart loses no task.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import type { StoredTask } from '../../ledger/tasks.ts'
import { secretFilter } from '../../pipeline/audit/call-secrets.ts'
import type { Call } from '../../pipeline/call.ts'
import { type CallEnd, Outcome } from '../../pipeline/outcome.ts'
import { parseOutcome, storableOutcome } from '../../pipeline/stored-outcome.ts'
import { invalidParams, RpcError, ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { Principal } from '../../tool/context.ts'
import type { NotificationHub } from '../notification-hub.ts'
import { CallResult, type ModernEnvelope, type ResultTool } from '../results/call-result.ts'
import { TASK_TTL_MS, Task } from './task.ts'

interface TaskBody {
  readonly head: Params
  /** an outcome in the format of pipeline/stored.ts */
  readonly outcome?: string
  /** the deprecation notice of the tool */
  readonly tool?: ResultTool
  readonly dry_run?: true
  readonly error?: JsonObject
}

/** A task of this process, or the record of another. */
export type AnyTask = Task | TaskRecord

export interface TaskRecord {
  readonly detailed: () => Params
  /** it runs in another process and can only be reached there */
  readonly isInOtherProcess: boolean
}

/** A running task is kept at least this long. */
export const RUNNING_TTL_MS = 7 * 24 * 3_600_000
const RETRY_MS = 500
/** A task that waits for approval keeps its call in memory, for days if need be. */
const MAX_RUNNING = 1000
const PAGE = 100
/** Of ended tasks that stay in memory. The ledger has all of them, without what may be secret. */
const MAX_ENDED = 100

export interface TasksOptions {
  readonly hub: NotificationHub
  readonly parts: ModernEnvelope
  readonly ledger: () => Ledger
  readonly onFailure: (thrown: unknown) => void
  /** whether the profile of a caller covers a tool */
  readonly exists: (tool: string, principal: Principal) => boolean
}

export class Tasks {
  readonly #options: TasksOptions
  /** those that have not ended, and the newest that have */
  readonly #tasks = new Map<string, Task>()
  readonly #ended: string[] = []
  /** how many tasks of each principal have not ended */
  readonly #running = new Map<string, number>()

  constructor(options: TasksOptions) {
    this.#options = options
  }

  /** It cannot be found until `begin`. */
  draft(call: Call): Task {
    return new Task(call, (task) => this.#onChange(task))
  }

  /** From now on the task can be found, even after a restart. `ended` is the result of its call. Throws if its caller has too many. */
  async begin(task: Task, ended: Promise<CallEnd>): Promise<void> {
    const running = this.#running.get(task.principal) ?? 0
    if (running >= MAX_RUNNING)
      throw ToolError.of(
        'ApiLimitExceeded',
        `${task.principal} has ${running} tasks that have not ended. Wait or cancel some.`,
      )
    this.#running.set(task.principal, running + 1)
    try {
      await this.#save(task, {})
    } catch (thrown) {
      this.#release(task)
      throw thrown
    }
    this.#tasks.set(task.taskId, task)
    ended
      .then(
        (value) => this.#end(task, value),
        () => this.#end(task, new RpcError(-32603, 'Internal error')),
      )
      .finally(() => this.#retire(task))
  }

  /** It has ended. Older ones are found in the ledger from now on. */
  #retire(task: Task): void {
    this.#release(task)
    this.#ended.push(task.taskId)
    if (this.#ended.length > MAX_ENDED) this.#tasks.delete(this.#ended.shift() as string)
  }

  #release(task: Task): void {
    const left = (this.#running.get(task.principal) ?? 1) - 1
    if (left === 0) this.#running.delete(task.principal)
    else this.#running.set(task.principal, left)
  }

  async #end(task: Task, ended: CallEnd): Promise<void> {
    const settled = task.call.commit(ended)
    if (settled instanceof Outcome) {
      const { outcome, text } = storableOutcome(task.call, settled)
      const result = new CallResult(outcome, task.call, this.#options.parts).toObject()
      await this.#saveFinal(task, task.cancelled ? {} : { outcome: text, ...factsOf(task.call) })
      task.complete(result)
      return
    }
    const { code, message, data } =
      settled instanceof RpcError ? settled : new RpcError(-32603, 'Internal error: a task cannot end in a question')
    const error = storableError(code, message, data, task.call)
    await this.#saveFinal(task, { error })
    task.fail(error)
  }

  /** The end of a task is reported after it is recorded, however long the ledger is down. */
  async #saveFinal(task: Task, end: Omit<TaskBody, 'head'>): Promise<void> {
    const status = task.cancelled ? 'cancelled' : end.error === undefined ? 'completed' : 'failed'
    for (;;) {
      try {
        return await this.#save(task, end, status)
      } catch (thrown) {
        this.#options.onFailure(thrown)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
  }

  async #save(task: Task, end: Omit<TaskBody, 'head'>, status: Task['status'] = task.status): Promise<void> {
    const { statusMessage, ...head } = task.head()
    const over = status !== 'working' && status !== 'input_required'
    // The end is recorded before it is reported, so the task does not know it yet.
    if (over) head.lastUpdatedAt = new Date().toISOString()
    // The activity is over, unless the task failed and it is the reason.
    const message = end.error === undefined ? (over ? undefined : statusMessage) : end.error.message
    const body: TaskBody = {
      head: { ...head, status, ...(message !== undefined && { statusMessage: message }) },
      ...end,
    }
    await this.#options.ledger().tasks.save({
      id: task.taskId,
      principal: task.principal,
      tool: task.call.tool.name,
      call_id: task.call.id,
      status,
      body: JSON.stringify(body),
      created_at: Date.parse(task.createdAt),
      expires_at: Date.now() + (over ? TASK_TTL_MS : RUNNING_TTL_MS),
    })
  }

  #onChange(task: Task): void {
    this.#options.hub.taskChanged(task.taskId, task.detailed())
    // The end was already saved. Questions are asked again by the next reader, so their order does not matter.
    if (!task.isOver && this.#tasks.has(task.taskId)) this.#save(task, {}).catch(this.#options.onFailure)
  }

  /** Tasks of other principals, and of tools outside the caller's profile, are reported as unknown. */
  async find(taskId: unknown, principal: Principal): Promise<AnyTask> {
    if (typeof taskId !== 'string') throw invalidParams('Unknown task: taskId must be a string')
    const task = this.#tasks.get(taskId)
    if (task !== undefined && this.#isOf(principal, task) && !task.expired) return task
    const row = task === undefined ? await this.#options.ledger().tasks.find(taskId) : undefined
    // This process has set the time, by its own clock.
    const isKnown = row !== undefined && row.principal === principal.id && row.expires_at > Date.now()
    if (!isKnown || !this.#options.exists(row.tool, principal)) throw invalidParams(`Unknown task: ${taskId}`)
    return this.#fromRecord(row)
  }

  /** The newest first. `after` is the key of the last one of the page before. */
  async list(principal: Principal, after: string | undefined): Promise<{ tasks: AnyTask[]; last: string | undefined }> {
    const [time, id] = after?.split(' ') ?? []
    const before = id === undefined ? undefined : { created_at: Number(time), id }
    const rows = await this.#options.ledger().tasks.list(principal.id, PAGE + 1, before)
    const shown = rows.slice(0, PAGE)
    const last = rows.length > PAGE ? shown.at(-1) : undefined
    const tasks = shown
      .filter(({ tool, expires_at }) => expires_at > Date.now() && this.#options.exists(tool, principal))
      .map((row) => this.#tasks.get(row.id) ?? this.#fromRecord(row))
    return { tasks, last: last && `${last.created_at} ${last.id}` }
  }

  #fromRecord(row: StoredTask): TaskRecord {
    const { head, outcome, tool, error, dry_run } = JSON.parse(row.body) as TaskBody
    if (row.orphaned) {
      const message = `The process that ran this task has ended. Whether ${row.tool} took effect is unknown.`
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
      ...(dry_run === true && { isDryRun: true }),
    }
    return {
      isInOtherProcess: row.status === 'working' || row.status === 'input_required',
      detailed: () => ({
        ...head,
        ...(outcome !== undefined && {
          result: new CallResult(parseOutcome(outcome), call, this.#options.parts).toObject(),
        }),
        ...(error !== undefined && { error }),
      }),
    }
  }

  has(taskId: string, principal: Principal): boolean {
    const task = this.#tasks.get(taskId)
    return task !== undefined && this.#isOf(principal, task)
  }

  #isOf(principal: Principal, task: Task): boolean {
    return task.principal === principal.id && this.#options.exists(task.call.tool.name, principal)
  }
}

/** A tool's own protocol error may contain anything: secrets and values that are not JSON are removed. */
function storableError(code: number, message: string, data: unknown, call: Call): JsonObject {
  try {
    const secrets = secretFilter(call)
    const clean = data === undefined ? {} : { data: secrets.value(JSON.parse(JSON.stringify(data))) }
    return { code, message: secrets.text(message), ...clean }
  } catch {
    return { code, message: 'The tool failed, and its error cannot be serialised as JSON.' }
  }
}

/** What its result says besides its outcome. */
const factsOf = ({ tool, isDryRun }: Call): Pick<TaskBody, 'tool' | 'dry_run'> => ({
  ...toolOf(tool),
  ...(isDryRun && { dry_run: true }),
})

const toolOf = ({ deprecatedIn, replacedBy, returnsText }: ResultTool): Pick<TaskBody, 'tool'> =>
  deprecatedIn === undefined && returnsText !== true
    ? {}
    : { tool: { deprecatedIn, replacedBy, ...(returnsText === true && { returnsText }) } }
