/** How messages get to an upstream and back: the pipes of a child, or HTTP. What they say is the link's matter. */
import type { ToolError } from '../../protocol/errors.ts'
import type { Message } from '../../protocol/jsonrpc.ts'

export interface WireHandlers {
  /** Anything that was JSON, secrets taken out; whether it is a message is not looked at yet. */
  onMessage(message: unknown): void
  /** It broke by itself, once. Not after `end` or `cut`. */
  onClose(why: ToolError): void
}

/** What only transports with a stream for each request know. */
export interface WireSendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** closes the request's stream, which cancels it */
  readonly signal?: AbortSignal | undefined
  /** the request's stream ended, answered or not */
  readonly onStreamEnd?: (() => void) | undefined
}

export interface Wire {
  /** of the child, while there is one */
  readonly pid: number | undefined
  /** each request has a stream of its own, so closing that cancels it */
  readonly perRequest: boolean
  start(handlers: WireHandlers): Promise<void>
  /** Rejects with what was thrown, as it was; undefined where it cannot fail for one message alone. */
  send(message: Message, how?: WireSendOptions): Promise<void> | undefined
  /** The same for the reader, without secrets: a ToolError, or an RpcError where the failure was an answer. */
  explain(thrown: unknown): Error
  setVersion(version: string): void
  end(): Promise<void>
  cut(): Promise<void>
}
