/**
 * What the operator's file gave each server when a host last read it, and whether that was a rise or a fall. An edit of the file is a
 * decision: it comes after the decisions that were made before it, and before those that are made later. The rows are pins like those of
 * first listings, so the journal has them.
 */
import { sha256 } from '../../tool/hash.ts'
import { DecisionStore } from './decision-store.ts'
import { serverOfDefinition } from './definition-server.ts'
import type { Definition } from './grants.ts'
import { LEVEL_PREFIX, TRUST_COLUMNS, type TrustRow } from './trust-row.ts'

/** given: nothing is known of an earlier value. */
export type LevelDirection = 'given' | 'raised' | 'lowered'

export interface ConfiguredLevel {
  readonly word: string
  readonly direction: LevelDirection
  /** the time of the edit, by the clock of the store: after every earlier decision about the server */
  readonly since: number
}

const VERSION = '0.0.0'
/** The same for all: what the file gives is in `set_by`. */
const HASH = sha256('configured')
const SET_BY = /^myrmex\.json (given|raised|lowered) (\w+)$/

export class ConfiguredLevels extends DecisionStore {
  protected readonly table = 'trust'

  async find(server: string): Promise<ConfiguredLevel | undefined> {
    const row = await this.first<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust WHERE tool = ? AND version = ?`, [
      LEVEL_PREFIX + server,
      VERSION,
    ])
    const [, direction, word] = SET_BY.exec(row?.set_by ?? '') ?? []
    if (row === undefined || word === undefined) return undefined
    return { word, direction: direction as LevelDirection, since: row.set_at }
  }

  async record(server: string, word: string, direction: LevelDirection): Promise<ConfiguredLevel> {
    const since = await this.#afterAll(server)
    await this.decide(
      'configure',
      { name: 'host', from: 'file' },
      `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, 'untrusted', ?, ?, NULL, NULL)
       ON CONFLICT (tool, version) DO UPDATE SET set_by = excluded.set_by, set_at = excluded.set_at
       WHERE trust.set_at < excluded.set_at RETURNING ${TRUST_COLUMNS}`,
      [LEVEL_PREFIX + server, VERSION, HASH, `myrmex.json ${direction} ${word}`, since],
    )
    return { word, direction, since }
  }

  /** A clock that was set back, or two decisions within a millisecond, must not put the edit before a decision that it follows. */
  async #afterAll(server: string): Promise<number> {
    const isOwn = ({ tool }: Definition): boolean => serverOfDefinition(tool) === server
    const decided = await this.db.query<TrustRow>(`SELECT ${TRUST_COLUMNS} FROM trust`)
    const revoked = await this.db.query<Definition & { revoked_at: number }>(
      'SELECT tool, version, hash, revoked_at FROM grants WHERE revoked_at IS NOT NULL',
    )
    const times = [
      ...decided.filter(isOwn).map(({ set_at }) => set_at),
      ...revoked.filter(isOwn).map(({ revoked_at }) => revoked_at),
    ]
    return times.reduce((latest, time) => Math.max(latest, time + 1), await this.clock())
  }
}
