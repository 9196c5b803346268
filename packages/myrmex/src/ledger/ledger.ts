/**
 * The ledger: what must not be forgotten. One interface over two engines; where a statement can be one text for both it
 * stands in this folder, and what each engine does its own way stands in files of the same names in sqlite/ and postgres/.
 */

import type { Tool } from '../tool/tool.ts'
import type { Recorder } from './audit/group.ts'
import type { LedgerKey } from './audit/key.ts'
import type { Counters } from './counters.ts'
import type { Db } from './db.ts'
import { Approvals } from './decisions/approvals.ts'
import { Grants } from './decisions/grants.ts'
import { TrustStore } from './decisions/trust.ts'
import { IdempotencyStore } from './idempotency.ts'
import { Processes } from './processes.ts'
import { RunStore } from './runs.ts'
import { TaskStore } from './tasks.ts'

/** What an engine brings. */
export interface Engine {
  readonly db: Db
  readonly audit: Recorder & {
    /** everything recorded so far is durable and signed when this resolves */
    flush(): Promise<void>
    close?(): Promise<void>
  }
  readonly counters: Counters
}

const TIDY_MS = 60_000

export class Ledger {
  readonly db: Db
  readonly key: LedgerKey
  readonly audit: Engine['audit']
  readonly counters: Counters
  readonly processes: Processes
  readonly trust: TrustStore
  readonly grants: Grants
  readonly approvals: Approvals
  readonly idempotency: IdempotencyStore
  readonly tasks: TaskStore
  readonly runs: RunStore
  /** nothing can be asked of it any more */
  closed = false
  #tidy: NodeJS.Timeout | undefined

  constructor({ db, audit, counters }: Engine, key: LedgerKey, onFailure: (error: unknown) => void) {
    this.db = db
    this.key = key
    this.audit = audit
    this.counters = counters
    this.processes = new Processes(db, onFailure)
    this.trust = new TrustStore(db)
    this.grants = new Grants(db)
    this.approvals = new Approvals(db)
    this.idempotency = new IdempotencyStore(db, this.processes)
    this.tasks = new TaskStore(db, this.processes)
    this.runs = new RunStore(db, this.processes)
  }

  /**
   * Trusts a tool as it is now and, unless each call shall be asked for, gives its calls a standing grant. For whoever
   * runs the program: what `myrmex trust` is on the command line.
   */
  async trustTool(
    tool: Tool,
    by: string,
    options: { ask?: boolean; principal?: string; until?: number } = {},
  ): Promise<void> {
    const definition = { tool: tool.name, version: tool.version, hash: tool.hash }
    await this.trust.recordDefinitions([tool])
    await this.trust.set(definition, 'trusted', by)
    if (options.ask !== true) await this.grants.give(definition, by, options)
  }

  /** From now on, takes away what has had its time: results of keys, tasks that are over. */
  startCleanup(onFailure: (error: unknown) => void): this {
    this.#tidy = setInterval(() => {
      Promise.all([this.idempotency.sweep(), this.tasks.sweep()]).catch(onFailure)
    }, TIDY_MS).unref()
    return this
  }

  /** Writes what is left to write, says goodbye, and lets go of the store. */
  async close(): Promise<void> {
    clearInterval(this.#tidy)
    this.closed = true
    try {
      await (this.audit.close?.() ?? this.audit.flush())
    } finally {
      try {
        await this.processes.unregister()
      } finally {
        await this.db.close()
      }
    }
  }
}
