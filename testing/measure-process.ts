/** What a process of the `myrmex` command holds once garbage is collected, asked from outside. Only on Linux. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { HeldResources } from './memory-probe.ts'

export type { HeldResources } from './memory-probe.ts'

const PROBE = pathToFileURL(join(import.meta.dirname, 'memory-probe.ts')).href
const PATIENCE_MS = 30_000

/** The environment to start it with. It writes to this file. */
export const probeEnvironment = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--expose-gc --import=${PROBE}`,
  MEMORY_PROBE: file,
})

export async function measureProcess(pid: number, file: string): Promise<HeldResources> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (const latest = performance.now() + PATIENCE_MS; performance.now() < latest; await after(20)) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as HeldResources
  }
  throw new Error(`Process ${pid} did not say what it holds within ${PATIENCE_MS / 1000} s`)
}
