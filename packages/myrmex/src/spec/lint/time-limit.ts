/**
 * A limit to the time that a stranger's schema can take. A pattern that backtracks or references that double would hang the
 * linter; no check is let run on, and all of them together cannot make one run take much longer.
 */
import vm from 'node:vm'

export const TOO_SLOW = Symbol('too slow')

const LONGEST_CHECK_MS = 1000
const LONGEST_RUN_MS = 3000

const world = vm.createContext({ work: undefined as unknown })
const script = new vm.Script('work()')

/** One for each run of the linter. */
export class TimeLimit {
  readonly #longest: number
  #left: number

  constructor(longestCheck = LONGEST_CHECK_MS, longestRun = LONGEST_RUN_MS) {
    this.#longest = longestCheck
    this.#left = longestRun
  }

  /** What the work gives or throws; TOO_SLOW where it was stopped, or others before it have taken all the time. */
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
