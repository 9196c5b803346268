/** `connect(target)`: one connection to a server in this process, behind a command or at a URL, of either era. */
import { type CallToolResult, Client, ProtocolError, SdkError, type Transport } from '@modelcontextprotocol/client'
import { failure } from '../pipeline/outcome.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import { isObject, type Json } from '../protocol/json.ts'
import type { StandardSchema } from '../protocol/schema.ts'
import { AGENT_EXTENSION, META, MYRMEX_VERSION } from '../protocol/versions.ts'
import { openTransport, type Target, targetName } from './target.ts'
import { toToolResult } from './tool-result.ts'
import { transportError } from './transport-error.ts'

export interface ConnectOptions {
  name?: string
  version?: string
  /** auto tries the modern era first */
  era?: 'auto' | 'legacy'
  /** how long opening the connection may take */
  timeoutMs?: number
  /** what the peer is called in messages, where its address should not be shown; its address unless told */
  peer?: string
  /** stops opening it; a child that was started is ended */
  signal?: AbortSignal
}

export interface Progress {
  progress: number
  total?: number
  message?: string
  _meta?: Record<string, unknown>
}

export interface RequestOptions {
  signal?: AbortSignal
  /** counted anew with every progress report */
  timeoutMs?: number
  onProgress?: (progress: Progress) => void
  /** further metadata of the request, by its full key */
  meta?: Readonly<Record<string, unknown>>
}

export interface CallOptions extends RequestOptions {
  idempotencyKey?: string
  /** a version range, such as ^1.2.0 */
  version?: string
  /** the standard context object: run, step, agent, goal … */
  context?: Readonly<Record<string, unknown>>
  /** the data of an earlier call of this tool with these arguments: that call is undone */
  undo?: unknown
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

/** A server may page as finely as it likes; one that never ends is stopped by whoever asks. */
const MOST_PAGES = 1000

/** What the official client holds an answer against that it has no schema for: any object will do. */
const ANY_RESULT: StandardSchema<unknown, Record<string, unknown>> = {
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
  /** the official client underneath, for everything this class has no word for */
  readonly client: Client
  readonly peer: string

  constructor(client: Client, peer: string) {
    this.client = client
    this.peer = peer
  }

  /** All of them, page after page. `fresh` asks the peer even where an earlier list may still be used. */
  async tools(options: { fresh?: boolean; signal?: AbortSignal } = {}): Promise<RemoteTool[]> {
    const { fresh, signal } = options
    const { tools } = await this.#guarded(() =>
      this.client.listTools(undefined, { ...(fresh && { cacheMode: 'refresh' }), ...(signal && { signal }) }),
    )
    return tools as RemoteTool[]
  }

  /** The methods that the peer answers as an agent, and those of them that its author wrote. */
  get agent(): { readonly methods: readonly string[]; readonly own: readonly string[] } {
    const { extensions } = this.client.getServerCapabilities() ?? {}
    const said: unknown = isObject(extensions) ? extensions[AGENT_EXTENSION] : undefined
    const texts = (list: unknown): string[] =>
      Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
    if (!isObject(said)) return { methods: [], own: [] }
    return { methods: texts(said.methods), own: texts(said.own ?? said.methods) }
  }

  /** A request of any method, such as agent/plan. What the peer answers is not judged here. */
  async request(
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    const { meta } = options
    const sent = { ...params, ...(meta !== undefined && { _meta: { ...meta } }) }
    return this.#answered(options, (how) => this.client.request({ method, params: sent }, ANY_RESULT, how))
  }

  /** Gives what the tool answered, failures included; throws only where there is no answer. */
  async call(name: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ToolResult> {
    const answer = await this.callOnWire(name, args, options)
    return answer instanceof RpcError ? failure(toErrorDetail(answer, '')).toResult() : toToolResult(answer)
  }

  /** The same as it came over the wire, content blocks and all; an RpcError where the peer refused the call as a whole. */
  async callOnWire(
    name: string,
    args: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<CallToolResult | RpcError> {
    const _meta = metaOf(options)
    const params = { name, arguments: args, ...(Object.keys(_meta).length > 0 && { _meta }) }
    try {
      return await this.#answered(options, (how) => this.client.callTool(params, how))
    } catch (thrown) {
      // That is an answer too.
      if (thrown instanceof RpcError) return thrown
      throw thrown
    }
  }

  /** Of the child behind the connection, where there is one. */
  get pid(): number | undefined {
    const { pid } = (this.client.transport ?? {}) as { pid?: number | null }
    return pid ?? undefined
  }

  async close(): Promise<void> {
    await this.client.close()
  }

  async #answered<T>(options: RequestOptions, work: (how: Sent) => Promise<T>): Promise<T> {
    const { signal, timeoutMs, onProgress } = options
    const how: Sent = {
      timeout: timeoutMs ?? CALL_TIMEOUT_MS,
      resetTimeoutOnProgress: true,
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onprogress: onProgress }),
    }
    try {
      return await this.#guarded(() => work(how))
    } catch (thrown) {
      // The official client calls both a timeout; only the signal knows which it was.
      if (signal?.aborted && !(thrown instanceof RpcError)) {
        throw ToolError.of('CancelledError', 'The call was cancelled.', null, { cause: thrown })
      }
      throw thrown
    }
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      throw translated(thrown, this.peer)
    }
  }
}

type Sent = Pick<RequestOptions, 'signal'> & {
  timeout: number
  resetTimeoutOnProgress: true
  onprogress?: NonNullable<RequestOptions['onProgress']>
}

const metaOf = ({ meta, idempotencyKey, version, context, undo }: CallOptions): Record<string, unknown> => ({
  ...meta,
  ...(idempotencyKey !== undefined && { [META.idempotencyKey]: idempotencyKey }),
  ...(version !== undefined && { [META.version]: version }),
  ...(context !== undefined && { [META.context]: context }),
  ...(undo !== undefined && { [META.undo]: undo }),
})

/** An RpcError the peer answered with, or a ToolError saying why there is no answer. */
function translated(thrown: unknown, peer: string): Error {
  if (ProtocolError.isInstance(thrown))
    return new RpcError(thrown.code, thrown.message, thrown.data as Json | undefined)
  if (SdkError.isInstance(thrown) && String(thrown.code) === 'REQUEST_TIMEOUT') {
    return ToolError.of('TimeoutError', `${peer}: no answer in time`, null, { cause: thrown })
  }
  return transportError(thrown, peer)
}

/**
 * The official client handles a notification one microtask after it arrived and a response at once, so progress that
 * comes in the same chunk as the answer would find nobody listening. Responses wait their turn instead.
 */
function inOrder(transport: Transport): void {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  transport.onmessage = (message, extra) => {
    if ('method' in message) deliver(message, extra)
    else queueMicrotask(() => queueMicrotask(() => deliver(message, extra)))
  }
}

export async function connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
  const peer = options.peer ?? targetName(target)
  const { name = 'myrmex', version = MYRMEX_VERSION, era = 'auto', timeoutMs = CONNECT_TIMEOUT_MS } = options
  const client = new Client(
    { name, version },
    { listMaxPages: MOST_PAGES, versionNegotiation: { mode: era, probe: { timeoutMs: Math.min(timeoutMs, 5000) } } },
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
    inOrder(transport)
  } catch (thrown) {
    // Nothing of a connection that did not come about may stay behind, least of all a child process.
    if (stopping === undefined) stop()
    await stopping
    throw transportError(thrown, peer)
  } finally {
    options.signal?.removeEventListener('abort', stop)
  }
  return new Connection(client, peer)
}
