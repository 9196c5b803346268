/** The base of stores whose rows are decisions: every change of them is recorded in the journal, or does not happen. */
import { type Db, type Statement, Store, type Value } from '../db.ts'
import type { Decider } from '../journal/decision.ts'
import type { DecisionTable } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { OperatorLock } from '../operator/operator-lock.ts'

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

  /** Several statements in one transaction, each a decision of its own with its own verb. Returns the rows of each. */
  protected async decideEach<Row extends object>(
    verbs: readonly string[],
    by: Decider,
    statements: readonly Statement[],
  ): Promise<Row[][]> {
    return await this.#journal.decide<Row>(statements, (all) =>
      all.flatMap((rows, index) =>
        rows.length === 0 ? [] : [{ what: verbs[index] ?? 'decide', by, table: this.table, rows }],
      ),
    )
  }

  /**
   * Decisions that hold only for what the table has, in one transaction: `check` gets the rows that `read` returns, which nobody else
   * can change meanwhile. If it throws, nothing happens. Returns the rows of each decision.
   */
  protected async decideIf<Row extends object>(
    read: Statement,
    check: (rows: readonly Row[]) => void,
    by: Decider,
    decisions: readonly (Statement & { readonly what: string })[],
  ): Promise<Row[][]> {
    const lock = this.db.lockTable === undefined ? [] : [this.db.lockTable(this.table)]
    const first = lock.length + 1
    const found = await this.#journal.decide<Row>([...lock, read, ...decisions], (all) => {
      check(all[lock.length] ?? [])
      return decisions.flatMap(({ what }, index) => {
        const rows = all[first + index] ?? []
        return rows.length === 0 ? [] : [{ what, by, table: this.table, rows }]
      })
    })
    return found.slice(first)
  }

  /** Several decisions in one transaction, each with the table that its statement returns rows of. */
  protected async decideTogether(
    by: Decider,
    decisions: readonly (Statement & { readonly what: string; readonly table: DecisionTable })[],
  ): Promise<object[][]> {
    return this.#journal.decide<object>(decisions, (found) =>
      decisions.flatMap(({ what, table }, index) => {
        const rows = found[index] ?? []
        return rows.length === 0 ? [] : [{ what, by, table, rows }]
      }),
    )
  }

  /** The same for several statements; those without RETURNING decide nothing. */
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
