/**
 * Requests about resources and prompts, and all lists, wait while the servers behind a host are started, for a bounded time: many
 * clients list once, when they connect. Afterwards this costs one look at a field.
 */
import type { Method } from './method-table.ts'

export const onceListed =
  (method: Method): Method =>
  (exchange, server) => {
    const { listsReady } = server.view
    return listsReady === undefined ? method(exchange, server) : listsReady.then(() => method(exchange, server))
  }
