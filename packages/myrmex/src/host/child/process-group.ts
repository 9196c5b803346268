/**
 * The process group of a child, which also holds its descendants. Windows has no groups: there only the child is signalled, and its
 * descendants end when their input closes.
 */
import { readdirSync } from 'node:fs'
import { processStat } from '../../ledger/process-identity.ts'

const POLL_MS = 15
const HAS_GROUPS = process.platform !== 'win32'

const target = (pid: number): number => (HAS_GROUPS ? -pid : pid)

/** Returns whether the signal reached a process. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target(pid), signal)
  } catch {
    // Already gone, or (EPERM) no longer ours: there is nothing to end.
    return false
  }
}

/** Also kills descendants with a group of their own, such as browsers. They are found through /proc while their parents live. */
export function killGroupAndDescendants(pid: number): void {
  const descendantPids = process.platform === 'linux' ? descendants(pid) : []
  signalGroup(pid, 'SIGKILL')
  for (const stray of descendantPids) {
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
    const one = /^\d+$/.test(name) ? processStat(name) : undefined
    if (one !== undefined) children.set(one.parent, [...(children.get(one.parent) ?? []), Number(name)])
  }
  const found = [pid]
  // The array grows during the loop.
  for (const parent of found) found.push(...(children.get(parent) ?? []))
  return found.slice(1)
}

/** Returns whether the whole group ended in time. */
export async function waitForGroupExit(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (signalGroup(pid, 0) && !isOnlyZombies(pid)) {
    if (performance.now() >= until) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}

/**
 * A dead process counts as a group member until its parent reaps it, which in a container may never happen. Where /proc exists,
 * zombies are ignored.
 */
function isOnlyZombies(group: number): boolean {
  if (process.platform !== 'linux') return false
  return !readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLiving(name, group))
}

function isLiving(pid: string, group: number): boolean {
  const stat = processStat(pid)
  return stat?.group === group && stat.isLiving
}
