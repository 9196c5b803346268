/** How long processes waited for a processor: on a busy machine this is most of the time that something takes, and nobody's fault. */
import { readFileSync } from 'node:fs'

/** Of all these together so far, in milliseconds. Only Linux tells. */
export function waitedMs(pids: readonly number[]): number {
  if (process.platform !== 'linux') return 0
  return pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6, 0)
}
