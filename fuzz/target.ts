/** What is fuzzed, as the runner sees it: numbered cases, each generated from the random seed and its number alone. */
import { SeededRandom } from '../crash/seeded-random.ts'

/** Where the cases of a target write, and where their numbers come from. */
export interface TargetOptions {
  readonly seed: number
  /** a temporary folder of this target's process */
  readonly folder: string
}

export interface RunningTarget {
  /**
   * Sends the messages of one case and checks what comes back. Returns how many it sent. Throws CaseFailure for a wrong answer; anything
   * else that is thrown is a crash.
   */
  run(number: number): number | Promise<number>
  /** The input of a case, for the report. */
  describe(number: number): string
  /** Bytes in use after garbage collection, where it is not this process that is fuzzed. */
  memory?(): number | Promise<number>
  /** the part of its time that is not the server's */
  readonly own?: OwnTime
  /** of other processes that a case waits for */
  readonly pids?: readonly number[]
  /** Checks what can be checked at the end only. */
  close(): void | Promise<void>
}

export interface Target {
  readonly name: string
  /** of all messages that are sent, this part */
  readonly share: number
  open(options: TargetOptions): RunningTarget | Promise<RunningTarget>
}

export const randomOf = (target: string, { seed }: TargetOptions, number: number): SeededRandom =>
  new SeededRandom(seed, target, number)

/** The time that the fuzz itself takes to make messages and to find out which answers are due. Some are of many megabytes. */
export class OwnTime {
  ms = 0

  of<T>(work: () => T): T {
    const started = performance.now()
    try {
      return work()
    } finally {
      this.ms += performance.now() - started
    }
  }
}
