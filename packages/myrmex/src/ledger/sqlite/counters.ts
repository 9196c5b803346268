/** Counters on SQLite. Budgets are looked at and changed under the write lock, in one synchronous piece. */
import type { Bucket, Counters, Spender, TakeResult } from '../counters.ts'
import { guarded, type SqliteDb } from './db.ts'
import { TokenBuckets } from './token-buckets.ts'
import { inTransaction } from './transaction.ts'

const SPEND = `INSERT INTO budgets (id, spent) SELECT ?, ? WHERE ? <= ?
  ON CONFLICT (id) DO UPDATE SET spent = spent + excluded.spent WHERE spent + excluded.spent <= ? RETURNING spent`
const REFUND = 'UPDATE budgets SET spent = max(0, spent - ?) WHERE id = ?'
const MARK = 'INSERT INTO budgets (id, spent) VALUES (?, ?)'
const MOVE_MARK = 'UPDATE budgets SET id = ? WHERE id = ?'
const UNMARK = 'DELETE FROM budgets WHERE id = ?'

export class SqliteCounters implements Counters {
  readonly #db: SqliteDb
  readonly #buckets: TokenBuckets

  constructor(db: SqliteDb) {
    this.#db = db
    this.#buckets = new TokenBuckets(db)
  }

  take(buckets: readonly Bucket[]): TakeResult | Promise<TakeResult> {
    return this.#buckets.take(buckets)
  }

  #inTransaction<T>(work: () => T): T {
    return guarded('could not count the call', () => inTransaction(this.#db.database, work))
  }

  async spend(budget: string, amount: number, ceiling: number): Promise<number | undefined> {
    const [row] = await this.#db.query<{ spent: number }>(SPEND, [budget, amount, amount, ceiling, ceiling])
    return row === undefined ? undefined : ceiling - row.spent
  }

  async spendFor({ mark, before }: Spender, budget: string, amount: number, ceiling: number): Promise<boolean> {
    return this.#inTransaction(() => {
      if (before !== undefined && this.#db.prepared(MOVE_MARK).run(mark, before).changes > 0) return true
      if (this.#db.prepared(SPEND).all(budget, amount, amount, ceiling, ceiling).length === 0) return false
      this.#db.prepared(MARK).run(mark, amount)
      return true
    })
  }

  async refund(budget: string, amount: number): Promise<void> {
    this.#inTransaction(() => this.#db.prepared(REFUND).run(amount, budget))
  }

  async unmark(marks: readonly string[]): Promise<void> {
    this.#inTransaction(() => {
      for (const mark of marks) this.#db.prepared(UNMARK).run(mark)
    })
  }

  close(): void {
    this.#buckets.close()
  }
}
