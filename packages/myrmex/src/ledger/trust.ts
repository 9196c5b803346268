/**
 * Trust levels, each pinned to the definition it was given to. The levels in force are held in memory and looked up again
 * when they may be old, so that a call costs a comparison; what other processes decide is seen within FRESH_MS.
 */

import { canonical } from '../protocol/canonical.ts'
import { visible } from '../tool/hash.ts'
import type { Tool } from '../tool/tool.ts'
import type { Db } from './db.ts'

export type Level = 'untrusted' | 'verified' | 'trusted'

/** Somebody's decision about one version of a tool. It holds for the definition of that hash only. */
export interface TrustRow {
  readonly tool: string
  readonly version: string
  readonly hash: string
  readonly level: Level
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

/** How long a level may be old for a tool that changes nothing. For one that does, it is always looked up. */
export const FRESH_MS = 250

export class Trust {
  readonly #db: Db
  #rows: ReadonlyMap<string, TrustRow> = new Map()
  #levels = new WeakMap<Tool, Level>()
  #readAt = Number.NEGATIVE_INFINITY
  #turn = 0
  #taken = 0

  constructor(db: Db) {
    this.#db = db
  }

  /** As last read: call `refresh` first where `isStale`. */
  levelOf(tool: Tool): Level {
    let level = this.#levels.get(tool)
    if (level === undefined) {
      level = this.#judge(tool)
      this.#levels.set(tool, level)
    }
    return level
  }

  #judge(tool: Tool): Level {
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

  refresh(): void | Promise<void> {
    const turn = ++this.#turn
    const rows = this.#db.query<TrustRow>('SELECT tool, version, hash, level, set_by, set_at FROM trust')
    return rows instanceof Promise ? rows.then((late) => this.#take(late, turn)) : this.#take(rows, turn)
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
    level: Level,
    by: string,
  ): Promise<void> {
    await this.#db.query(
      `INSERT INTO trust (tool, version, hash, level, set_by, set_at) VALUES (?, ?, ?, ?, ?, ${this.#db.now})
       ON CONFLICT (tool, version) DO UPDATE
       SET hash = excluded.hash, level = excluded.level, set_by = excluded.set_by, set_at = excluded.set_at`,
      [tool, version, hash, level, by],
    )
    await this.refresh()
  }

  /** Remembers what a tool looks like, for decisions and for telling later what changed. */
  async see(tools: Iterable<Tool>): Promise<void> {
    for (const tool of tools) {
      await this.#db.query(
        `INSERT INTO definitions (tool, version, hash, origin, body, first_seen, last_seen)
         VALUES (?, ?, ?, ?, ?, ${this.#db.now}, ${this.#db.now})
         ON CONFLICT (tool, version, hash) DO UPDATE SET last_seen = excluded.last_seen`,
        [tool.name, tool.version, tool.hash, tool.origin, canonical(visible(tool))],
      )
    }
  }

  /** A tool of another origin is pinned as it was first seen: whatever it becomes later is a change. */
  async pin(tool: Tool): Promise<void> {
    await this.see([tool])
    await this.#db.query(
      `INSERT INTO trust (tool, version, hash, level, set_by, set_at)
       VALUES (?, ?, ?, 'untrusted', 'first sight', ${this.#db.now}) ON CONFLICT (tool, version) DO NOTHING`,
      [tool.name, tool.version, tool.hash],
    )
    await this.refresh()
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
