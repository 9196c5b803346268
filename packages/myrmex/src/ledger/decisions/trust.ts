/**
 * Trust levels, each pinned to the definition that the decision was about. A decision of this process takes effect at once. One
 * of another process takes effect within FRESH_MS for tools that change nothing, and with the next call that arrives for tools
 * that change state (`currentLevel`).
 */

import { canonical } from '../../protocol/canonical.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { sha256, visibleDefinition } from '../../tool/hash.ts'
import { couldMean, type PossibleResources, possibleResources } from '../../tool/possible-resources.ts'
import { serverVersionOf } from '../../tool/server-version.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Statement } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { LedgerError } from '../ledger-error.ts'
import { type RowSignature, UNSIGNED } from '../operator/signed-row.ts'
import { DecisionStore } from './decision-store.ts'
import { serverOfDefinition } from './definition-server.ts'
import type { Definition } from './grants.ts'

export type TrustLevel = 'untrusted' | 'verified' | 'trusted'

/** A decision about one version of a tool. It is valid only for the definition with this hash. */
export interface TrustRow extends Definition, RowSignature {
  readonly level: TrustLevel
  readonly set_by: string
  readonly set_at: number
}

/** A definition that a server has had. */
export interface DefinitionRow extends Definition {
  readonly origin: Tool['origin']
  /** canonical JSON of all that a caller can see */
  readonly body: string
  /** as the server of the tool reported it when this was last seen; null: it reported none, or the tool has its own */
  readonly server_version: string | null
  readonly first_seen: number
  readonly last_seen: number
}

/** `set_by` of a pin about which nobody has decided. */
export const FIRST_SIGHT = 'first sight'
/** The same for a definition that appeared after its server had been listed for the first time: no file decides about it. */
export const LATE_SIGHT = 'seen after the first listing'

/** Nobody has decided: neither a person nor a file. */
export const isUndecided = ({ set_by }: TrustRow): boolean => set_by === FIRST_SIGHT || set_by === LATE_SIGHT

/** `set_by` and `granted_by` of what the host's configuration says. */
export const BY_CONFIGURATION = 'myrmex.json'

/** A person, or a program that has opened the ledger, decided against it. What the file does not give is nobody's refusal. */
export const isRefused = (row: TrustRow): boolean =>
  row.level === 'untrusted' && !isUndecided(row) && row.set_by !== BY_CONFIGURATION

/** How the names of the rows of `ConfiguredLevels` begin. No definition has such a name. */
export const LEVEL_PREFIX = 'configured:'

/** A level that the operator's file gives. */
export interface ConfiguredDecision {
  readonly definition: Definition
  readonly level: TrustLevel
  /** `set_at` of the decision that it replaces, whoever made that; default: only what nobody or the file decided */
  readonly replaces?: number
}

/** Decisions of one transaction. */
const MOST_AT_ONCE = 200

const decisionVerb = (level: TrustLevel): string =>
  level === 'untrusted' ? 'untrust' : level === 'trusted' ? 'trust' : 'verify'

/** How often a decision is tried again because another process decided at the same time. */
const ATTEMPTS = 20

type NewDecision = Pick<TrustRow, 'tool' | 'version' | 'hash' | 'level' | 'set_by'>

/** How stale a level may be for a tool that changes nothing. */
export const FRESH_MS = 250

export const TRUST_COLUMNS = 'tool, version, hash, level, set_by, set_at, signed_by, signature'

export class TrustStore extends DecisionStore {
  protected readonly table = 'trust'
  #rows: ReadonlyMap<string, TrustRow> = new Map()
  #levels = new WeakMap<Tool, TrustLevel>()
  /** what `refusedResource` found */
  #refused = new WeakMap<PossibleResources, { readonly name: string | undefined }>()
  #revokedResources: readonly string[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #turn = 0
  #taken = 0
  #state: number | undefined
  /** decisions read one by one, and the state of the store in which they were read */
  #current = new WeakMap<Tool, CurrentDecision>()
  #currentState: number | undefined
  /**
   * By definition: the hash of the decided definition that means the same (accepted-changes.ts). Only this process puts it here, after
   * it compared the two, so a row that somebody writes into the store raises no level.
   */
  readonly #accepted = new WeakMap<Tool, string>()
  /** in a locked ledger, when each tool and version was last decided about */
  readonly #newest = new Map<string, number>()

  /** As last read: call `refresh` first where `isStale`. */
  levelOf(tool: Tool): TrustLevel {
    return getOrMake(this.#levels, tool, this.#lastLevel)
  }

  readonly #lastLevel = (tool: Tool): TrustLevel =>
    this.#decided(tool, this.#rows.get(`${tool.name} ${tool.version}`)).level

  /** From now on a decision about the definition with this hash also holds for this one. */
  followDecision(tool: Tool, decided: string): void {
    this.#accepted.set(tool, decided)
    this.#levels.delete(tool)
    this.#current.delete(tool)
    this.#refused = new WeakMap()
  }

  /** The decided definition whose grants also cover this one, which is another; undefined if there is none now. */
  followedDefinition(tool: Tool): Definition | undefined | Promise<Definition | undefined> {
    if (!this.#accepted.has(tool)) return undefined
    const decision = this.#currentDecision(tool)
    return decision instanceof Promise ? decision.then(({ followed }) => followed) : decision.followed
  }

  /** The decision about this version, of whatever definition; as last read. */
  decisionOf({ name, version }: Tool): TrustRow | undefined {
    return this.#rows.get(`${name} ${version}`)
  }

  /** Whether it appeared after the first listing of its server, and nobody has decided about it; as last read. */
  isLate(tool: Tool): boolean {
    const row = this.#rows.get(`${tool.name} ${tool.version}`)
    return row?.set_by === LATE_SIGHT && row.hash === tool.hash
  }

  /**
   * The name of a resource that is revoked or quarantined and that a request for this definition could reach under another URI; as last
   * read. See tool/possible-resources.ts.
   */
  refusedResource(definition: Tool): string | undefined {
    const possible = possibleResources(definition)
    if (possible === undefined) return undefined
    const known = this.#refused.get(possible)
    if (known !== undefined) return known.name
    const isMeant = (name: string): boolean => couldMean(definition, name)
    const name =
      this.#revokedResources.find(isMeant) ??
      possible.listed.find((one) => isMeant(one.name) && this.isChanged(one))?.name
    this.#refused.set(possible, { name })
    return name
  }

  /** Whether it was decided about with another definition; as last read. */
  isChanged(tool: Tool): boolean {
    const row = this.#rows.get(`${tool.name} ${tool.version}`)
    return row !== undefined && !isUndecided(row) && row.hash !== tool.hash && row.hash !== this.#accepted.get(tool)
  }

  /** The resources of a server that this ledger has seen, listed or not; as last read. */
  *resourcesOf(server: string): Generator<string> {
    const prefix = `resource:${server}:`
    for (const { tool } of this.#rows.values()) if (tool.startsWith(prefix)) yield tool.slice(prefix.length)
  }

  /** Whether a decision has the operator's signature, if it needs one. */
  isSigned(row: TrustRow): boolean {
    return row.level === 'untrusted' || this.lock.accepts('trust', row)
  }

  #decided(tool: Tool, row: TrustRow | undefined): CurrentDecision {
    if (this.lock.isLocked && this.#isRolledBack(`${tool.name} ${tool.version}`, row)) return UNTRUSTED
    // Undecided: our own code starts verified, definitions of other servers start untrusted.
    if (row === undefined) return tool.origin === 'own' ? VERIFIED : UNTRUSTED
    if (!this.isSigned(row)) return UNTRUSTED
    if (row.hash === tool.hash) return { level: row.level, followed: undefined }
    if (row.hash !== this.#accepted.get(tool)) return UNTRUSTED
    return { level: row.level, followed: { tool: row.tool, version: row.version, hash: row.hash } }
  }

  /**
   * Whether this process has seen a later decision than this row. A signature says who decided, not that nobody decided otherwise
   * since: an old row could be put back.
   */
  #isRolledBack(name: string, row: TrustRow | undefined): boolean {
    const newest = this.#newest.get(name) ?? 0
    if ((row?.set_at ?? 0) < newest) return true
    if (row !== undefined) this.#newest.set(name, row.set_at)
    return false
  }

  /** The level for a call that arrives now, whatever process decided it; synchronous if the engine is. */
  currentLevel(tool: Tool): TrustLevel | Promise<TrustLevel> {
    const decision = this.#currentDecision(tool)
    return decision instanceof Promise ? decision.then(({ level }) => level) : decision.level
  }

  #currentDecision(tool: Tool): CurrentDecision | Promise<CurrentDecision> {
    const state = this.db.changeCounter?.()
    if (state !== this.#currentState) this.#forgetCurrent(state)
    const known = this.#current.get(tool)
    if (known !== undefined) return known
    const rows = this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust WHERE tool = ? AND version = ?`, [
      tool.name,
      tool.version,
    ])
    if (rows instanceof Promise) return rows.then(([row]) => this.#decided(tool, row))
    const decision = this.#decided(tool, rows[0])
    this.#current.set(tool, decision)
    return decision
  }

  #forgetCurrent(state: number | undefined): void {
    this.#current = new WeakMap()
    this.#currentState = state
  }

  /** Another number whenever levels were read again: they may have changed. */
  get revision(): number {
    return this.#taken
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
    if (this.lock.isLocked) for (const [name, row] of this.#rows) this.#isRolledBack(name, row)
    this.#levels = new WeakMap()
    this.#refused = new WeakMap()
    this.#revokedResources = rows
      .filter((row) => row.level === 'untrusted' && row.tool.startsWith('resource:') && !isUndecided(row))
      .map(({ tool }) => tool)
    this.#readAt = Date.now()
  }

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
      const statements = portion.map(({ definition: { tool, version, hash }, level, before = 0 }) => {
        const edit = edits.get(LEVEL_PREFIX + serverOfDefinition(tool)) ?? 0
        const row = { tool, version, hash, level, set_by: deciderName(by), set_at: Math.max(now, before + 1, edit + 1) }
        const { signed_by, signature } = level === 'untrusted' ? UNSIGNED : this.lock.sign('trust', row, by)
        return {
          sql: `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tool, version) DO UPDATE
            SET hash = excluded.hash, level = excluded.level, set_by = excluded.set_by, set_at = excluded.set_at,
            signed_by = excluded.signed_by, signature = excluded.signature
            WHERE trust.set_at = ? RETURNING ${TRUST_COLUMNS}`,
          params: [...Object.values(row), signed_by, signature, before],
        }
      })
      const found = await this.decideEach<TrustRow>(
        portion.map(({ level }) => decisionVerb(level)),
        by,
        statements,
      )
      missed.push(...portion.filter((_, index) => found[index]?.length === 0).map(({ definition }) => definition))
    }
    await this.#read(undefined)
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
      const decided = await this.decide(
        what,
        by,
        `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tool, version) DO UPDATE
         SET hash = excluded.hash, level = excluded.level, set_by = excluded.set_by, set_at = excluded.set_at,
         signed_by = excluded.signed_by, signature = excluded.signature
         WHERE trust.set_at < excluded.set_at RETURNING ${TRUST_COLUMNS}`,
        [...Object.values(row), signed_by, signature],
      )
      if (decided.length > 0) break
      // Another process decided in between, and this decision comes after it.
      if (attempt === ATTEMPTS) throw new LedgerError(`could not record the decision about ${tool} ${version}`)
    }
    await this.#read(undefined)
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
    await this.#read(undefined)
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
      sql: `INSERT INTO definitions (tool, version, hash, origin, body, server_version, first_seen, last_seen)
        VALUES (?, ?, ?, ?, ?, ?, ${this.db.now}, ${this.db.now})
        ON CONFLICT (tool, version, hash) DO UPDATE
        SET last_seen = excluded.last_seen, origin = excluded.origin, body = excluded.body, server_version = excluded.server_version`,
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
    await this.#read(undefined)
  }

  /** Decisions, by tool and version. */
  async decisions(): Promise<TrustRow[]> {
    return await this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust ORDER BY tool, version`)
  }

  /** Stored definitions, last seen first; of one tool, or of all. */
  async definitions(tool?: string): Promise<DefinitionRow[]> {
    const rows = await this.db.query<DefinitionRow>(
      `SELECT tool, version, hash, origin, body, server_version, first_seen, last_seen FROM definitions
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

interface CurrentDecision {
  readonly level: TrustLevel
  /** the decided definition, if it is another one that means the same */
  readonly followed: Definition | undefined
}

const UNTRUSTED: CurrentDecision = Object.freeze({ level: 'untrusted', followed: undefined })
const VERIFIED: CurrentDecision = Object.freeze({ level: 'verified', followed: undefined })
