/** The base of stores whose rows are decisions: every change of them is recorded in the journal, or does not happen. */
import { type Db, type Statement, Store, type Value } from '../db.ts'
import type { Decider, Decision } from '../journal/decision.ts'
import type { DecisionTable } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { OperatorLock } from '../operator/operator-lock.ts'

/** A statement that returns whole rows. If there are any, they are recorded under `what`, a verb. */
export interface DecisionStatement extends Statement {
  readonly what: string
  /** default: the table of the store */
  readonly table?: DecisionTable
}

export abstract class DecisionStore extends Store {
  protected abstract readonly table: DecisionTable
  protected readonly lock: OperatorLock
  readonly #journal: Journal

  constructor(db: Db, journal: Journal, lock: OperatorLock) {
    super(db)
    this.#journal = journal
    this.lock = lock
  }

  /** The store's clock: what is signed must be known before it is written. */
  protected async clock(): Promise<number> {
    const [row] = await this.db.query<{ now: number }>(`SELECT ${this.db.now} AS now`)
    return row?.now ?? Date.now()
  }

  /** SQL: now, or right after this time if the clock was set back. The journal tells decisions about a row apart by their times. */
  protected after(time: string): string {
    const { now } = this.db
    return `CASE WHEN ${now} > ${time} THEN ${now} ELSE ${time} + 1 END`
  }

  /** Runs a statement that returns whole rows of the table. `what` is recorded if there are any. */
  protected async decide<Row extends object>(
    what: string,
    by: Decider,
    sql: string,
    params: readonly Value[],
  ): Promise<Row[]> {
    return this.decideAll<Row>(what, by, [{ sql, params }])
  }

  /** Several decisions in one transaction. Returns the rows of each. */
  protected decideTogether<Row extends object>(by: Decider, decisions: readonly DecisionStatement[]): Promise<Row[][]> {
    return this.#journal.decide<Row>(decisions, (found) => this.#recorded(by, decisions, found))
  }

  /**
   * Decisions that hold only for what the table has, in one transaction: `check` gets the rows that `read` returns, which nobody else
   * can change meanwhile. If it throws, nothing happens. Returns the rows of each decision.
   */
  protected async decideIf<Row extends object>(
    read: Statement,
    check: (rows: readonly Row[]) => void,
    by: Decider,
    decisions: readonly DecisionStatement[],
  ): Promise<Row[][]> {
    const lock = this.db.lockTable === undefined ? [] : [this.db.lockTable(this.table)]
    const first = lock.length + 1
    const found = await this.#journal.decide<Row>([...lock, read, ...decisions], (all) => {
      check(all[lock.length] ?? [])
      return this.#recorded(by, decisions, all.slice(first))
    })
    return found.slice(first)
  }

  #recorded(by: Decider, decisions: readonly DecisionStatement[], found: readonly (readonly object[])[]): Decision[] {
    return decisions.flatMap(({ what, table = this.table }, index) => {
      const rows = found[index] ?? []
      return rows.length === 0 ? [] : [{ what, by, table, rows }]
    })
  }

  /** One decision of several statements; those without RETURNING decide nothing. */
  protected async decideAll<Row extends object>(
    what: string,
    by: Decider,
    statements: readonly Statement[],
  ): Promise<Row[]> {
    const found = await this.#journal.decide<Row>(statements, (rows) => {
      const decided = rows.flat()
      return decided.length === 0 ? [] : [{ what, by, table: this.table, rows: decided }]
    })
    return found.flat()
  }
}
