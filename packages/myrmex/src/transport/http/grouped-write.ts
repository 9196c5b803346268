/**
 * Delays answers with a pending audit record to the end of the current event loop turn, so that all requests of the turn share one
 * write.
 */
import { WireResult } from '../../server/results/encode.ts'
import type { Reply } from '../../server/session.ts'

const waiting: (() => void)[] = []

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
