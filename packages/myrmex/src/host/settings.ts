/** The settings of one server behind the host. */

/** A program that the host starts and talks to over stdio. */
export interface ChildEndpoint {
  readonly where: 'child'
  readonly command: string
  readonly args: readonly string[]
  /** configured variables, secrets included; the safe list is added at start */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** A server reached over HTTP. */
export interface UrlEndpoint {
  readonly where: 'url'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** auto: Streamable HTTP, with SSE as the fallback */
  readonly transport: 'auto' | 'http' | 'sse'
}

/** A module file loaded into this process. */
export interface ModuleEndpoint {
  readonly where: 'in-process'
  readonly file: string
}

/**
 * The trust that a tool gets when it is first seen. `none`: rejected until a person reviews it. `verified`: read-only tools may be
 * called. `ask`: tools that change state too, each call with approval. `trusted`: without approval. It covers the definition seen
 * first. A changed definition is quarantined.
 */
export const TRUST_VALUES = ['none', 'verified', 'ask', 'trusted'] as const
export type ConfiguredTrust = (typeof TRUST_VALUES)[number]

/** Settings for some tools of a server. */
export interface ToolSettings {
  /** false: not listed and not callable */
  readonly enabled?: boolean
  /** whether it changes state; overrides what the server says */
  readonly destructive?: boolean
  readonly timeoutMs?: number
}

export interface ServerSettings {
  /** lower case letters, digits and _: the module name of its tools */
  readonly name: string
  readonly endpoint: ChildEndpoint | UrlEndpoint | ModuleEndpoint
  /** lazy: started by the first call, using the cached listing */
  readonly start: 'eager' | 'lazy'
  /** a lazy server is ended after this long without a call; 0: never */
  readonly idleMs: number
  /** time limit for opening the connection */
  readonly openMs: number
  /** time limit for a call; progress restarts it */
  readonly timeoutMs: number
  /** interval of health checks while there are no calls; 0: no checks */
  readonly healthMs: number
  /** time limit for a health check */
  readonly hungMs: number
  readonly trust: ConfiguredTrust
  /** by name or pattern with *, as the server lists them; the first match applies */
  readonly tools: readonly (readonly [pattern: string, settings: ToolSettings])[]
  /** file URIs returned as roots if no client can be asked */
  readonly roots: readonly string[]
  /** whether clients see the server's instructions */
  readonly instructions: boolean
  /** values to remove from everything the server sends */
  readonly secrets: readonly string[]
  /** digest of all settings above, to detect changes */
  readonly digest: string
}
