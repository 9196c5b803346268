/** The settings of one server behind the host. */

/**
 * How a child is kept from the state folder and the process of its host. `bwrap` and `namespace`: namespaces of its own, made by
 * bubblewrap or by util-linux. `user`: another user, if the host runs as root. `auto`: the first of these that works.
 */
export const SANDBOX_KINDS = ['auto', 'bwrap', 'namespace', 'user', 'none'] as const
export type SandboxKind = (typeof SANDBOX_KINDS)[number]

export interface SandboxSettings {
  readonly kind: SandboxKind
  /** with `user`: the name or number of the user; default: a number of its own for each server */
  readonly user?: string | number
  /** the only paths, besides its own folder and /tmp, that the child can change; default: all that the host's user can change */
  readonly write?: readonly string[]
  /** false: no network */
  readonly network: boolean
  /** the state folder of the host. The child sees a folder of its own in its place. */
  readonly state: string
  /** files and folders that the child cannot read */
  readonly hide: readonly string[]
  /** which files these are: one that was replaced is hidden only from children that start later */
  readonly hidden: readonly (number | null)[]
  /** files and folders that the child cannot change */
  readonly readOnly: readonly string[]
}

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
  /** default: signing in with OAuth is possible if the server asks for it, and `headers` has no authorization */
  readonly auth?: AuthSettings | 'none'
}

/** How the host signs in to a server. */
export interface AuthSettings {
  readonly grant: 'authorization_code' | 'client_credentials' | 'device'
  readonly clientId?: string
  readonly clientSecret?: string
  /** URL of a client id metadata document */
  readonly clientMetadataUrl?: string
  /** default: those that the server asks for */
  readonly scopes?: readonly string[]
  /** the only authorization server that is accepted; default: the first that the server names */
  readonly issuer?: string
  /** port on loopback that the browser comes back to; default: the host's own port */
  readonly redirectPort?: number
  /** each caller signs in with an account of its own */
  readonly perCaller?: boolean
}

/** A module file loaded into this process. */
export interface ModuleEndpoint {
  readonly where: 'in-process'
  readonly file: string
}

/**
 * The trust that a tool gets when it is first seen. `none`: rejected until a person reviews it. `verified`: read-only tools may be
 * called. `ask`: tools that change state too, each call with approval. `trusted`: without approval. It covers the definitions of
 * the first listing. A changed definition is quarantined, unless `changes` accepts the change.
 */
export const TRUST_VALUES = ['none', 'verified', 'ask', 'trusted'] as const
export type ConfiguredTrust = (typeof TRUST_VALUES)[number]

/** Which changes of a definition are accepted without a person: none, those that change nothing, or also those that accept more. */
export const ACCEPTED_GRADES = ['none', 'harmless', 'wider'] as const
export type AcceptedGrade = (typeof ACCEPTED_GRADES)[number]

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
  /** which changes of its definitions are accepted without a person; default: harmless */
  readonly changes?: AcceptedGrade
  /** by canonical name or pattern with *; the first match applies (tool-settings.ts) */
  readonly tools: readonly (readonly [pattern: string, settings: ToolSettings])[]
  /** file URIs returned as roots if no client can be asked */
  readonly roots: readonly string[]
  /** whether clients see the server's instructions */
  readonly instructions: boolean
  /** of a child; default: none */
  readonly sandbox?: SandboxSettings
  /** mark: its results are scanned and marked as data. Default: they are passed on unchanged */
  readonly results?: 'mark' | undefined
  /** caller: each caller session has a connection of its own. Default: all callers share one */
  readonly sessions?: 'caller'
  /** connections of callers: at most this many; default: 20 */
  readonly maxSessions?: number
  /** true: arguments that do not fit a tool's schema are rejected. Default: the server judges them */
  readonly strict?: boolean
  /** of a child: it accepts the decisions of this program about its calls; see protocol/hand-over.ts */
  readonly handOverKey?: string
  /** why it cannot be started: a variable that is not set, a secret that cannot be read. Its other settings are incomplete then. */
  readonly problem?: string
  /** values to remove from everything the server sends */
  readonly secrets: readonly string[]
  /** values that are kept in its results and removed from everything else: tokens that its web pages need */
  readonly publicValues?: readonly string[]
  /** digest of all settings above, to detect changes */
  readonly digest: string
}
