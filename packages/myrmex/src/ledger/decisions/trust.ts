/**
 * Trust levels, each pinned to the definition it was given to. The levels in force are held in memory and looked up again
 * when they may be old, so that a call costs a comparison; what other processes decide is seen within FRESH_MS.
 */

import { canonical } from '../../protocol/canonical.ts'
import { visibleDefinition } from '../../tool/hash.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Db, Statement } from '../db.ts'

export type TrustLevel = 'untrusted' | 'verified' | 'trusted'

/** Somebody's decision about one version of a tool. It holds for the definition of that hash only. */
export interface TrustRow {
  readonly tool: string
  readonly version: string
  readonly hash: string
  readonly level: TrustLevel
  readonly set_by: string
  readonly set_at: number
}

/** A definition that a server has had. */
export interface DefinitionRow {
  readonly tool: string
  readonly version: string
  readonly hash: string
  readonly origin: Tool['origin']
  /** canonical JSON of all that a caller can see */
  readonly body: string
  readonly first_seen: number
  readonly last_seen: number
}

/** Whose decision it is that nobody has decided. */
export const FIRST_SIGHT = 'first sight'

/** How long a level may be old for a tool that changes nothing. For one that does, it is always looked up. */
export const FRESH_MS = 250

export class TrustStore {
  readonly #db: Db
  #rows: ReadonlyMap<string, TrustRow> = new Map()
  #levels = new WeakMap<Tool, TrustLevel>()
  #readAt = Number.NEGATIVE_INFINITY
  #turn = 0
  #taken = 0
  #state: number | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** As last read: call `refresh` first where `isStale`. */
  levelOf(tool: Tool): TrustLevel {
    let level = this.#levels.get(tool)
    if (level === undefined) {
      level = this.#judge(tool)
      this.#levels.set(tool, level)
    }
    return level
  }

  #judge(tool: Tool): TrustLevel {
    const row = this.#rows.get(`${tool.name} ${tool.version}`)
    // Nobody decided: what is defined in our own code starts verified, what comes from elsewhere starts with nothing.
    if (row === undefined) return tool.origin === 'own' ? 'verified' : 'untrusted'
    return row.hash === tool.hash ? row.level : 'untrusted'
  }

  /** By the wall clock, which a call has read anyway; one that was set back makes everything old. */
  isStale(now: number): boolean {
    const age = now - this.#readAt
    return age > FRESH_MS || age < 0
  }

  /** Where nobody else has written anything since, what is known still holds; a host has thousands of rows here. */
  refresh(): void | Promise<void> {
    const state = this.#db.changeCounter?.()
    if (state !== undefined && state === this.#state) {
      this.#readAt = Date.now()
      return
    }
    return this.#read(state)
  }

  /** `state` is that from before: what is written meanwhile is read the next time. */
  #read(state: number | undefined): void | Promise<void> {
    // Should it fail, nothing is known until it has succeeded.
    this.#state = undefined
    const turn = ++this.#turn
    const rows = this.#db.query<TrustRow>('SELECT tool, version, hash, level, set_by, set_at FROM trust')
    if (rows instanceof Promise) return rows.then((late) => this.#take(late, turn))
    this.#take(rows, turn)
    this.#state = state
  }

  /** One that was asked earlier and answered later knows less than what is there. */
  #take(rows: TrustRow[], turn: number): void {
    if (turn < this.#taken) return
    this.#taken = turn
    this.#rows = new Map(rows.map((row) => [`${row.tool} ${row.version}`, row]))
    this.#levels = new WeakMap()
    this.#readAt = Date.now()
  }

  /** Decides about the definition of this hash. Use 'untrusted' to take a decision back and keep the pin. */
  async set(
    { tool, version, hash }: Pick<TrustRow, 'tool' | 'version' | 'hash'>,
    level: TrustLevel,
    by: string,
  ): Promise<void> {
    await this.#db.query(
      `INSERT INTO trust (tool, version, hash, level, set_by, set_at) VALUES (?, ?, ?, ?, ?, ${this.#db.now})
       ON CONFLICT (tool, version) DO UPDATE
       SET hash = excluded.hash, level = excluded.level, set_by = excluded.set_by, set_at = excluded.set_at`,
      [tool, version, hash, level, by],
    )
    await this.#read(undefined)
  }

  /**
   * What the operator's file says of many definitions at once. It holds only where nobody has decided, for what was seen first: a
   * person's decision made a moment ago stays, and so does the pin of another definition.
   */
  async setFromConfig(
    vouched: Iterable<{ readonly tool: Tool; readonly level: TrustLevel }>,
    by: string,
  ): Promise<void> {
    const statements = [...vouched].map(({ tool: { name, version, hash }, level }) => ({
      sql: `INSERT INTO trust (tool, version, hash, level, set_by, set_at) VALUES (?, ?, ?, ?, ?, ${this.#db.now})
        ON CONFLICT (tool, version) DO UPDATE
        SET level = excluded.level, set_by = excluded.set_by, set_at = excluded.set_at
        WHERE trust.hash = excluded.hash AND trust.set_by IN ('${FIRST_SIGHT}', excluded.set_by)`,
      params: [name, version, hash, level, by],
    }))
    if (statements.length === 0) return
    await this.#db.transaction(statements)
    await this.#read(undefined)
  }

  /** Remembers what a tool looks like, for decisions and for telling later what changed. */
  async recordDefinitions(tools: Iterable<Tool>): Promise<void> {
    for (const tool of tools) {
      const { sql, params } = this.#sight(tool)
      await this.#db.query(sql, params)
    }
  }

  #sight(tool: Tool): Required<Statement> {
    return {
      sql: `INSERT INTO definitions (tool, version, hash, origin, body, first_seen, last_seen)
        VALUES (?, ?, ?, ?, ?, ${this.#db.now}, ${this.#db.now})
        ON CONFLICT (tool, version, hash) DO UPDATE SET last_seen = excluded.last_seen`,
      params: [tool.name, tool.version, tool.hash, tool.origin, canonical(visibleDefinition(tool))],
    }
  }

  /** A tool of another origin is pinned as it was first seen: whatever it becomes later is a change. */
  pin(tool: Tool): Promise<void> {
    return this.pinAll([tool])
  }

  /** Many at once: a server may come with a thousand. */
  async pinAll(tools: Iterable<Tool>): Promise<void> {
    const statements = [...tools].flatMap((tool) => [
      this.#sight(tool),
      {
        sql: `INSERT INTO trust (tool, version, hash, level, set_by, set_at)
          VALUES (?, ?, ?, 'untrusted', '${FIRST_SIGHT}', ${this.#db.now}) ON CONFLICT (tool, version) DO NOTHING`,
        params: [tool.name, tool.version, tool.hash],
      },
    ])
    if (statements.length === 0) return
    await this.#db.transaction(statements)
    await this.#read(undefined)
  }

  /** Decisions, by tool and version. */
  async decisions(): Promise<TrustRow[]> {
    return await this.#db.query<TrustRow>(
      'SELECT tool, version, hash, level, set_by, set_at FROM trust ORDER BY tool, version',
    )
  }

  /** Definitions seen, newest sight first; of one tool, or of all. */
  async definitions(tool?: string): Promise<DefinitionRow[]> {
    const columns = 'tool, version, hash, origin, body, first_seen, last_seen'
    return tool === undefined
      ? await this.#db.query<DefinitionRow>(
          `SELECT ${columns} FROM definitions ORDER BY tool, last_seen DESC, first_seen DESC, version, hash`,
        )
      : await this.#db.query<DefinitionRow>(
          `SELECT ${columns} FROM definitions WHERE tool = ? ORDER BY last_seen DESC, first_seen DESC, version, hash`,
          [tool],
        )
  }
}
