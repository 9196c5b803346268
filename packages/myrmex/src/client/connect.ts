/** `connect(target)`: a connection to a server in this process, behind a command or at a URL, in either era. */
import {
  type CallToolResult,
  Client,
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  type Transport,
} from '@modelcontextprotocol/client'
import { failure } from '../pipeline/outcome.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { CODE, type ErrorType, invalidParams, RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import { isObject, type Json } from '../protocol/json.ts'
import type { StandardSchema } from '../protocol/schema.ts'
import { toJson } from '../protocol/serialise.ts'
import { AGENT_EXTENSION, DRY_RUN_EXTENSION, META, MYRMEX_VERSION } from '../protocol/versions.ts'
import { compatibleRange, type Tool, type ToolArguments, type ToolData } from '../tool/tool.ts'
import { checkCall, checkConnect, checkRequest } from './check-options.ts'
import { openTransport, type Target, targetName } from './target.ts'
import { recordedCall, toToolResult } from './tool-result.ts'
import { transportError } from './transport-error.ts'

export interface ConnectOptions {
  name?: string
  version?: string
  /** auto tries the modern era first */
  era?: 'auto' | 'legacy'
  /** time limit for opening the connection */
  timeoutMs?: number
  /** the peer's name in messages; default: its address */
  peer?: string
  /** aborts the opening; a started child is ended */
  signal?: AbortSignal
}

export interface Progress {
  progress: number
  total?: number
  message?: string
}

export interface RequestOptions {
  signal?: AbortSignal
  /** restarted by every progress report */
  timeoutMs?: number
  onProgress?: (progress: Progress) => void
  /** receives parts that a Myrmex server sends ahead of the result, in order with `onProgress` */
  onPartial?: (part: Record<string, unknown>) => void
  /** more request metadata, by full key */
  meta?: Readonly<Record<string, unknown>>
}

export interface CallOptions extends RequestOptions {
  idempotencyKey?: string
  /** a version range, such as ^1.2.0 */
  version?: string
  /** the standard context object: run, step, agent, goal … */
  context?: Readonly<Record<string, unknown>>
  /** the id of an earlier call of this tool that is to be undone, as `onCallId` reported it */
  undo?: string
  /** asks for the tool's dry run, which changes nothing. A server that does not know dry runs is not asked: it would run the tool. */
  dryRun?: boolean
  /** called with the id under which a Myrmex server has recorded the call */
  onCallId?: (callId: string) => void
}

export interface RemoteTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** Limit for servers whose list never ends. */
const MAX_PAGES = 1000

type AnyResult = StandardSchema<unknown, Record<string, unknown>>['~standard']

/** The official client checks answers to unknown methods against this schema, which accepts any object. */
const ANY_RESULT: {
  '~standard': Required<Pick<AnyResult, 'version' | 'vendor' | 'validate'>> & Pick<AnyResult, 'types'>
} = {
  '~standard': {
    version: 1,
    vendor: 'myrmex',
    validate: (value) =>
      isObject(value) ? { value } : { issues: [{ message: 'a result is a JSON object', path: [] }] },
  },
}

const CONNECT_TIMEOUT_MS = 15_000
const CALL_TIMEOUT_MS = 60_000

export class Connection {
  /** the official client, for everything that this class does not offer */
  readonly client: Client
  readonly peer: string

  constructor(client: Client, peer: string) {
    this.client = client
    this.peer = peer
  }

  /** All tools, over all pages. `fresh` bypasses the client's cache. */
  async tools(options: { fresh?: boolean; signal?: AbortSignal } = {}): Promise<RemoteTool[]> {
    const { fresh, signal } = options
    try {
      const sendOptions = { ...(fresh && { cacheMode: 'refresh' as const }), signal }
      return (await this.client.listTools(undefined, sendOptions)).tools as RemoteTool[]
    } catch (thrown) {
      throw translated(thrown, this.peer)
    }
  }

  /** The agent methods the peer supports, and those that its author wrote. */
  get agent(): { readonly methods: readonly string[]; readonly own: readonly string[] } {
    const { extensions } = this.client.getServerCapabilities() ?? {}
    const said: unknown = isObject(extensions) ? extensions[AGENT_EXTENSION] : undefined
    const texts = (list: unknown): string[] =>
      Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
    if (!isObject(said)) return { methods: [], own: [] }
    return { methods: texts(said.methods), own: texts(said.own ?? said.methods) }
  }

  /** Sends a request of any method, such as agent/plan. The answer is not checked. Throws a SerializationError like `callOnWire`. */
  async request(
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    checkRequest(options)
    const { meta } = options
    const sent = { ...toSend(params), ...(meta !== undefined && { _meta: toSend({ ...meta }, '_meta') }) }
    return this.#send(options, (sendOptions) => this.client.request({ method, params: sent }, ANY_RESULT, sendOptions))
  }

  /**
   * Returns the tool's result, failures included. Arguments that JSON cannot hold, and options that are not valid, are a failure too, and are not sent. Throws only if
   * there is no answer. A `Tool` gives its types, and means its version or a compatible one unless the options say otherwise.
   */
  call<In, Out>(tool: Tool<In, Out>, args: ToolArguments<In>, options?: CallOptions): Promise<ToolResult<ToolData<Out>>>
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>
  async call(
    target: string | Tool,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<ToolResult> {
    const answer = await this.callOnWire(target, args, options).catch(unsent)
    if (answer instanceof RpcError || answer instanceof ToolError) return failure(toErrorDetail(answer, '')).toResult()
    const id = options.onCallId === undefined ? undefined : recordedCall(answer)
    if (id !== undefined) options.onCallId?.(id)
    return toToolResult(answer)
  }

  /**
   * Like `call`, but returns the wire result with its content blocks, or an RpcError if the peer rejected the call. Throws a
   * SerializationError if JSON cannot hold the arguments, and a ValidationError for options that are not valid.
   */
  async callOnWire(
    target: string | Tool,
    args: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<CallToolResult | RpcError> {
    checkCall(options)
    const isName = typeof target === 'string'
    const name = isName ? target : target.name
    if (options.dryRun === true && !this.hasDryRuns) return noDryRuns(this.peer, name)
    const _meta = toSend(metaOf(isName ? options : { version: compatibleRange(target), ...options }), '_meta')
    const params = { name, arguments: toSend(args), ...(Object.keys(_meta).length > 0 && { _meta }) }
    try {
      const answer = await this.#send(options, (sendOptions) => this.client.callTool(params, sendOptions))
      if (options.dryRun === true) assertDryRun(answer, this.peer, name)
      return answer
    } catch (thrown) {
      // A JSON-RPC error is an answer too.
      if (thrown instanceof RpcError) return thrown
      throw thrown
    }
  }

  /** Whether the peer knows dry runs. */
  get hasDryRuns(): boolean {
    const { extensions } = this.client.getServerCapabilities() ?? {}
    return isObject(extensions) && isObject(extensions[DRY_RUN_EXTENSION])
  }

  /** of the child process, if there is one */
  get pid(): number | undefined {
    const { pid } = (this.client.transport ?? {}) as { pid?: number | null }
    return pid ?? undefined
  }

  async close(): Promise<void> {
    await this.client.close()
  }

  async #send<T>(options: RequestOptions, work: (sendOptions: Sent) => Promise<T>): Promise<T> {
    const { signal, timeoutMs } = options
    const timeout = timeoutMs ?? CALL_TIMEOUT_MS
    try {
      return await work({ timeout, resetTimeoutOnProgress: true, signal, onprogress: progressHandler(options) })
    } catch (thrown) {
      const error = translated(thrown, this.peer)
      // The official client reports both as a timeout. Only the signal shows which it was.
      if (!signal?.aborted || error instanceof RpcError) throw error
      throw ToolError.of('CancelledError', 'The call was cancelled.', null, { cause: error })
    }
  }
}

type Sent = Pick<RequestOptions, 'signal'> & {
  timeout: number
  resetTimeoutOnProgress: true
  onprogress?: ((sent: SentProgress) => void) | undefined
}

type SentProgress = Progress & { _meta?: Record<string, unknown> }

/** A Myrmex server sends parts and hints as progress whose `_meta` says what they are. They are no reports. */
function progressHandler({ onProgress, onPartial }: RequestOptions): Sent['onprogress'] {
  if (onProgress === undefined && onPartial === undefined) return undefined
  return ({ _meta, ...progress }) => {
    const part = _meta?.[META.partial]
    if (isObject(part)) onPartial?.(part)
    else if (_meta?.[META.disconnect] !== true) onProgress?.(progress)
  }
}

/** What JSON would make of it, on every transport: without this, a server in this process would get what others never do. */
const toSend = (params: Record<string, unknown>, ...at: string[]): Record<string, unknown> =>
  toJson(params, { what: 'arguments', at }) as Record<string, unknown>

/** Arguments that JSON cannot hold, and options that are not valid. */
const UNSENT: ReadonlySet<string> = new Set<ErrorType>(['SerializationError', 'ValidationError'])

/** Nothing was sent. */
function unsent(thrown: unknown): ToolError {
  if (thrown instanceof ToolError && UNSENT.has(thrown.error_type)) return thrown
  throw thrown
}

const metaOf = ({ meta, idempotencyKey, version, context, undo, dryRun }: CallOptions): Record<string, unknown> => ({
  ...meta,
  ...(idempotencyKey !== undefined && { [META.idempotencyKey]: idempotencyKey }),
  ...(version !== undefined && { [META.version]: version }),
  ...(context !== undefined && { [META.context]: context }),
  ...(undo !== undefined && { [META.undo]: undo }),
  ...(dryRun === true && { [META.dryRun]: true }),
})

const noDryRuns = (peer: string, name: string): RpcError =>
  invalidParams(`${peer} does not know dry runs and would run ${name}. The call was not sent.`)

function assertDryRun({ _meta }: CallToolResult, peer: string, name: string): void {
  const said = isObject(_meta) ? _meta[META.result] : undefined
  if (isObject(said) && said.dry_run === true) return
  const why = `${peer} did not confirm that this was a dry run of ${name}. It may have run the tool.`
  throw ToolError.of('ToolExecutionError', why)
}

/** Returns the peer's RpcError, or a ToolError that says why there is no answer. */
function translated(thrown: unknown, peer: string): Error {
  if (ProtocolError.isInstance(thrown))
    return new RpcError(thrown.code, thrown.message, thrown.data as Json | undefined)
  if (InsufficientScopeError.isInstance(thrown)) return outOfScope(thrown, peer)
  if (SdkError.isInstance(thrown) && String(thrown.code) === 'REQUEST_TIMEOUT') {
    return ToolError.of('TimeoutError', `${peer}: no answer in time`, null, { cause: thrown })
  }
  return transportError(thrown, peer)
}

/** An answer like any other error of the peer, so a call ends with it as a failure. */
function outOfScope({ requiredScope }: InsufficientScopeError, peer: string): RpcError {
  const missing = requiredScope === undefined ? 'a scope for this' : `the scope ${requiredScope}`
  return new RpcError(CODE.invalidRequest, `${peer}: the token lacks ${missing} (HTTP 403). Get a token that has it.`, {
    error_type: 'PermissionError',
    ...(requiredScope !== undefined && { missing_scope: requiredScope }),
  })
}

/**
 * The official client handles notifications one microtask late and responses at once. Progress in the same chunk as the answer would
 * be lost, so responses are delayed.
 */
function deliverInOrder(transport: Transport): void {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  transport.onmessage = (message, extra) => {
    if ('method' in message) deliver(message, extra)
    else queueMicrotask(() => queueMicrotask(() => deliver(message, extra)))
  }
}

export async function connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
  checkConnect(target, options)
  const peer = options.peer ?? targetName(target)
  const { name = 'myrmex', version = MYRMEX_VERSION, era = 'auto', timeoutMs = CONNECT_TIMEOUT_MS } = options
  const client = new Client(
    { name, version },
    { listMaxPages: MAX_PAGES, versionNegotiation: { mode: era, probe: { timeoutMs: Math.min(timeoutMs, 5000) } } },
  )
  let stopping: Promise<void> | undefined
  const stop = (): void => {
    stopping = client.close().catch(() => {})
  }
  try {
    options.signal?.throwIfAborted()
    const transport = await openTransport(target)
    options.signal?.addEventListener('abort', stop, { once: true })
    await client.connect(transport, { timeout: timeoutMs })
    deliverInOrder(transport)
  } catch (thrown) {
    // A failed connection must leave nothing behind, least of all a child process.
    if (stopping === undefined) stop()
    await stopping
    throw transportError(thrown, peer)
  } finally {
    options.signal?.removeEventListener('abort', stop)
  }
  return new Connection(client, peer)
}
