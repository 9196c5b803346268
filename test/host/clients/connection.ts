/** One face for the clients we did not write: results whole, as they came, so that nothing of them is lost before it is compared. */
import type { Target } from '../../interop/tapped-server.ts'
import type { ScriptedUser } from '../scripted-user.ts'

export type Result = Record<string, unknown>

export interface ReceivedNotification {
  readonly method: string
  readonly params?: Record<string, unknown>
}

export type Level = 'debug' | 'error'

export interface Connection {
  /** The result; throws what the client throws. */
  ask(method: string, params: Record<string, unknown>, onProgress?: (progress: Result) => void): Promise<Result>
  /** from here on log messages of this level and above are wanted */
  logLevel(level: Level): Promise<void>
  /** reports changes of the resource at the URI, until the returned function is called */
  subscribe(uri: string): Promise<() => Promise<void>>
  /** everything the server told on its own, since somebody last looked */
  heard: ReceivedNotification[]
  /** its own description */
  readonly server: { readonly capabilities: Result; readonly instructions: string | undefined }
  close(): Promise<void>
}

export interface Client {
  readonly name: string
  open(target: Target, user: ScriptedUser): Promise<Connection>
}
