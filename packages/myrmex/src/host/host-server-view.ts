/** The host's view of its server: the parts of the host set what they change. */
import type { ServerView } from '../server/server-view.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Resource } from '../tool/resource.ts'
import type { Tool } from '../tool/tool.ts'

export class HostServerView implements ServerView {
  alias: ServerView['alias']
  readonly nameOnly = new Set<Tool>()
  explainMissingTool: (name: string) => string | undefined = () => undefined
  unlistedResource: (uri: string) => Resource | undefined = () => undefined
  unlistedPrompt: (name: string) => Prompt | undefined = () => undefined
  filterRevision = 0
  #listFilter: ServerView['listFilter']
  #onFilterChange: (() => void) | undefined

  get listFilter(): ServerView['listFilter'] {
    return this.#listFilter
  }

  set listFilter(filter: ServerView['listFilter']) {
    this.#listFilter = filter
    this.filterRevision++
    this.#onFilterChange?.()
  }

  onFilterChange(listener: () => void): void {
    this.#onFilterChange = listener
  }
}
