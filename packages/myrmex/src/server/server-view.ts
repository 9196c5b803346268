/** What a host changes about the server in front of it, before the server has clients. Without a host nothing is changed. */
import type { Prompt } from '../tool/prompt.ts'
import type { Resource } from '../tool/resource.ts'
import type { Tool } from '../tool/tool.ts'

export class ServerView {
  /** Replaces a call by another one; undefined: the call stays as it is. */
  alias: ((name: string, args: unknown) => { name: string; arguments: unknown } | undefined) | undefined
  /** Which tools are listed; default: all. Tools that are not listed can still be called. */
  listFilter: ((tool: Tool) => boolean) | undefined
  /** Tools listed by name only until they are trusted, because no model should read their description. */
  readonly nameOnly = new Set<Tool>()
  /** Why a tool may be unknown, in a sentence. */
  explainMissingTool: ((name: string) => string | undefined) | undefined
  /** Finds a resource that is not listed. */
  unlistedResource: ((uri: string) => Resource | undefined) | undefined
  /** Finds a prompt by a name that is not listed. */
  unlistedPrompt: ((name: string) => Prompt | undefined) | undefined
}
