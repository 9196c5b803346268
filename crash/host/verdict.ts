/** What is wrong with what was found: calls lost by servers that were well, processes left over, more held than before. */
import type { Found } from './host.ts'
import type { Holding } from './host-process.ts'

/** Of what it held before; garbage is collected first. */
const MOST_GROWTH = 0.1

export const heldBytes = ({ heapBytes, outsideBytes }: Holding): number => heapBytes + outsideBytes

export const handlesOf = ({ handles }: Holding): number => Object.values(handles).reduce((all, count) => all + count, 0)

export function verdict(found: Found): string[] {
  const { before, after, lost, orphans, calls } = found
  const wrong = [...found.problems]
  if (lost > 0) wrong.push(`${lost} of ${calls} calls of servers that were well are lost`)
  if (orphans > 0) wrong.push(`${orphans} processes are left`)
  if (after.files > before.files) wrong.push(`${after.files} files are open; there were ${before.files}`)
  if (handlesOf(after) > handlesOf(before))
    wrong.push(`handles have grown from ${JSON.stringify(before.handles)} to ${JSON.stringify(after.handles)}`)
  if (heldBytes(after) > heldBytes(before) * (1 + MOST_GROWTH))
    wrong.push(`memory has grown from ${heldBytes(before)} to ${heldBytes(after)} bytes`)
  return wrong
}
