/** Counters on SQLite: looked at and changed under the write lock, in one synchronous piece. */
import type { Bucket, Counters, Spender, TakeResult } from '../counters.ts'
import { guarded, type SqliteDb } from './db.ts'
import { inTransaction } from './transaction.ts'

const READ = 'SELECT tokens, filled_at FROM buckets WHERE id = ?'
const WRITE = `INSERT INTO buckets (id, tokens, filled_at) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, filled_at = excluded.filled_at`
const SPEND = `INSERT INTO budgets (id, spent) SELECT ?, ? WHERE ? <= ?
  ON CONFLICT (id) DO UPDATE SET spent = spent + excluded.spent WHERE spent + excluded.spent <= ? RETURNING spent`
const REFUND = 'UPDATE budgets SET spent = max(0, spent - ?) WHERE id = ?'
const MARK = 'INSERT INTO budgets (id, spent) VALUES (?, ?)'
const MOVE_MARK = 'UPDATE budgets SET id = ? WHERE id = ?'
const UNMARK = 'DELETE FROM budgets WHERE id = ?'

export class SqliteCounters implements Counters {
  readonly #db: SqliteDb

  constructor(db: SqliteDb) {
    this.#db = db
  }

  take(buckets: readonly Bucket[]): TakeResult {
    return this.#inTransaction(() => this.#takeAll(buckets, Date.now()))
  }

  #inTransaction<T>(work: () => T): T {
    return guarded('could not count the call', () => inTransaction(this.#db.database, work))
  }

  #takeAll(buckets: readonly Bucket[], now: number): TakeResult {
    let refused: { bucket: string; retry_after_ms: number } | undefined
    const held = buckets.map(({ id, calls, per_ms }) => {
      const row = this.#db.prepared(READ).get(id) as { tokens: number; filled_at: number } | undefined
      // A clock that was set back fills nothing; it does not empty either.
      const elapsed = row === undefined ? 0 : Math.max(0, now - row.filled_at)
      const tokens = row === undefined ? calls : Math.min(calls, row.tokens + (elapsed * calls) / per_ms)
      if (tokens < 1) {
        const retry_after_ms = Math.ceil(((1 - tokens) * per_ms) / calls)
        if (refused === undefined || retry_after_ms > refused.retry_after_ms) refused = { bucket: id, retry_after_ms }
      }
      return { id, tokens, setBack: row !== undefined && row.filled_at > now }
    })
    for (const { id, tokens, setBack } of held) {
      if (refused === undefined) this.#db.prepared(WRITE).run(id, tokens - 1, now)
      // From here on it fills again, without waiting for the clock to catch up.
      else if (setBack) this.#db.prepared(WRITE).run(id, tokens, now)
    }
    return refused === undefined ? { taken: true } : { taken: false, ...refused }
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
}
