/**
 * Trust levels, each pinned to the definition that the decision was about. A decision of this process takes effect at once. One
 * of another process takes effect within FRESH_MS for tools that change nothing, and with the next call that arrives for tools
 * that change state (`currentLevel`).
 */

import { canonical } from '../../protocol/canonical.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { sha256, visibleDefinition } from '../../tool/hash.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Statement } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { LedgerError } from '../ledger-error.ts'
import { DecisionStore } from './decision-store.ts'
import type { Definition } from './grants.ts'

export type TrustLevel = 'untrusted' | 'verified' | 'trusted'

/** A decision about one version of a tool. It is valid only for the definition with this hash. */
export interface TrustRow extends Definition {
  readonly level: TrustLevel
  readonly set_by: string
  readonly set_at: number
}

/** A definition that a server has had. */
export interface DefinitionRow extends Definition {
  readonly origin: Tool['origin']
  /** canonical JSON of all that a caller can see */
  readonly body: string
  readonly first_seen: number
  readonly last_seen: number
}

/** `set_by` of a pin about which nobody has decided. */
export const FIRST_SIGHT = 'first sight'

/** How stale a level may be for a tool that changes nothing. */
export const FRESH_MS = 250

export const TRUST_COLUMNS = 'tool, version, hash, level, set_by, set_at'

export class TrustStore extends DecisionStore {
  protected readonly table = 'trust'
  #rows: ReadonlyMap<string, TrustRow> = new Map()
  #levels = new WeakMap<Tool, TrustLevel>()
  #readAt = Number.NEGATIVE_INFINITY
  #turn = 0
  #taken = 0
  #state: number | undefined
  /** levels read one by one, and the state of the store in which they were read */
  #current = new WeakMap<Tool, TrustLevel>()
  #currentState: number | undefined

  /** As last read: call `refresh` first where `isStale`. */
  levelOf(tool: Tool): TrustLevel {
    return getOrMake(this.#levels, tool, this.#lastLevel)
  }

  readonly #lastLevel = (tool: Tool): TrustLevel => decidedLevel(tool, this.#rows.get(`${tool.name} ${tool.version}`))

  /** The level for a call that arrives now, whatever process decided it; synchronous if the engine is. */
  currentLevel(tool: Tool): TrustLevel | Promise<TrustLevel> {
    const state = this.db.changeCounter?.()
    if (state !== this.#currentState) this.#forgetCurrent(state)
    const known = this.#current.get(tool)
    if (known !== undefined) return known
    const rows = this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust WHERE tool = ? AND version = ?`, [
      tool.name,
      tool.version,
    ])
    if (rows instanceof Promise) return rows.then(([row]) => decidedLevel(tool, row))
    const level = decidedLevel(tool, rows[0])
    this.#current.set(tool, level)
    return level
  }

  #forgetCurrent(state: number | undefined): void {
    this.#current = new WeakMap()
    this.#currentState = state
  }

  /** By the wall clock, which a call has read anyway. A clock that was set back makes everything stale. */
  isStale(now: number): boolean {
    const age = now - this.#readAt
    return age > FRESH_MS || age < 0
  }

  /** Skips reading if no other connection has written since: a host has thousands of rows here. */
  refresh(): void | Promise<void> {
    const state = this.db.changeCounter?.()
    if (state !== undefined && state === this.#state) {
      this.#readAt = Date.now()
      return
    }
    return this.#read(state)
  }

  /** `state` is the counter from before reading: later writes are read the next time. */
  #read(state: number | undefined): void | Promise<void> {
    // If reading fails, the cache stays stale.
    this.#state = undefined
    this.#forgetCurrent(undefined)
    const turn = ++this.#turn
    const rows = this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust`)
    if (rows instanceof Promise) return rows.then((late) => this.#take(late, turn))
    this.#take(rows, turn)
    this.#state = state
  }

  /** An earlier query that is answered later is ignored. */
  #take(rows: TrustRow[], turn: number): void {
    if (turn < this.#taken) return
    this.#taken = turn
    this.#rows = new Map(rows.map((row) => [`${row.tool} ${row.version}`, row]))
    this.#levels = new WeakMap()
    this.#readAt = Date.now()
  }

  /** Decides about the definition with this hash. 'untrusted' revokes a decision and keeps the pin. */
  async set({ tool, version, hash }: Definition, level: TrustLevel, by: Decider): Promise<void> {
    await this.decide(
      level === 'untrusted' ? 'untrust' : level === 'trusted' ? 'trust' : 'verify',
      by,
      `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ${this.db.now}) ON CONFLICT (tool, version) DO UPDATE
       SET hash = excluded.hash, level = excluded.level, set_by = excluded.set_by, set_at = ${this.after('trust.set_at')}
       RETURNING ${TRUST_COLUMNS}`,
      [tool, version, hash, level, deciderName(by)],
    )
    await this.#read(undefined)
  }

  /**
   * Trust from the operator's file, for many definitions at once. It applies only to pinned definitions about which nobody has
   * decided: a person's decision stays, and so does the pin of another definition.
   */
  async setFromConfig(
    vouched: Iterable<{ readonly tool: Tool; readonly level: TrustLevel }>,
    by: string,
  ): Promise<void> {
    const statements = [...vouched].map(({ tool: { name, version, hash }, level }) => ({
      sql: `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ${this.db.now})
        ON CONFLICT (tool, version) DO UPDATE
        SET level = excluded.level, set_by = excluded.set_by, set_at = ${this.after('trust.set_at')}
        WHERE trust.hash = excluded.hash AND trust.set_by IN ('${FIRST_SIGHT}', excluded.set_by)
        AND (trust.level <> excluded.level OR trust.set_by <> excluded.set_by) RETURNING ${TRUST_COLUMNS}`,
      params: [name, version, hash, level, by],
    }))
    if (statements.length === 0) return
    await this.decideAll('trust', { name: by, from: 'file' }, statements)
    await this.#read(undefined)
  }

  /** Stores definitions, for decisions and for describing later what changed. */
  async recordDefinitions(tools: Iterable<Tool>): Promise<void> {
    for (const tool of tools) {
      const { sql, params } = this.#sight(tool)
      await this.db.query(sql, params)
    }
  }

  #sight(tool: Tool): Required<Statement> {
    return {
      sql: `INSERT INTO definitions (tool, version, hash, origin, body, first_seen, last_seen)
        VALUES (?, ?, ?, ?, ?, ${this.db.now}, ${this.db.now})
        ON CONFLICT (tool, version, hash) DO UPDATE
        SET last_seen = excluded.last_seen, origin = excluded.origin, body = excluded.body`,
      params: [tool.name, tool.version, tool.hash, tool.origin, canonical(visibleDefinition(tool))],
    }
  }

  /** Pins an upstream tool as first seen: any later difference is a change. */
  pin(tool: Tool): Promise<void> {
    return this.pinAll([tool])
  }

  /** In one transaction: a server may have a thousand tools. */
  async pinAll(tools: Iterable<Tool>): Promise<void> {
    const statements = [...tools].flatMap((tool) => [
      this.#sight(tool),
      {
        sql: `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, 'untrusted', '${FIRST_SIGHT}', ${this.db.now})
          ON CONFLICT (tool, version) DO NOTHING RETURNING ${TRUST_COLUMNS}`,
        params: [tool.name, tool.version, tool.hash],
      },
    ])
    if (statements.length === 0) return
    await this.decideAll('pin', { name: 'host', from: 'host' }, statements)
    await this.#read(undefined)
  }

  /** Decisions, by tool and version. */
  async decisions(): Promise<TrustRow[]> {
    return await this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust ORDER BY tool, version`)
  }

  /** Stored definitions, last seen first; of one tool, or of all. */
  async definitions(tool?: string): Promise<DefinitionRow[]> {
    const rows = await this.db.query<DefinitionRow>(
      `SELECT tool, version, hash, origin, body, first_seen, last_seen FROM definitions
       ${tool === undefined ? '' : 'WHERE tool = ?'} ORDER BY tool, last_seen DESC, first_seen DESC, version, hash`,
      tool === undefined ? [] : [tool],
    )
    // People decide by what they read here.
    const altered = rows.find(({ body, hash }) => sha256(body) !== hash)
    if (altered === undefined) return rows
    throw new LedgerError(
      `has a definition of ${altered.tool} ${altered.version} that was altered: start the server of the tool to store it again`,
    )
  }
}

function decidedLevel(tool: Tool, row: TrustRow | undefined): TrustLevel {
  // Undecided: our own code starts verified, definitions of other servers start untrusted.
  if (row === undefined) return tool.origin === 'own' ? 'verified' : 'untrusted'
  return row.hash === tool.hash ? row.level : 'untrusted'
}
