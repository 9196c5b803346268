/** The npm that started this script, and whether a process is running. */
import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import process from 'node:process'

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'busybox'])

/** npm starts scripts through a shell, which may be the parent or have been replaced. Undefined where processes cannot be listed. */
export function npmProcess(): number | undefined {
  const [parent, name] = processEntry(process.ppid) ?? []
  if (parent === undefined || name === undefined) return undefined
  return SHELLS.has(basename(name)) ? parent : process.ppid
}

/** Parent and program of a process. */
function processEntry(pid: number): [number, string] | undefined {
  try {
    const listed = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
    const [parent, ...name] = listed.trim().split(/\s+/)
    return [Number(parent), name.join(' ').replace(/^-/, '')]
  } catch {
    return undefined
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
