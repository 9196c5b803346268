/** Counters on PostgreSQL: looked at and changed inside the server, in one round trip, on the server's clock. */
import type { Bucket, Counters, Spender, TakeResult } from '../counters.ts'
import type { PostgresDb } from './db.ts'

const TAKE = 'SELECT bucket, retry_after_ms FROM take_tokens(?::text[], ?::float8[], ?::float8[])'
const SPEND = `INSERT INTO budgets (id, spent) SELECT $1::text, $2::float8 WHERE $2::float8 <= $3::float8
  ON CONFLICT (id) DO UPDATE SET spent = budgets.spent + excluded.spent
  WHERE budgets.spent + excluded.spent <= $3::float8 RETURNING spent`
const SPEND_FOR = `WITH moved AS (UPDATE budgets SET id = $4::text WHERE id = $5::text RETURNING id),
  paid AS (INSERT INTO budgets (id, spent) SELECT $1::text, $2::float8
    WHERE $2::float8 <= $3::float8 AND NOT EXISTS (SELECT 1 FROM moved)
    ON CONFLICT (id) DO UPDATE SET spent = budgets.spent + excluded.spent
    WHERE budgets.spent + excluded.spent <= $3::float8 RETURNING id),
  marked AS (INSERT INTO budgets (id, spent) SELECT $4::text, $2::float8 FROM paid RETURNING id)
  SELECT id FROM moved UNION ALL SELECT id FROM marked`
const REFUND = 'UPDATE budgets SET spent = greatest(0, spent - $1::float8) WHERE id = $2::text RETURNING id'
const UNMARK = 'DELETE FROM budgets WHERE id = ANY($1::text[]) RETURNING id'

export class PostgresCounters implements Counters {
  readonly #db: PostgresDb

  constructor(db: PostgresDb) {
    this.#db = db
  }

  async take(buckets: readonly Bucket[]): Promise<TakeResult> {
    // Sorted, so that two calls never deadlock.
    const sorted = [...buckets].sort((a, b) => (a.id < b.id ? -1 : 1))
    const [refused] = await this.#db.query<{ bucket: string | null; retry_after_ms: number }>(TAKE, [
      sorted.map(({ id }) => id),
      sorted.map(({ calls }) => calls),
      sorted.map(({ per_ms }) => per_ms),
    ])
    if (refused === undefined || refused.bucket === null) return { taken: true }
    return { taken: false, bucket: refused.bucket, retry_after_ms: refused.retry_after_ms }
  }

  async spend(budget: string, amount: number, ceiling: number): Promise<number | undefined> {
    const [row] = await this.#db.query<{ spent: number }>(SPEND, [budget, amount, ceiling])
    return row === undefined ? undefined : ceiling - row.spent
  }

  async spendFor({ mark, before = '' }: Spender, budget: string, amount: number, ceiling: number): Promise<boolean> {
    const rows = await this.#db.query(SPEND_FOR, [budget, amount, ceiling, mark, before])
    return rows.length > 0
  }

  async refund(budget: string, amount: number): Promise<void> {
    await this.#db.query(REFUND, [amount, budget])
  }

  async unmark(marks: readonly string[]): Promise<void> {
    await this.#db.query(UNMARK, [[...marks]])
  }
}
