/**
 * Whether the server can serve calls: not while the journal cannot write or the ledger cannot be reached, because then every call is
 * rejected. The ledger is asked at most once a second, however often anybody asks.
 */
import type { Pipeline } from '../../pipeline/pipeline.ts'

const CHECK_EVERY_MS = 1000
const LIMIT_MS = 2000

const CANNOT_WRITE = 'The ledger cannot write, so every call is rejected. The log has the cause.'
const CANNOT_READ = 'The ledger cannot be reached, so every call is rejected. The log has the cause.'

export class HealthCheck {
  readonly #pipeline: Pipeline
  #problem: Promise<string | undefined> | undefined
  #checkedAt = 0

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline
  }

  /** Undefined if all is well. */
  problem(): Promise<string | undefined> {
    const now = performance.now()
    if (this.#problem === undefined || now - this.#checkedAt >= CHECK_EVERY_MS) {
      this.#checkedAt = now
      this.#problem = this.#check()
    }
    return this.#problem
  }

  async #check(): Promise<string | undefined> {
    try {
      if ((await this.#pipeline.recorder.failing?.()) === true) return CANNOT_WRITE
      if (!this.#pipeline.hasLedger) return undefined
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, LIMIT_MS, true)
      })
      const asked = Promise.resolve(this.#pipeline.ledger.db.query('SELECT 1')).then(() => false)
      const isLate = await Promise.race([asked, late]).finally(() => clearTimeout(timer))
      return isLate ? CANNOT_READ : undefined
    } catch {
      return CANNOT_READ
    }
  }
}
