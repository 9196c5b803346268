/** One open connection to an upstream of either era. It passes messages on unchanged. */
import type { StopSignal } from '../../pipeline/request-scope.ts'
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'

export interface SendOptions {
  readonly signal?: StopSignal | undefined
  /** restarted by every progress report; default: none */
  readonly timeoutMs?: number | undefined
  /** params of a progress report, unchanged except for the token */
  onProgress?(params: JsonObject): void
  /** the answer may be a task: reports may also come after it, until this aborts */
  readonly progressUntil?: AbortSignal | undefined
  /** extra headers for this request, if the transport has headers: Mcp-Param-… */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface LinkHandlers {
  /** A question: sampling, elicitation or roots. Returns the result or throws RpcError. `ping` is answered by the link. */
  onRequest(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>
  /** Every notification except progress and cancellations. */
  onNotification(method: string, params: JsonObject): void
  /** The connection is lost. Not called after `close` or `cut`. */
  onClose(why: ToolError): void
}

/** The result of the handshake. */
export interface NegotiatedPeer {
  readonly era: 'modern' | 'legacy'
  /** the negotiated protocol version */
  readonly version: string
  readonly server: { readonly name: string; readonly version: string; readonly title?: string } | undefined
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
}

export interface Link extends NegotiatedPeer {
  /** of the child process, if there is one */
  readonly pid: number | undefined
  /**
   * Returns the result unchanged. Throws RpcError with the upstream's error, or ToolError: CancelledError, TimeoutError, or
   * TransportError if the connection is lost. Adds the required `_meta` of the modern era unless the caller set it.
   */
  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
  /** Ends the connection in order. A child process and its descendants are gone when this resolves. */
  close(): Promise<void>
  /** The same without asking first, for a hanging server. */
  cut(): Promise<void>
}
