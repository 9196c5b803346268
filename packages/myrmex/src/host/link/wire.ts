/** Carries messages to an upstream and back: the pipes of a child, or HTTP. */
import type { TransportSendOptions } from '@modelcontextprotocol/client'
import type { ToolError } from '../../protocol/errors.ts'
import type { Message } from '../../protocol/jsonrpc.ts'

export interface WireHandlers {
  /** Any JSON value, with secrets removed. It may not be a valid message. Returns false if nobody asked for it. */
  onMessage(message: unknown): unknown
  /** Whether a request waits for its answer, or did a while ago: then a long message may be one. Default: yes. */
  expectsAnswer?(): boolean
  /** The connection was lost, reported once. Not called after `end` or `cut`. */
  onClose(why: ToolError): void
}

/** For transports with one stream per request. */
export type WireSendOptions = Pick<TransportSendOptions, 'headers' | 'requestSignal' | 'onRequestStreamEnd'>

export interface Wire {
  /** of the child process, if there is one */
  readonly pid: number | undefined
  /** each request has its own stream, and closing it cancels the request */
  readonly perRequest: boolean
  start(handlers: WireHandlers): Promise<void>
  /** Rejects with the original error; undefined if a single message cannot fail. */
  send(message: Message, options?: WireSendOptions): Promise<void> | undefined
  /** Converts it for the reader, without secrets: a ToolError, or an RpcError if the failure was an answer. */
  explain(thrown: unknown): Error
  setVersion(version: string): void
  end(): Promise<void>
  cut(): Promise<void>
}
