/**
 * Holds the lists of a host while its servers are started, so that a client that lists once gets their tools:
 *
 * - A list waits until every server has been listed, from its cache too, or has failed once, and at most `waitMs`.
 * - `initialize` waits for instructions, at most `INSTRUCTIONS_MS`.
 * - Servers that take longer are added when they are ready, and clients are notified that the lists changed.
 */
import type { Host } from './host.ts'

/** Clients show nothing until `initialize` is answered. */
const INSTRUCTIONS_MS = 1000

/** Call it before the host listens. Returns a function that ends it early. */
export function holdLists(
  host: Pick<Host, 'view' | 'onChange'>,
  servers: readonly string[],
  waitMs: number,
): () => void {
  const { view } = host
  const missing = new Set(servers)
  if (missing.size === 0 || waitMs === 0) return () => {}
  const lists = Promise.withResolvers<void>()
  const instructions = Promise.withResolvers<void>()
  const endInstructions = (): void => {
    view.instructionsReady = undefined
    instructions.resolve()
  }
  const end = (): void => {
    stop()
    clearTimeout(listsTimer)
    clearTimeout(instructionsTimer)
    // First: what waited looks again.
    view.listsReady = undefined
    lists.resolve()
    endInstructions()
  }
  const listsTimer = setTimeout(end, waitMs).unref()
  const instructionsTimer = setTimeout(endInstructions, Math.min(INSTRUCTIONS_MS, waitMs)).unref()
  const stop = host.onChange(({ kind, server }) => {
    const isSettled = kind === 'listing' || kind === 'started' || kind === 'removed'
    if (isSettled && missing.delete(server) && missing.size === 0) end()
  })
  view.listsReady = lists.promise
  view.instructionsReady = instructions.promise
  return end
}
