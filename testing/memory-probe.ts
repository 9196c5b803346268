/**
 * Loaded into a process of the command before its own code (`--import`). On SIGUSR2 it collects garbage and writes what the process holds to the
 * file MEMORY_PROBE. The command itself knows nothing of it.
 */
import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'

export interface HeldResources {
  readonly heapBytes: number
  readonly residentBytes: number
  readonly files: number
  /** what keeps the event loop busy, by kind; timers are left out, because each connection to an upstream has one for a while */
  readonly handles: Readonly<Record<string, number>>
}

const COLLECTIONS = 4
const BETWEEN_MS = 50

async function held(): Promise<HeldResources> {
  for (let times = 0; times < COLLECTIONS; times++) {
    await globalThis.gc?.({ type: 'major', execution: 'async' })
    await after(BETWEEN_MS)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind !== 'Timeout' && kind !== 'Immediate') handles[kind] = (handles[kind] ?? 0) + 1
  }
  return { heapBytes: heapUsed + external, residentBytes: rss, files: readdirSync('/proc/self/fd').length, handles }
}

const file = process.env.MEMORY_PROBE
// Processes that the command starts may inherit the option: they are not asked.
if (file !== undefined && ['host', 'serve'].some((command) => process.argv.includes(command))) {
  process.on('SIGUSR2', () => {
    void held().then((found) => {
      writeFileSync(`${file}.new`, JSON.stringify(found))
      renameSync(`${file}.new`, file)
    })
  })
}
