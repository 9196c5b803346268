/** One server behind the host, as the operator described it: where it is, how it is kept, what its tools may do. */

/** A program that is started and spoken to on stdio. */
export interface ChildEndpoint {
  readonly where: 'child'
  readonly command: string
  readonly args: readonly string[]
  /** what was given for it, secrets included; the safe list is added when it is started */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** A server that listens somewhere. */
export interface UrlEndpoint {
  readonly where: 'url'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** auto: Streamable HTTP, and SSE where the server knows only that */
  readonly transport: 'auto' | 'http' | 'sse'
}

/** A module file, loaded into this process. */
export interface ModuleEndpoint {
  readonly where: 'in-process'
  readonly file: string
}

/**
 * What the operator vouches for when a tool is first seen. `none`: nobody may call it before somebody looked. `verified`: what only
 * reads may be called. `ask`: what changes state too, each call with a yes. `trusted`: without one. It holds for the definition
 * that was seen first; whatever it becomes later is quarantined.
 */
export type ConfiguredTrust = 'none' | 'verified' | 'ask' | 'trusted'

/** What the operator says of some of a server's tools. */
export interface ToolSettings {
  /** false: it is not offered at all */
  readonly enabled?: boolean
  /** whether it changes state, whatever the server says */
  readonly destructive?: boolean
  readonly timeoutMs?: number
}

export interface ServerSettings {
  /** lower case, digits and _: the module of its tools */
  readonly name: string
  readonly endpoint: ChildEndpoint | UrlEndpoint | ModuleEndpoint
  /** lazy: started by the first call, from a listing that is known from last time */
  readonly start: 'eager' | 'lazy'
  /** lazy ones are ended after this long without a call; 0: never */
  readonly idleMs: number
  /** how long opening may take */
  readonly openMs: number
  /** how long one call may take without a word of progress */
  readonly timeoutMs: number
  /** how often its health is asked for while nobody calls; 0: never */
  readonly healthMs: number
  /** how long it may take to say that it is well, before it counts as hung */
  readonly hungMs: number
  readonly trust: ConfiguredTrust
  /** by name or pattern with *, as the server lists them; the first that fits holds */
  readonly tools: readonly (readonly [pattern: string, settings: ToolSettings])[]
  /** file URIs it is told when it asks for roots and no client is there to ask */
  readonly roots: readonly string[]
  /** whether its instructions are told to clients */
  readonly instructions: boolean
  /** values that must not be seen anywhere */
  readonly secrets: readonly string[]
  /** all of the above in one word: the same as long as nothing changed */
  readonly digest: string
}
