/**
 * Time limits that only the bench enforces. `npm test` does the work and checks its result; on a busy machine, a limit would fail at
 * random. `npm run bench -- limits` runs the same tests one at a time and fails when one takes longer than its limit. Work that
 * never ends still fails everywhere, by Vitest's own timeout.
 */
export const ENFORCED = process.env.MYRMEX_TIME_LIMITS === '1'

/**
 * Returns what `work` returns. Synchronous work is measured in processor time, and the best of `tries` counts; a promise is measured
 * by the clock.
 */
export function withTimeLimit<T>(limit_ms: number, work: () => T, tries = 1): T {
  if (!ENFORCED) return work()
  let best = Number.POSITIVE_INFINITY
  for (let left = tries; ; left--) {
    const [cpu, clock] = [process.threadCpuUsage(), performance.now()]
    const result = work()
    if (result instanceof Promise) {
      return result.then((value) => {
        assertWithin(limit_ms, performance.now() - clock)
        return value
      }) as T
    }
    const { user, system } = process.threadCpuUsage(cpu)
    best = Math.min(best, (user + system) / 1000)
    if (left > 1 && best >= limit_ms) continue
    assertWithin(limit_ms, best)
    return result
  }
}

function assertWithin(limit_ms: number, took_ms: number): void {
  if (took_ms >= limit_ms) throw new Error(`This took ${took_ms.toFixed(1)} ms. The limit is ${limit_ms} ms.`)
}
