/** What a host changes about the server in front of it. It is passed once, at construction; without a host it is empty. */
import type { Prompt } from '../tool/prompt.ts'
import type { Resource } from '../tool/resource.ts'
import type { Tool } from '../tool/tool.ts'

export interface ServerView {
  /** Replaces a call by another one; undefined: the call stays as it is. */
  readonly alias?: ((name: string, args: unknown) => { name: string; arguments: unknown } | undefined) | undefined
  /** Which tools are listed; default: all. Tools that are not listed can still be called. */
  readonly listFilter?: ((tool: Tool) => boolean) | undefined
  /** Tools listed by name only until they are trusted, because no model should read their description. */
  readonly nameOnly: ReadonlySet<Tool>
  /** Why a tool may be unknown, in a sentence. */
  explainMissingTool?(name: string): string | undefined
  /** Finds a resource that is not listed. */
  unlistedResource?(uri: string): Resource | undefined
  /** Finds a prompt by a name that is not listed. */
  unlistedPrompt?(name: string): Prompt | undefined
  /** increases with every change of the filter */
  readonly filterRevision: number
  onFilterChange?(listener: () => void): void
}

export const PLAIN_VIEW: ServerView = Object.freeze({ nameOnly: new Set<Tool>(), filterRevision: 0 })
