/**
 * Requests about resources and prompts, all lists, and calls of tools that nobody has listed yet wait while the servers behind a host are started, for a bounded time: many
 * clients list once, when they connect. Afterwards this costs one look at a field.
 */
import type { Server } from '../server.ts'
import type { Method } from './method-table.ts'

export const onceListed =
  (method: Method): Method =>
  (exchange, server) => {
    const { listsReady } = server.view
    return listsReady === undefined ? method(exchange, server) : listsReady.then(() => method(exchange, server))
  }

/** What a call of this tool waits for; undefined: nothing. */
export const untilListed = ({ view, registry }: Server, tool: string): Promise<void> | undefined =>
  view.listsReady !== undefined && registry.find(tool) === undefined ? view.listsReady : undefined
