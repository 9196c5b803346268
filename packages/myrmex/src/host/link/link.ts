/** One open connection to an upstream, of either era. It passes messages on as they are; what they mean is for others. */
import type { StopSignal } from '../../pipeline/request-scope.ts'
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'

export interface SendOptions {
  readonly signal?: StopSignal | undefined
  /** counted anew with every progress report; none unless told */
  readonly timeoutMs?: number | undefined
  /** params of each progress report, as they came; its token is this link's own */
  onProgress?(params: JsonObject): void
  /** of this request alone, where the transport has headers: Mcp-Param-… */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface LinkHandlers {
  /** A question of the upstream's: sampling, elicitation, roots. Gives the result, or throws RpcError. `ping` never comes here. */
  onRequest(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>
  /** Everything but progress and cancellations, which belong to one request. */
  onNotification(method: string, params: JsonObject): void
  /** It broke. Not called after `close` or `cut`. */
  onClose(why: ToolError): void
}

export interface Link {
  readonly era: 'modern' | 'legacy'
  /** the revision that both speak */
  readonly version: string
  readonly server: { readonly name: string; readonly version: string; readonly title?: string } | undefined
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  /** of the child, where there is one */
  readonly pid: number | undefined
  /**
   * The result as it came. Throws RpcError with what the upstream answered, ToolError CancelledError, TimeoutError, or
   * TransportError where it is gone. In the modern era `_meta` gets what every request must carry, unless the caller has put it there.
   */
  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
  /** Ends it in order; of a child and all that it started nothing is left when this resolves. */
  close(): Promise<void>
  /** The same without asking first: for one that hangs. */
  cut(): Promise<void>
}
