/** How much of what was written a peer has taken. */
import type { Writable } from 'node:stream'

/** How often it is looked at whether a peer that is behind reads. */
export const LOOK_MS = 1000
/** A peer that took nothing at this many looks does not read. */
export const STALLED_LOOKS = 60

/** The bytes that the system took: it grows if the peer reads. A long text is one write, so that only the handle knows about it. */
export function sentBytes(stream: Writable): number {
  const { _bytesDispatched: dispatched, _handle: handle } = stream as unknown as {
    _bytesDispatched?: number
    _handle?: { writeQueueSize?: number } | null
  }
  return dispatched === undefined ? -stream.writableLength : dispatched - (handle?.writeQueueSize ?? 0)
}
