/**
 * Limits the time that a foreign schema can take. A backtracking pattern or doubling references would hang the linter, so every
 * check is stopped after a second, and all stopped checks of a run together take three seconds at most.
 */
import vm from 'node:vm'

export const TOO_SLOW = Symbol('too slow')

const MAX_CHECK_MS = 1000
const MAX_RUN_MS = 3000

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

  /** Returns or throws what the work does; TOO_SLOW if it was stopped, or if earlier work has used up the time. */
  run<T>(work: () => T): T | typeof TOO_SLOW {
    if (this.#left <= 0) return TOO_SLOW
    const timeout = Math.min(this.#left, this.#longest)
    world.work = work
    try {
      return script.runInContext(world, { timeout }) as T
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      this.#left -= timeout
      return TOO_SLOW
    } finally {
      world.work = undefined
    }
  }
}
