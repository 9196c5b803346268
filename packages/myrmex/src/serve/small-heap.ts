/**
 * Keeps the process small while it has little to do, and leaves V8 its usual settings while it is busy:
 *
 * - Starting a host makes much garbage: modules, and the lists of all its servers. By default V8 lets the heap grow to several times of what
 *   is alive and hardly returns any of it. With its settings for size it collects earlier. A host of 22 servers takes 160 MiB, not 250.
 * - These settings cost processor time in every call, so they are off while the event loop is busy.
 *
 * Call it after the modules are loaded: their compile cache is valid for the settings that it was written with.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

const SMALL = ['--optimize-for-size', '--semi-space-growth-factor=1']
/** V8's defaults. */
const FAST = ['--no-optimize-for-size', '--semi-space-growth-factor=2']
const LOOK_EVERY_MS = 1000
/** Shares of the time in which the event loop has work. */
const BUSY = 0.25
const QUIET = 0.05
const QUIET_MS = 60_000

/** `started`: until then the process is kept small, however busy it is. Ends with the process. */
export function keepHeapSmall(started: Promise<unknown>): void {
  use(SMALL)
  const begin = (): void => watchLoad()
  started.then(begin, begin)
}

function watchLoad(): void {
  let isSmall = true
  let quietMs = 0
  let last: EventLoopUtilization = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    quietMs = utilization < QUIET ? quietMs + LOOK_EVERY_MS : 0
    const becomesSmall = isSmall ? utilization < BUSY : quietMs >= QUIET_MS
    if (becomesSmall === isSmall) return
    isSmall = becomesSmall
    use(isSmall ? SMALL : FAST)
  }, LOOK_EVERY_MS).unref()
}

function use(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag)
}
