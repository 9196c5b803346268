/** `tools/list` and `tools/call`: the registry and the pipeline on the MCP wire, in either era. */
import type { Call } from '../../pipeline/call.ts'
import { isTrustedEnough } from '../../pipeline/gates/trust.ts'
import { type CallEnd, cancellation, fromThrown, InputRequired, isPromise, Outcome } from '../../pipeline/outcome.ts'
import { invalidParams, missingCapability, RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { META, TASKS_EXTENSION } from '../../protocol/versions.ts'
import type { ListedTool } from '../../tool/registry.ts'
import { outputSchemaOf, type Tool } from '../../tool/tool.ts'
import type { Exchange } from '../exchange.ts'
import { CallResult, deprecationMeta } from '../results/call-result.ts'
import { SharedResult } from '../results/encode.ts'
import { page } from '../results/page.ts'
import { listHints, withCacheHints } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'

export const callTool: Method = (exchange, server) => {
  const params = exchange.params as Params | undefined
  const named = params?.name
  if (typeof named !== 'string') throw invalidParams('name must be a string')
  const { name, arguments: args } = server.alias?.(named, params?.arguments) ?? {
    name: named,
    arguments: params?.arguments,
  }
  const refused = refusalOf(exchange, args)
  let call =
    refused === undefined
      ? server.pipeline.prepare(exchange, name, args, exchange.meta)
      : server.pipeline.malformed(exchange, name, refused)
  const { tool } = call
  if (tool.task !== false || server.pipeline.mayWait(tool)) {
    if (supportsTasks(exchange)) return callAsTask(call, exchange, server)
    if (tool.task === 'required') call = server.pipeline.malformed(exchange, name, tasksCapabilityMissing())
  }
  exchange.scope = call
  const ended = server.pipeline.run(call)
  return isPromise(ended)
    ? ended.then((value) => onWire(value, call, exchange, server))
    : onWire(ended, call, exchange, server)
}

/** Why there is no call, although there is a name: what was sent with it is malformed. */
function refusalOf(exchange: Exchange, args: unknown): RpcError | undefined {
  if (args !== undefined && !isObject(args)) return invalidParams('arguments must be an object')
  if (!exchange.modern) return undefined
  try {
    exchange.checkState()
    return undefined
  } catch (thrown) {
    if (thrown instanceof RpcError) return thrown
    throw thrown
  }
}

export const tasksCapabilityMissing = (): RpcError =>
  missingCapability(TASKS_EXTENSION, { extensions: { [TASKS_EXTENSION]: {} } })

export function supportsTasks(exchange: Exchange): boolean {
  const { extensions } = exchange.client.capabilities
  return exchange.modern && isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
}

/**
 * A call that is refused or asks first is answered at once; one that runs and waits, or waits for a human, becomes a task.
 */
function callAsTask(call: Call, exchange: Exchange, server: Server): object | Promise<object> {
  const task = server.tasks.draft(call)
  const turn = Promise.withResolvers<undefined>()
  let turned = false
  const turnIntoTask = (): void => {
    turned = true
    // From here on, what the tool asks is asked through the task.
    exchange.taskAsking = task
    turn.resolve(undefined)
  }
  call.taskHooks = {
    ...(call.tool.task === 'later' && { onLater: turnIntoTask }),
    ...(call.tool.task !== 'later' && call.tool.task !== false && { onStart: turnIntoTask }),
    onWait: (message) => {
      task.setMessage(message)
      turnIntoTask()
    },
  }
  exchange.scope = call
  const ended = server.pipeline.run(call)
  if (!isPromise(ended)) return onWire(ended, call, exchange, server)
  return Promise.race([ended, turn.promise]).then(async (first) => {
    if (first !== undefined && !turned) return onWire(first, call, exchange, server)
    // The request is answered now: what becomes of the task no longer hangs on it.
    exchange.scope = undefined
    exchange.task = task
    try {
      await server.tasks.begin(task, ended)
    } catch (thrown) {
      // What the ledger does not know must not go on unseen.
      call.interrupt(cancellation('the task could not be kept'))
      return onWire(fromThrown(thrown, call.id), call, exchange, server)
    }
    return { resultType: 'task', ...task.head(), _meta: server.meta }
  })
}

function onWire(ended: CallEnd, call: Call, exchange: Exchange, server: Server): object {
  const modern = exchange.modern ? server.modernParts : undefined
  if (ended instanceof Outcome) return new CallResult(ended, call, modern)
  const settled = call.commit(ended)
  if (settled instanceof RpcError) throw settled
  if (settled instanceof InputRequired) return exchange.inputRequired(settled)
  return new CallResult(settled, call, modern)
}

/** The pages of one revision of the registry, as they were rendered, by era and cursor. */
interface Rendered {
  readonly revision: string
  readonly pages: Map<string, SharedResult>
}
const renderings = new WeakMap<Server, Rendered>()

export const listTools: Method = (exchange, server) => {
  if (server.veiled.size === 0) return listed(exchange, server)
  const { trust } = server.ledger
  // Somebody may have trusted one of them meanwhile.
  const read = trust.isStale(Date.now()) ? trust.refresh() : undefined
  return isPromise(read) ? read.then(() => listed(exchange, server)) : listed(exchange, server)
}

const isVeiled = (tool: Tool, { veiled, ledger }: Server): boolean =>
  veiled.has(tool) && !isTrustedEnough(tool, ledger.trust)

function listed(exchange: Exchange, server: Server): SharedResult {
  const veiled = [...server.veiled].filter((tool) => isVeiled(tool, server)).map(({ hash }) => hash)
  const revision = `${server.registry.revision} ${server.viewRevision} ${veiled}`
  let known = renderings.get(server)
  if (known === undefined || known.revision !== revision) {
    known = { revision, pages: new Map() }
    renderings.set(server, known)
  }
  const { cursor } = exchange.params ?? {}
  // Whatever else a cursor may be, rendering the page refuses it.
  const key = typeof cursor === 'string' ? `${exchange.modern}:${cursor}` : `${exchange.modern}`
  let shared = cursor === undefined || typeof cursor === 'string' ? known.pages.get(key) : undefined
  if (shared === undefined) {
    shared = new SharedResult(renderPage(exchange, server))
    // A client can make up cursors without end; only those that we gave out are worth remembering.
    if (cursor === undefined || wasGiven(known, cursor)) known.pages.set(key, shared)
  }
  return shared
}

const wasGiven = ({ pages }: Rendered, cursor: unknown): boolean =>
  [...pages.values()].some((page) => (page.toObject() as { nextCursor?: string }).nextCursor === cursor)

function renderPage(exchange: Exchange, server: Server): object {
  const { items, nextCursor } = page(shown(server), ({ tool }) => tool.name, exchange.params, server.pageSize)
  const tools = items.map((item) => (isVeiled(item.tool, server) ? nameOnly(item) : listing(item)))
  return withCacheHints(exchange, server, { tools, ...(nextCursor !== undefined && { nextCursor }) }, listHints(server))
}

function shown(server: Server): readonly ListedTool[] {
  const all = server.registry.listed()
  const isShown = server.shown
  return isShown === undefined ? all : all.filter(({ tool }) => isShown(tool))
}

const nameOnly = ({ listedAs, tool }: ListedTool): JsonObject => ({
  name: listedAs,
  description: `Not callable: the operator has to look at it first (npx myrmex trust status ${tool.name}).`,
  inputSchema: { type: 'object' },
  _meta: { [META.name]: tool.name, [META.version]: tool.version },
})

/** A tool as MCP lists it: everything is derived from its definition. */
function listing({ listedAs, tool }: ListedTool): JsonObject {
  const output = outputSchemaOf(tool)
  const own = { [META.name]: tool.name, [META.version]: tool.version }
  if (tool.listing !== undefined) {
    // In its author's words. A schema that was listed is shown so that our own errors fit it too.
    const { outputSchema, _meta, ...said } = tool.listing
    const schema = outputSchema === undefined || output === undefined ? undefined : orErrorDetail(output)
    return {
      ...said,
      name: listedAs,
      ...(schema !== undefined && { outputSchema: schema }),
      _meta: { ...(_meta as JsonObject | undefined), ...own },
    }
  }
  return {
    name: listedAs,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    inputSchema: tool.input.json,
    ...(output !== undefined && { outputSchema: orErrorDetail(output) }),
    annotations: {
      ...(tool.title !== undefined && { title: tool.title }),
      readOnlyHint: !tool.destructive,
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
    },
    _meta: {
      ...own,
      ...(tool.keyed && { [META.keyed]: true }),
      ...(tool.undo !== undefined && { [META.undo]: true }),
      ...deprecationMeta(tool),
    },
  }
}

/**
 * A failure's structured content is an ErrorDetail, so the listed schema allows for one. Clients on the official SDK 1.x and
 * the Inspector hold even that against it, and would hide our error behind one of their own.
 */
function orErrorDetail(output: JsonObject): JsonObject {
  // A reference into the root would point elsewhere once the schema is a branch.
  const { $defs, ...data } = JSON.parse(JSON.stringify(output), (key, value) =>
    key === '$ref' && typeof value === 'string' && /^#(\/(?!\$defs\/)|$)/.test(value)
      ? `#/anyOf/0${value.slice(1)}`
      : value,
  ) as JsonObject
  return {
    type: 'object',
    anyOf: [data, { required: ['error_type', 'error_message'] }],
    ...($defs !== undefined && { $defs }),
  }
}
