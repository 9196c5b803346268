/**
 * What stands on the same port beside the protocol: pages for people, which need no token, so that nothing behind them may be
 * more than anybody may see or do; and the operator's API, which asks for a token of its own.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OriginCheck } from './guard.ts'

export interface Pages {
  /** Whether a path is theirs. Asked before anything else, for every request: it must be quick. */
  has(path: string): boolean
  /** Answers completely. Host and Origin have been looked at. What it throws is our fault, and is answered as such. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** With the door that its requests come through first. */
export interface MountedPages {
  readonly pages: Pages
  readonly door: OriginCheck
}
