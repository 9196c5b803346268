/** Every process that an upstream of this test is, or has started: they carry a mark in their environment. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

export const MARK = 'MYRMEX_CRASH_MARK'

export interface MarkedProcess {
  readonly pid: number
  readonly command: string
}

export function markedProcesses(mark: string): MarkedProcess[] {
  if (process.platform !== 'linux') return []
  const found: MarkedProcess[] = []
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`)) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      // A dead one that nobody has asked after yet has no command any more.
      if (command !== '') found.push({ pid, command })
    } catch {
      // It has ended since, or belongs to somebody else.
    }
  }
  return found
}
