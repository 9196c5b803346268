/** One face for clients we did not write, so that one set of expectations can be held against all of them. */
import type { Target } from '../tapped-server.ts'

export type Era = 'legacy' | 'modern'

/** The newest revision of each era. */
export const NEWEST: Record<Era, string> = { legacy: '2025-11-25', modern: '2026-07-28' }

export interface Block {
  type: string
  [key: string]: unknown
}

export interface CallResult {
  content: Block[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: Record<string, unknown>
}

export interface ListedTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

export interface Contents {
  uri: string
  mimeType?: string
  text?: string
  blob?: string
}

export interface ElicitAnswer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
}

/** Who sits in front of the client. */
export type ElicitHandler = (message: string) => ElicitAnswer

export type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

/** A connection. Refusals of the server come as errors with a `code`. */
export interface ClientConnection {
  /** the revision both sides agreed on */
  readonly version: string
  readonly server: { name: string; version: string }
  tools(): Promise<ListedTool[]>
  call(name: string, args: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<CallResult>
  resources(): Promise<{ uri: string; name: string }[]>
  templates(): Promise<{ uriTemplate: string; name: string }[]>
  read(uri: string): Promise<Contents[]>
  prompts(): Promise<{ name: string; arguments?: { name: string; required?: boolean }[] }[]>
  prompt(name: string, args?: Record<string, string>): Promise<{ role: string; content: Block }[]>
  complete(ref: Reference, name: string, value: string, others?: Record<string, string>): Promise<string[]>
  close(): Promise<void>
}

export interface ForeignClient<C extends ClientConnection = ClientConnection> {
  readonly name: string
  readonly era: Era
  connect(target: Target, elicit: ElicitHandler): Promise<C>
}

export interface Progress {
  progress: number
  total?: number
  message?: string
}

export type ReceivedNotification = { method: string; params?: Record<string, unknown> }

/** What the official clients can do beyond that. */
export interface OfficialConnection extends ClientConnection {
  call(
    name: string,
    args: Record<string, unknown>,
    options?: { signal?: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<CallResult>
  /** from here on log messages of this level and above are wanted */
  logLevel(level: 'debug' | 'warning' | 'error'): Promise<void>
  /** reports changes of the resource at the URI from here on */
  subscribe(uri: string): Promise<void>
  /** reports changes of the lists from here on */
  watchLists(): Promise<void>
  /** everything the server tells on its own */
  onNotification: (notification: ReceivedNotification) => void
}
