// Processor time, of this process and of others. Other programs on the machine disturb it far less than the clock.
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

/** Microseconds of all threads of this process so far. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** A poll that finds this process doing no more than polling. */
const QUIET = { pollMs: 5, micros: 1000, polls: 400 } as const

/** Resolves when this process has nothing left to do, its threads included; after two seconds at the latest. */
export async function quiet(): Promise<void> {
  for (let poll = 0; poll < QUIET.polls; poll++) {
    const before = ownCpu()
    await pause(QUIET.pollMs)
    if (ownCpu() - before < QUIET.micros) return
  }
}

interface ProcessStat {
  readonly name: string
  readonly parent: number
  /** seconds of user and system time, all threads */
  readonly cpu: number
  /** the same of its children that ended, and theirs */
  readonly endedChildren: number
}

/** Undefined where there is no such process, or the system does not tell. */
export function processStat(pid: number): ProcessStat | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The name is in parentheses and may hold anything, parentheses too.
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Linux counts in hundredths of a second.
  const seconds = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) / 100
  return { name, parent: Number(fields[1]), cpu: seconds(11), endedChildren: seconds(13) }
}

/** The children of a process that have this name. */
export function childrenNamed(parent: number, name: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => {
    const stat = processStat(pid)
    return stat?.parent === parent && stat.name === name
  })
}

/** Seconds of a process and all its children, also those that end meanwhile. */
export function familyCpu(pid: number): number {
  const own = processStat(pid)
  if (own === undefined)
    throw new Error(`process ${pid} is gone, or this system has no /proc to read its CPU time from`)
  const children = childrenNamed(pid, own.name).map((child) => processStat(child)?.cpu ?? 0)
  return own.cpu + own.endedChildren + children.reduce((sum, cpu) => sum + cpu, 0)
}
