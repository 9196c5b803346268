/**
 * A child and all that it started: one process group, ended as one. Windows has no groups; there it is the child alone, and what
 * it started ends with its input.
 */
import { readdirSync, readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 15
const HAS_GROUPS = process.platform !== 'win32'

const target = (pid: number): number => (HAS_GROUPS ? -pid : pid)

/** Whether there was anybody to tell. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target(pid), signal)
  } catch {
    // Gone already, or (EPERM) not ours any more: either way there is nothing for us to end.
    return false
  }
}

/** By force, with what a member has started in a group of its own, as browsers are: found where /proc tells, while its parents live. */
export function killGroupAndDescendants(pid: number): void {
  const strays = process.platform === 'linux' ? descendants(pid) : []
  signalGroup(pid, 'SIGKILL')
  for (const stray of strays) {
    try {
      process.kill(stray, 'SIGKILL')
    } catch {
      // It was in the group, or ended by itself.
    }
  }
}

function descendants(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const one = /^\d+$/.test(name) ? statOf(name) : undefined
    if (one !== undefined) children.set(one.parent, [...(children.get(one.parent) ?? []), Number(name)])
  }
  const found = [pid]
  // It grows while it is gone through.
  for (const parent of found) found.push(...(children.get(parent) ?? []))
  return found.slice(1)
}

/** Whether nothing of it was left within that time. */
export async function waitForGroupExit(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (signalGroup(pid, 0) && !isBuried(pid)) {
    if (performance.now() >= until) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return true
}

/**
 * The dead count as members until they are buried, and whoever has to bury orphans may take its time or, in a container, never
 * come. Where /proc tells, nobody waits for that.
 */
function isBuried(group: number): boolean {
  if (process.platform !== 'linux') return false
  return !readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLiving(name, group))
}

function isLiving(pid: string, group: number): boolean {
  const { state, group: own } = statOf(pid) ?? {}
  return own === group && state !== 'Z' && state !== 'X'
}

/** Undefined: it ended while we looked. */
function statOf(pid: string): { state: string | undefined; parent: number; group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind the name, which may hold anything.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3)
    return { state, parent: Number(parent), group: Number(group) }
  } catch {
    return undefined
  }
}
