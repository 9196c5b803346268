/**
 * Pages on the same port as MCP. They need no token, so they must not show or do anything that is not public. Where
 * callers need no token either, they are served to the same users of this machine as the callers. The operator's API, which
 * checks its own token, is mounted this way too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Pages {
  /** They check a token of their own, so they are served to every user of this machine. */
  readonly hasToken?: true
  /** Whether the path belongs to them. Called for every request, so it must be fast. */
  has(path: string): boolean
  /** Answers completely. Host and Origin are already checked. A thrown error is answered as an internal error. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}
