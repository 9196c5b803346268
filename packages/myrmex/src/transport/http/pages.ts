/** Pages for people on the same port: they need no token, so nothing behind them may be more than anybody may see or do. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Pages {
  /** Whether a path is theirs. Asked before anything else, for every request: it must be quick. */
  has(path: string): boolean
  /** Answers completely. Host and Origin have been looked at. What it throws is our fault, and is answered as such. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}
