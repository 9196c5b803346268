/**
 * Identifies this process among all others: machine, boot, process namespace, process id and start time. On systems where that
 * is not certain there is no identity, and a process counts as gone only when its row has expired.
 */
import { readFileSync, readlinkSync } from 'node:fs'

interface Identity {
  readonly place: string
  readonly pid: number
  readonly born: string
}

/** Numbers are used again: only together with when it began does one name a process. */
function bornAt(pid: number | 'self'): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in brackets, may hold anything; what follows it has no brackets. The state is the first field after it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended; only its parent has not looked yet.
    return state === 'Z' || state === 'X' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

function identity(): Identity | undefined {
  const born = bornAt('self')
  if (born === undefined) return undefined
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    // Two containers on one machine each have their own process 1.
    return { place: `${boot} ${readlinkSync('/proc/self/ns/pid')}`, pid: process.pid, born }
  } catch {
    return undefined
  }
}

export const THIS_PROCESS: Identity | undefined = identity()

/** Of a process in the same place. */
export const isAlive = (pid: number, born: string): boolean => bornAt(pid) === born
