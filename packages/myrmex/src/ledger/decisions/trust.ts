/** Trust levels, each pinned to the definition that the decision was about: how they are decided, by people, by the file and at first sight. */

import { canonical } from '../../protocol/canonical.ts'
import { sha256, visibleDefinition } from '../../tool/hash.ts'
import { serverVersionOf } from '../../tool/server-version.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Statement } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { LedgerError } from '../ledger-error.ts'
import { UNSIGNED } from '../operator/signed-row.ts'
import { serverOfDefinition } from './definition-server.ts'
import type { Definition } from './grants.ts'
import { TrustLevels } from './trust-levels.ts'
import {
  type DefinitionRow,
  FIRST_SIGHT,
  LATE_SIGHT,
  LEVEL_PREFIX,
  TRUST_COLUMNS,
  type TrustLevel,
  type TrustRow,
} from './trust-row.ts'

/** A level that the operator's file gives. */
export interface ConfiguredDecision {
  readonly definition: Definition
  readonly level: TrustLevel
  /** `set_at` of the decision that it replaces, of anyone; default: only what nobody or the file decided */
  readonly replaces?: number
}

/** Decisions of one transaction. */
const MOST_AT_ONCE = 200

const decisionVerb = (level: TrustLevel): string =>
  level === 'untrusted' ? 'untrust' : level === 'trusted' ? 'trust' : 'verify'

/** The statement that puts a whole row in place of the one before, under a condition. */
const replaceIf = (condition: string): string =>
  `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tool, version) DO UPDATE
   SET hash = excluded.hash, level = excluded.level, set_by = excluded.set_by, set_at = excluded.set_at,
   signed_by = excluded.signed_by, signature = excluded.signature WHERE ${condition} RETURNING ${TRUST_COLUMNS}`

/** How often a decision is tried again because another process decided at the same time. */
const ATTEMPTS = 20

type NewDecision = Pick<TrustRow, 'tool' | 'version' | 'hash' | 'level' | 'set_by'>

export class TrustStore extends TrustLevels {
  /**
   * Decides about the definition with this hash. 'untrusted' revokes a decision and keeps the pin. In a locked ledger a decider that
   * raises the level needs the operator's key.
   */
  async set(definition: Definition, level: TrustLevel, by: Decider): Promise<void> {
    if (level !== 'untrusted') this.lock.requireSigner(by)
    await this.#set({ ...definition, level, set_by: deciderName(by) }, by, level !== 'untrusted')
  }

  /** For a program without an operator: in a locked ledger the decision waits for the operator's signature. */
  async propose(definition: Definition, level: TrustLevel, by: Decider): Promise<void> {
    await this.#set({ ...definition, level, set_by: deciderName(by) }, by, false)
  }

  /** Signs a decision that is there without a signature, and keeps who made it. False if another one is in its place meanwhile. */
  async sign(row: TrustRow, by: Decider): Promise<boolean> {
    const { tool, version, set_at } = row
    const [now] = await this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust WHERE tool = ? AND version = ?`, [
      tool,
      version,
    ])
    if (now?.set_at !== set_at) return false
    await this.#set(row, by, true)
    return true
  }

  /**
   * The same for many definitions, each a decision of its own in the journal. `before` is when the decision was made that is replaced;
   * undefined: there is none. Returns those about which somebody else has decided meanwhile: they stay as they are.
   */
  async setAll(
    wanted: readonly {
      readonly definition: Definition
      readonly level: TrustLevel
      readonly before: number | undefined
    }[],
    by: Decider,
  ): Promise<Definition[]> {
    if (wanted.some(({ level }) => level !== 'untrusted')) this.lock.requireSigner(by)
    const edits = new Map<string, number>()
    for (const { tool, set_at } of await this.decisions()) if (tool.startsWith(LEVEL_PREFIX)) edits.set(tool, set_at)
    const missed: Definition[] = []
    for (let start = 0; start < wanted.length; start += MOST_AT_ONCE) {
      const portion = wanted.slice(start, start + MOST_AT_ONCE)
      const now = await this.clock()
      const decisions = portion.map(({ definition: { tool, version, hash }, level, before = 0 }) => {
        const edit = edits.get(LEVEL_PREFIX + serverOfDefinition(tool)) ?? 0
        const row = { tool, version, hash, level, set_by: deciderName(by), set_at: Math.max(now, before + 1, edit + 1) }
        const { signed_by, signature } = level === 'untrusted' ? UNSIGNED : this.lock.sign('trust', row, by)
        return {
          what: decisionVerb(level),
          sql: replaceIf('trust.set_at = ?'),
          params: [...Object.values(row), signed_by, signature, before],
        }
      })
      const found = await this.decideTogether<TrustRow>(by, decisions)
      missed.push(...portion.filter((_, index) => found[index]?.length === 0).map(({ definition }) => definition))
    }
    await this.reread()
    return missed
  }

  async #set({ tool, version, hash, level, set_by }: NewDecision, by: Decider, isSigned: boolean): Promise<void> {
    const what = decisionVerb(level)
    for (let attempt = 1; ; attempt++) {
      const [before] = await this.db.query<{ set_at: number }>(
        // Also after what the file said last about its server: see configured-levels.ts.
        `SELECT COALESCE(MAX(set_at), 0) AS set_at FROM trust WHERE (tool = ? AND version = ?) OR tool = ?`,
        [tool, version, LEVEL_PREFIX + serverOfDefinition(tool)],
      )
      const set_at = Math.max(await this.clock(), (before?.set_at ?? 0) + 1)
      const row = { tool, version, hash, level, set_by, set_at }
      const { signed_by, signature } = isSigned ? this.lock.sign('trust', row, by) : UNSIGNED
      const decided = await this.decide(what, by, replaceIf('trust.set_at < excluded.set_at'), [
        ...Object.values(row),
        signed_by,
        signature,
      ])
      if (decided.length > 0) break
      // Another process decided in between, and this decision comes after it.
      if (attempt === ATTEMPTS) throw new LedgerError(`could not record the decision about ${tool} ${version}`)
    }
    await this.reread()
  }

  /**
   * Trust from the operator's file, for many definitions at once. It applies only to pinned definitions about which nobody has
   * decided, and to decisions that it names: a person's later decision stays, and so does the pin of another definition. In a locked
   * ledger it waits for the operator's signature.
   */
  async setFromConfig(vouched: Iterable<ConfiguredDecision>, by: string): Promise<void> {
    const statements = [...vouched].map(({ definition: { tool: name, version, hash }, level, replaces }) => ({
      sql: `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ${this.db.now}, NULL, NULL)
        ON CONFLICT (tool, version) DO UPDATE
        SET level = excluded.level, set_by = excluded.set_by, set_at = ${this.after('trust.set_at')},
        signed_by = NULL, signature = NULL
        WHERE trust.hash = excluded.hash AND (trust.set_by IN ('${FIRST_SIGHT}', excluded.set_by) OR trust.set_at = ?)
        AND (trust.level <> excluded.level OR trust.set_by <> excluded.set_by) RETURNING ${TRUST_COLUMNS}`,
      params: [name, version, hash, level, by, replaces ?? -1],
    }))
    if (statements.length === 0) return
    await this.decideAll('trust', { name: by, from: 'file' }, statements)
    await this.reread()
  }

  /**
   * Pins again what no person has decided about, because the definition differs only in what the operator's file says of the tool. Nobody
   * has decided about the new pin; one that came late stays late.
   */
  async repinAll(pins: Iterable<{ readonly tool: Tool; readonly row: TrustRow }>): Promise<void> {
    const statements = [...pins].flatMap(({ tool, row }) => [
      this.#sight(tool),
      {
        sql: `UPDATE trust SET hash = ?, level = 'untrusted', set_by = ?, set_at = ${this.after('trust.set_at')},
          signed_by = NULL, signature = NULL WHERE tool = ? AND version = ? AND set_at = ? RETURNING ${TRUST_COLUMNS}`,
        params: [tool.hash, row.set_by === LATE_SIGHT ? LATE_SIGHT : FIRST_SIGHT, row.tool, row.version, row.set_at],
      },
    ])
    if (statements.length === 0) return
    await this.decideAll('repin', { name: 'host', from: 'host' }, statements)
    await this.reread()
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
      sql: `INSERT INTO definitions (tool, version, hash, origin, body, server_version, first_seen, last_seen)
        VALUES (?, ?, ?, ?, ?, ?, ${this.db.now}, ${this.db.now})
        ON CONFLICT (tool, version, hash) DO UPDATE
        SET last_seen = excluded.last_seen, origin = excluded.origin, body = excluded.body, server_version = excluded.server_version,
        gone_at = NULL`,
      params: [
        ...[tool.name, tool.version, tool.hash, tool.origin, canonical(visibleDefinition(tool))],
        serverVersionOf(tool) ?? null,
      ],
    }
  }

  /** Pins an upstream tool as first seen: any later difference is a change. */
  pin(tool: Tool): Promise<void> {
    return this.pinAll([tool])
  }

  /** In one transaction: a server may have a thousand tools. */
  async pinAll(tools: Iterable<Tool>, as: typeof FIRST_SIGHT | typeof LATE_SIGHT = FIRST_SIGHT): Promise<void> {
    const statements = [...tools].flatMap((tool) => [
      this.#sight(tool),
      {
        sql: `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, 'untrusted', ?, ${this.db.now}, NULL, NULL)
          ON CONFLICT (tool, version) DO NOTHING RETURNING ${TRUST_COLUMNS}`,
        params: [tool.name, tool.version, tool.hash, as],
      },
    ])
    if (statements.length === 0) return
    await this.decideAll('pin', { name: 'host', from: 'host' }, statements)
    await this.reread()
  }

  /** Decisions, by tool and version. */
  async decisions(): Promise<TrustRow[]> {
    return await this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust ORDER BY tool, version`)
  }

  /** Stored definitions, last seen first; of one tool, or of all. */
  async definitions(tool?: string): Promise<DefinitionRow[]> {
    const rows = await this.db.query<DefinitionRow>(
      `SELECT tool, version, hash, origin, body, server_version, first_seen, last_seen, gone_at FROM definitions
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
