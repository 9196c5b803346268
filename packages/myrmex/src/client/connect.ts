/** `connect(target)`: one connection to a server in this process, behind a command or at a URL, of either era. */
import { Client, ProtocolError, SdkError, type Transport } from '@modelcontextprotocol/client'
import { failure } from '../pipeline/outcome.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import type { Json } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import { transportError } from './broken.ts'
import { toToolResult } from './result.ts'
import { nameOf, type Target, transportOf } from './target.ts'

export interface ConnectOptions {
  name?: string
  version?: string
  /** auto tries the modern era first */
  era?: 'auto' | 'legacy'
  /** how long opening the connection may take */
  timeoutMs?: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** counted anew with every progress report */
  timeoutMs?: number
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
  idempotencyKey?: string
  /** a version range, such as ^1.2.0 */
  version?: string
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

  async tools(): Promise<RemoteTool[]> {
    const { tools } = await this.#guarded(() => this.client.listTools())
    return tools as RemoteTool[]
  }

  /** Gives what the tool answered, failures included; throws only where there is no answer. */
  async call(name: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ToolResult> {
    const { signal, timeoutMs, onProgress, idempotencyKey, version } = options
    const _meta = {
      ...(idempotencyKey !== undefined && { [META.idempotencyKey]: idempotencyKey }),
      ...(version !== undefined && { [META.version]: version }),
    }
    const params = { name, arguments: args, ...(Object.keys(_meta).length > 0 && { _meta }) }
    try {
      const result = await this.#guarded(() =>
        this.client.callTool(params, {
          timeout: timeoutMs ?? CALL_TIMEOUT_MS,
          resetTimeoutOnProgress: true,
          ...(signal !== undefined && { signal }),
          ...(onProgress !== undefined && { onprogress: onProgress }),
        }),
      )
      return toToolResult(result)
    } catch (thrown) {
      // The peer refused the call as a whole: that is an answer too.
      if (thrown instanceof RpcError) return failure(toErrorDetail(thrown, '')).toResult()
      // The official client calls both a timeout; only the signal knows which it was.
      if (signal?.aborted) throw new ToolError('CancelledError', 'The call was cancelled.', null, { cause: thrown })
      throw thrown
    }
  }

  async close(): Promise<void> {
    await this.client.close()
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      throw translated(thrown, this.peer)
    }
  }
}

/** An RpcError the peer answered with, or a ToolError saying why there is no answer. */
function translated(thrown: unknown, peer: string): Error {
  if (ProtocolError.isInstance(thrown))
    return new RpcError(thrown.code, thrown.message, thrown.data as Json | undefined)
  if (SdkError.isInstance(thrown) && String(thrown.code) === 'REQUEST_TIMEOUT') {
    return new ToolError('TimeoutError', `${peer}: no answer in time`, null, { cause: thrown })
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
  const peer = nameOf(target)
  const { name = 'myrmex', version = '0.1.0', era = 'auto', timeoutMs = CONNECT_TIMEOUT_MS } = options
  const client = new Client(
    { name, version },
    { versionNegotiation: { mode: era, probe: { timeoutMs: Math.min(timeoutMs, 5000) } } },
  )
  try {
    const transport = await transportOf(target)
    await client.connect(transport, { timeout: timeoutMs })
    inOrder(transport)
  } catch (thrown) {
    // Nothing of a connection that did not come about may stay behind, least of all a child process.
    await client.close().catch(() => {})
    throw transportError(thrown, peer)
  }
  return new Connection(client, peer)
}
