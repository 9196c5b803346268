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

/** Undefined if there is no such process, or no /proc. */
export function processStat(pid: number | string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name is in brackets and may contain anything. The state is the first field after it.
    const [state, parent, group, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended; its parent has not collected it yet.
    const isLiving = state !== 'Z' && state !== 'X'
    return { isLiving, parent: Number(parent), group: Number(group), born: fields[16] }
  } catch {
    return undefined
  }
}

/** The start time of a process. Process ids are reused; id and start time together are unique. */
function bornAt(pid: number | 'self'): string | undefined {
  const stat = processStat(pid)
  return stat?.isLiving ? stat.born : undefined
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

/** For a process on this machine and in this namespace. */
export const isAlive = (pid: number, born: string): boolean => bornAt(pid) === born

/** This process as one text, for others to ask `hasEnded`. */
export const PROCESS_NAME: string | null =
  THIS_PROCESS === undefined ? null : [THIS_PROCESS.place, THIS_PROCESS.pid, THIS_PROCESS.born].join(' ')

/** Whether the process with this name has certainly ended. Of a process elsewhere, nobody knows. */
export function hasEnded(name: string | null): boolean {
  const parts = name?.split(' ') ?? []
  const [pid, born] = parts.splice(-2)
  return THIS_PROCESS !== undefined && parts.join(' ') === THIS_PROCESS.place && !isAlive(Number(pid), born ?? '')
}
