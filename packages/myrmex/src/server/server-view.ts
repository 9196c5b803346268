/** What a host changes about the server in front of it, before the server has clients. Without a host nothing is changed. */
import type { JsonObject } from '../protocol/json.ts'
import type { Principal } from '../tool/context.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Tool } from '../tool/tool.ts'
import type { FoundResource } from './resource-index.ts'

export class ServerView {
  /** By which a host finds its own items in the lists of other servers. Undefined: this is no host. */
  hostId: string | undefined
  /**
   * While servers behind a host are started: lists wait for this, and so do calls of unknown tools. It resolves after a bounded time.
   * Undefined at all other times.
   */
  listsReady: Promise<void> | undefined
  /** The same for instructions, after a shorter time, because clients wait for the answer to `initialize`. */
  instructionsReady: Promise<void> | undefined
  /** Replaces a call of this caller by another one; undefined: the call stays as it is. */
  alias:
    | ((name: string, args: unknown, principal: Principal) => { name: string; arguments: unknown } | undefined)
    | undefined
  /** The modules of servers behind a host, whether or not they are running: their scopes are offered before they have listed anything. */
  modules: (() => Iterable<string>) | undefined
  /** Which tools are listed to a caller; default: all. Tools that are not listed can still be called. */
  listFilter: ((tool: Tool, principal: Principal) => boolean) | undefined
  /** What is passed to a caller as instructions now, or to anybody; default: the server's own. */
  instructions: ((principal: Principal | undefined) => string | undefined) | undefined
  /** Further extensions that clients learn of. */
  extensions: JsonObject | undefined
  /** Why a tool may be unknown, in a sentence for this caller. */
  explainMissingTool: ((name: string, principal: Principal) => string | undefined) | undefined
  /** Why a resource may be unknown, in a sentence for this caller. */
  explainMissingResource: ((uri: string, principal: Principal) => string | undefined) | undefined
  /** Takes away what others have under these keys, because the server's own items need them. */
  makeRoom: ((resources: readonly string[], prompts: readonly string[]) => void) | undefined
  /**
   * Finds a resource of another server by its canonical URI. If the caller may read no resource of that server, templates are not
   * matched: the gates refuse the request anyway.
   */
  findResource: ((uri: string, principal: Principal | undefined) => FoundResource | undefined) | undefined
  /** Ends what servers keep for callers, as they signed in, that have lost their rights. */
  endCallers: ((isOver: (caller: Principal) => boolean) => void) | undefined
  /** Finds a prompt by a name that is not listed. */
  unlistedPrompt: ((name: string) => Prompt | undefined) | undefined
}
