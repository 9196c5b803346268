/**
 * Limits the processor time that a foreign schema can take. A backtracking pattern or doubling references would hang the linter, so
 * every check is stopped after a second, and all stopped checks of a run together take three seconds at most.
 */
import vm from 'node:vm'

export const TOO_SLOW = Symbol('too slow')

const MAX_CHECK_MS = 1000
const MAX_RUN_MS = 3000
/** How much longer than its limit the clock may run. */
const MAX_STRETCH = 16

const world = vm.createContext({ work: undefined as unknown })
const script = new vm.Script('work()')

/** One for each run of the linter. */
export class TimeLimit {
  readonly #longest: number
  #left: number

  constructor(longestCheck = MAX_CHECK_MS, longestRun = MAX_RUN_MS) {
    this.#longest = longestCheck
    this.#left = longestRun
  }

  /**
   * Returns or throws what the work does; TOO_SLOW if it was stopped, or if earlier work has used up the time. Work may be done
   * again: it is stopped by the clock, and on a busy machine a second can pass in which it hardly ran.
   */
  run<T>(work: () => T): T | typeof TOO_SLOW {
    if (this.#left <= 0) return TOO_SLOW
    const limit = Math.min(this.#left, this.#longest)
    for (let timeout = limit; ; timeout *= 2) {
      const before = processorMs()
      try {
        return runInTime(work, timeout)
      } catch (error) {
        if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      }
      if (processorMs() - before < limit / 2 && timeout < limit * MAX_STRETCH) continue
      this.#left -= limit
      return TOO_SLOW
    }
  }
}

function runInTime<T>(work: () => T, timeout: number): T {
  world.work = work
  try {
    return script.runInContext(world, { timeout }) as T
  } finally {
    world.work = undefined
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
