/**
 * Answers whose lines the ledger still has to write wait for the end of this turn of the event loop: then those of all
 * requests that came in it leave after one write instead of one each.
 */
import { WireResult } from '../../server/results/encode.ts'
import type { Reply } from '../../server/session.ts'

const waiting: (() => void)[] = []

/** Calls `write` now if nothing holds the reply back, or else at the end of the turn. */
export function writeWithGroup(reply: Reply, write: () => void): void {
  const held =
    reply !== undefined &&
    !Array.isArray(reply) &&
    'result' in reply &&
    reply.result instanceof WireResult &&
    reply.result.isPending
  if (!held) return write()
  if (waiting.push(write) === 1) setImmediate(writeAll)
}

function writeAll(): void {
  for (const write of waiting.splice(0)) write()
}
