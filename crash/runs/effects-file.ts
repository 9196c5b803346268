/**
 * The effects of the runs, in a separate file that outlives the processes that write to it. An effect and its key are written in one
 * transaction. Every start of a tool is counted, also if the call fails later.
 */
import { DatabaseSync } from 'node:sqlite'

export type Kind = 'do' | 'undo'

/** Who does something, and for which step of which run. */
export interface Doer {
  readonly run: string
  readonly step: string
  readonly tool: string
  readonly kind: Kind
  /** the call that does it */
  readonly call: string
}

export interface Effect extends Doer {
  readonly seq: number
  readonly args: unknown
  readonly data: unknown
  readonly cost: number
}

const BUSY_MS = 10_000
const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS begun (run TEXT, step TEXT, tool TEXT, kind TEXT, call TEXT);
  CREATE INDEX IF NOT EXISTS begun_run ON begun (run, step);
  CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS effects (
    seq INTEGER PRIMARY KEY, run TEXT, step TEXT, tool TEXT, kind TEXT, call TEXT, args TEXT, data TEXT, cost REAL);
  CREATE INDEX IF NOT EXISTS effects_run ON effects (run, step);
  CREATE TABLE IF NOT EXISTS shelf (run TEXT, step TEXT, n REAL, PRIMARY KEY (run, step))`

export class EffectsFile {
  readonly #database: DatabaseSync

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_MS })
    this.#database.exec(TABLES)
  }

  begin({ run, step, tool, kind, call }: Doer): void {
    this.#database
      .prepare('INSERT INTO begun (run, step, tool, kind, call) VALUES (?, ?, ?, ?, ?)')
      .run(run, step, tool, kind, call)
  }

  /** How often the body of a tool began for a step. */
  timesBegun(run: string, step: string, kind: Kind = 'do'): number {
    const row = this.#database
      .prepare('SELECT count(*) AS times FROM begun WHERE run = ? AND step = ? AND kind = ?')
      .get(run, step, kind)
    return Number(row?.times)
  }

  /** Once for each key; without one, every time. Gives what the first with this key gave. */
  act<Data extends object>(doer: Doer, key: string | undefined, args: object, data: Data, cost = 0): Data {
    const database = this.#database
    database.exec('BEGIN IMMEDIATE')
    try {
      const known = key === undefined ? undefined : database.prepare('SELECT data FROM keys WHERE name = ?').get(key)
      if (known === undefined) {
        const { run, step, tool, kind, call } = doer
        const text = JSON.stringify(data)
        if (key !== undefined) database.prepare('INSERT INTO keys (name, data) VALUES (?, ?)').run(key, text)
        database
          .prepare(
            'INSERT INTO effects (run, step, tool, kind, call, args, data, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          )
          .run(run, step, tool, kind, call, JSON.stringify(args), text, cost)
      }
      database.exec('COMMIT')
      return known === undefined ? data : (JSON.parse(String(known.data)) as Data)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  /** The same however often it is done. */
  shelve({ run, step }: Doer, n: number): void {
    this.#database
      .prepare('INSERT INTO shelf (run, step, n) VALUES (?, ?, ?) ON CONFLICT (run, step) DO UPDATE SET n = excluded.n')
      .run(run, step, n)
  }

  onShelf(run: string, step: string): number | undefined {
    const row = this.#database.prepare('SELECT n FROM shelf WHERE run = ? AND step = ?').get(run, step)
    return row === undefined ? undefined : Number(row.n)
  }

  effectsOf(run: string): Effect[] {
    const rows = this.#database.prepare('SELECT * FROM effects WHERE run = ? ORDER BY seq').all(run)
    return rows.map((row) => ({
      seq: Number(row.seq),
      run,
      step: String(row.step),
      tool: String(row.tool),
      kind: row.kind as Kind,
      call: String(row.call),
      args: JSON.parse(String(row.args)),
      data: JSON.parse(String(row.data)),
      cost: Number(row.cost),
    }))
  }

  /** What happened more often than once, of all runs, in words. */
  doubled(): string[] {
    const rows = this.#database
      .prepare(
        `SELECT run, step, kind, count(*) AS times, group_concat(call) AS calls FROM effects GROUP BY run, step, kind
         HAVING count(*) > 1`,
      )
      .all()
    return rows.map(
      ({ run, step, kind, times, calls }) => `${kind} ${step} of ${run} happened ${times} times, by the calls ${calls}`,
    )
  }

  close(): void {
    this.#database.close()
  }
}
