/** `tools/list` and `tools/call` in either era. */
import type { Call } from '../../pipeline/call.ts'
import { isReviewed } from '../../pipeline/gates/trust.ts'
import { type CallEnd, cancellation, fromThrown, InputRequired, isPromise, Outcome } from '../../pipeline/outcome.ts'
import { CODE, missingCapability, RpcError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { paramsError, TaskRequestSchema } from '../../protocol/messages.ts'
import { META, TASKS_EXTENSION } from '../../protocol/versions.ts'
import { cacheTtlMs } from '../../tool/cache-ttl.ts'
import type { Principal } from '../../tool/context.ts'
import type { ListedTool } from '../../tool/registry.ts'
import { isTaskLater, taskSupport } from '../../tool/task-support.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Exchange } from '../exchange.ts'
import { CallResult } from '../results/call-result.ts'
import { SharedResult } from '../results/encode.ts'
import { page } from '../results/page.ts'
import { listEnvelope } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import { legacyTask } from '../tasks/legacy-task.ts'
import { legacyToolListing, nameOnlyListing, toolListing } from '../tool-listing.ts'
import { isVisibleTool, refreshTrust } from '../visible-items.ts'
import type { Method } from './method-table.ts'
import { untilListed } from './once-listed.ts'

export const callTool: Method = (exchange, server) => {
  const params: Params = exchange.params ?? {}
  if (typeof params.name !== 'string') throw malformed(params)
  const alias = server.view.alias?.(params.name, params.arguments, exchange.principal)
  const name = alias === undefined ? params.name : alias.name
  const args = alias === undefined ? params.arguments : alias.arguments
  const listing = untilListed(server, name)
  if (listing !== undefined) return listing.then(() => callTool(exchange, server))
  const refused = refusalOf(exchange, name, args)
  let call =
    refused === undefined
      ? server.pipeline.prepare(exchange, name, args, exchange.meta)
      : server.pipeline.malformed(exchange, name, refused)
  // The headers of `call_tool` repeat its own arguments, not those of the tool that it names.
  if (alias === undefined) call.headerMismatch = exchange.headerMismatch
  const { tool } = call
  if (supportsTasks(exchange)) {
    if (taskSupport(tool) !== undefined || server.pipeline.mayWait(call)) return callAsTask(call, exchange, server)
  } else if (exchange.wantsTask && refused === undefined && call.notFound === undefined) {
    if (taskSupport(tool) !== undefined) return callAsLegacyTask(call, exchange, server)
    const why = `${name} does not run as a task. Send the call without "task".`
    call = server.pipeline.malformed(exchange, name, new RpcError(CODE.methodNotFound, why))
  } else if (tool.task === 'required') {
    call = server.pipeline.malformed(exchange, name, taskMissing(exchange, name))
  }
  exchange.scope = call
  const ended = server.pipeline.run(call)
  return isPromise(ended)
    ? ended.then((value) => onWire(value, call, exchange, server))
    : onWire(ended, call, exchange, server)
}

/** Params that are not those of a call. Looking is quicker than a schema, which says what is wrong. */
const malformed = (params: Params): RpcError | undefined => paramsError(TaskRequestSchema.shape.params, params)

/** The error of a call with malformed params; undefined if they are fine. */
function refusalOf(exchange: Exchange, name: string, args: unknown): RpcError | undefined {
  if (args !== undefined && !isObject(args)) return malformed({ name, arguments: args })
  if (!exchange.modern) return undefined
  try {
    exchange.checkState()
    return undefined
  } catch (thrown) {
    if (thrown instanceof RpcError) return thrown
    throw thrown
  }
}

function taskMissing({ hasLegacyTasks }: Exchange, name: string): RpcError {
  if (!hasLegacyTasks) return tasksCapabilityMissing()
  return new RpcError(CODE.methodNotFound, `${name} only runs as a task. Send the call with "task": {}.`)
}

export const tasksCapabilityMissing = (): RpcError =>
  missingCapability(TASKS_EXTENSION, { extensions: { [TASKS_EXTENSION]: {} } })

export function supportsTasks(exchange: Exchange): boolean {
  if (!exchange.modern) return false
  const { extensions } = exchange.capabilities
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
}

/** A call that is rejected or asks first is answered at once. One that runs for a while or waits for approval becomes a task. */
function callAsTask(call: Call, exchange: Exchange, server: Server): object | Promise<object> {
  const task = server.tasks.draft(call)
  const turn = Promise.withResolvers<undefined>()
  let turned = false
  const turnIntoTask = (): void => {
    turned = true
    // From now on the tool asks through the task.
    exchange.taskAsking = task
    turn.resolve(undefined)
  }
  call.taskHooks = {
    ...(isTaskLater(call.tool) ? { onLater: turnIntoTask } : { onStart: turnIntoTask }),
    onWait: (asked) => {
      task.waitFor(asked)
      turnIntoTask()
    },
  }
  exchange.scope = call
  const ended = server.pipeline.run(call)
  if (!isPromise(ended)) return onWire(ended, call, exchange, server)
  return Promise.race([ended, turn.promise]).then(async (first) => {
    if (first !== undefined && !turned) return onWire(first, call, exchange, server)
    // The request is answered now, and the task no longer depends on it.
    exchange.scope = undefined
    exchange.task = task
    try {
      await server.tasks.begin(task, ended)
    } catch (thrown) {
      // A task that is not recorded must not run.
      call.interrupt(cancellation('the task could not be kept'))
      return onWire(fromThrown(thrown, call.id), call, exchange, server)
    }
    return { resultType: 'task', ...task.head(), _meta: { ...server.meta, ...task.ownMeta } }
  })
}

/** A client of 2025-11-25 asks for a task, and gets one in any case: also an error is fetched with `tasks/result`. */
async function callAsLegacyTask(call: Call, exchange: Exchange, server: Server): Promise<object> {
  const task = server.tasks.draft(call)
  exchange.taskAsking = task
  call.taskHooks = { onWait: (asked) => task.waitFor(asked) }
  exchange.scope = call
  const ended = Promise.resolve(server.pipeline.run(call))
  try {
    await server.tasks.begin(task, ended)
  } catch (thrown) {
    // A task that is not recorded must not run.
    call.interrupt(cancellation('the task could not be kept'))
    return onWire(fromThrown(thrown, call.id), call, exchange, server)
  }
  // The request is answered now, and the task no longer depends on it.
  exchange.scope = undefined
  exchange.task = task
  return { task: legacyTask(task) }
}

function onWire(ended: CallEnd, call: Call, exchange: Exchange, server: Server): object {
  const modern = exchange.modern ? server.modernParts : undefined
  if (ended instanceof Outcome) return new CallResult(ended, call, modern)
  const settled = call.commit(ended)
  if (settled instanceof RpcError) throw settled
  if (settled instanceof InputRequired) return exchange.inputRequired(settled)
  return new CallResult(settled, call, modern)
}

/** The rendered pages of one state of the registry and of the trust levels, by era and cursor. */
interface Rendered {
  readonly revision: number
  /** the levels that `unread` was made with */
  levels: number | undefined
  /** tools listed by name only */
  readonly unread: ReadonlySet<Tool>
  readonly pages: Map<string, SharedResult>
  /** of the pages and their keys */
  characters: number
}
const renderings = new WeakMap<Server, Rendered>()
/** Callers with tokens of an issuer can have any scopes, and each gets pages of its own. */
const MAX_CHARACTERS = 32 * 1024 * 1024

export const listTools: Method = (exchange, server) => {
  const list = levelledList(exchange, server)
  if (exchange.meta?.[META.refusals] === undefined) return list
  return Promise.resolve(list).then(async (page) =>
    (await import('./planned-calls.ts')).withRefusals(page, exchange, server),
  )
}

function levelledList(exchange: Exchange, server: Server): SharedResult | Promise<SharedResult> {
  if (!needsLevels(server)) return listed(exchange, server, undefined)
  const { trust } = server.ledger
  // A tool may have been trusted or quarantined meanwhile.
  const read = refreshTrust(server)
  return isPromise(read)
    ? read.then(() => listed(exchange, server, trust.revision))
    : listed(exchange, server, trust.revision)
}

/** Without a ledger nobody can have decided against our own tools. */
function needsLevels(server: Server): boolean {
  const { pipeline, registry } = server
  if (pipeline.hasLedger) return true
  let known = upstreamTools.get(server)
  if (known?.revision !== registry.revision) {
    known = { revision: registry.revision, hasSome: [...registry].some(({ origin }) => origin === 'upstream') }
    upstreamTools.set(server, known)
  }
  return known.hasSome
}

const upstreamTools = new WeakMap<Server, { readonly revision: number; readonly hasSome: boolean }>()

/** Pages are rendered again if the registry or one of the levels that matter has changed. */
function rendered(server: Server, levels: number | undefined): Rendered {
  const { registry, ledger } = server
  const known = renderings.get(server)
  const isFull = known !== undefined && known.characters > MAX_CHARACTERS
  if (known?.revision === registry.revision && known.levels === levels && !isFull) return known
  const unread = new Set<Tool>()
  if (levels !== undefined) for (const tool of registry) if (!isReviewed(tool, ledger.trust)) unread.add(tool)
  const isSame = known?.revision === registry.revision && known.unread.symmetricDifference(unread).size === 0
  if (isSame && !isFull) {
    known.levels = levels
    return known
  }
  const fresh = { revision: registry.revision, levels, unread, pages: new Map(), characters: 0 }
  renderings.set(server, fresh)
  return fresh
}

function listed(exchange: Exchange, server: Server, levels: number | undefined): SharedResult {
  const known = rendered(server, levels)
  const { cursor } = exchange.params ?? {}
  // Rendering rejects any other cursor.
  const { scopes, profile } = exchange.principal
  const caller = `${exchange.modern} ${scopes === undefined ? '' : JSON.stringify(scopes)}${profile === undefined ? '' : ` ${profile} ${server.pipeline.profiles.revision}`}`
  const key = typeof cursor === 'string' ? `${caller}:${cursor}` : caller
  let shared = cursor === undefined || typeof cursor === 'string' ? known.pages.get(key) : undefined
  if (shared === undefined) {
    shared = new SharedResult(renderPage(exchange, server, known.unread))
    // Clients can invent cursors, so only issued ones are cached.
    if (cursor === undefined || wasGiven(known, cursor)) {
      known.pages.set(key, shared)
      known.characters += key.length + shared.knownLength
    }
  }
  return shared
}

const wasGiven = ({ pages }: Rendered, cursor: unknown): boolean =>
  [...pages.values()].some((page) => (page.toObject() as { nextCursor?: string }).nextCursor === cursor)

function renderPage(exchange: Exchange, server: Server, unread: ReadonlySet<Tool>): object {
  const visible = visibleTools(server, exchange.principal)
  const { items, nextCursor } = page(visible, ({ tool }) => tool.name, exchange.params, server.pageSize)
  const render = exchange.modern ? toolListing : legacyToolListing
  const tools = items.map((item) => (unread.has(item.tool) ? nameOnlyListing(item) : render(item)))
  const keyed = items.map(({ listedAs, tool }) => [listedAs, tool] as const)
  return listEnvelope(exchange, { tools }, nextCursor, { ttlMs: cacheTtlMs(items.map(({ tool }) => tool)) }, keyed)
}

export function visibleTools(server: Server, principal: Principal): readonly ListedTool[] {
  const { listFilter } = server.view
  return server.registry
    .listed()
    .filter(({ tool }) => (listFilter?.(tool, principal) ?? true) && isVisibleTool(server, principal, tool))
}
