/**
 * Which level each definition has now, as read from the decisions. A decision of this process takes effect at once. One of another process
 * takes effect within FRESH_MS for tools that change nothing, and with the next call that arrives for tools that change state
 * (`currentLevel`).
 */

import { getOrMake } from '../../protocol/get-or-make.ts'
import { couldMean, type PossibleResources, possibleResources } from '../../tool/possible-resources.ts'
import type { Tool } from '../../tool/tool.ts'
import { DecisionStore } from './decision-store.ts'
import type { Definition } from './grants.ts'
import { isUndecided, LATE_SIGHT, TRUST_COLUMNS, type TrustLevel, type TrustRow } from './trust-row.ts'

/** How stale a level may be for a tool that changes nothing. */
export const FRESH_MS = 250

export class TrustLevels extends DecisionStore {
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

  /** After a decision of this process, which takes effect at once. */
  protected reread(): void | Promise<void> {
    return this.#read(undefined)
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
}

interface CurrentDecision {
  readonly level: TrustLevel
  /** the decided definition, if it is another one that means the same */
  readonly followed: Definition | undefined
}

const UNTRUSTED: CurrentDecision = Object.freeze({ level: 'untrusted', followed: undefined })
const VERIFIED: CurrentDecision = Object.freeze({ level: 'verified', followed: undefined })
