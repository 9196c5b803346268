/**
 * Which lists of which upstreams have been read before. A definition that appears after the first list was accepted is new, not first
 * sight, whatever happened in between: a restart, another entry in the operator's file, an empty list. The rows are pins like those of
 * definitions, so the journal has them, and removing one shows.
 */
import { DecisionStore } from './decision-store.ts'
import { TRUST_COLUMNS, type TrustRow } from './trust-row.ts'

/** empty: nothing was listed yet. begun: its items are being recorded. accepted: what appears from now on is late. */
export type ListingState = 'empty' | 'begun' | 'accepted'

export interface FirstListing {
  readonly state: ListingState
  /** how long ago that was, by the clock of the store */
  readonly ageMs: number
}

/** How names of these rows begin. No definition has such a name. */
export const LISTING_PREFIX = 'listing:'
const VERSION = '0.0.0'
const SET_BY: Readonly<Record<ListingState, string>> = {
  empty: 'empty listing',
  begun: 'first listing, not yet recorded',
  accepted: 'first listing',
}

export class FirstListings extends DecisionStore {
  protected readonly table = 'trust'

  async find(server: string, part: string): Promise<FirstListing | undefined> {
    const [row] = await this.db.query<TrustRow & { now: number }>(
      `SELECT ${TRUST_COLUMNS}, ${this.db.now} AS now FROM trust WHERE tool = ? AND version = ?`,
      [nameOf(server, part), VERSION],
    )
    if (row === undefined) return undefined
    const [state] = Object.entries(SET_BY).find(([, set_by]) => set_by === row.set_by) ?? ['accepted']
    return { state: state as ListingState, ageMs: Number(row.now) - row.set_at }
  }

  /** `endpoint` identifies the program or address of the server. An accepted list stays accepted, and an empty one keeps its time. */
  async record(server: string, part: string, endpoint: string, state: ListingState): Promise<void> {
    await this.decide(
      'list',
      { name: 'host', from: 'host' },
      `INSERT INTO trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, 'untrusted', ?, ${this.db.now}, NULL, NULL)
       ON CONFLICT (tool, version) DO UPDATE
       SET hash = excluded.hash, set_by = excluded.set_by, set_at = ${this.after('trust.set_at')}
       WHERE (trust.set_by <> '${SET_BY.accepted}' AND trust.set_by <> excluded.set_by)
       OR (excluded.set_by = '${SET_BY.accepted}' AND trust.hash <> excluded.hash) RETURNING ${TRUST_COLUMNS}`,
      [nameOf(server, part), VERSION, endpoint, SET_BY[state]],
    )
  }

  /** Other names under which the same program or address was listed. */
  async otherNames(server: string, part: string, endpoint: string): Promise<string[]> {
    const rows = await this.db.query<{ tool: string }>(
      `SELECT tool FROM trust WHERE hash = ? AND version = ? AND set_by = ?`,
      [endpoint, VERSION, SET_BY.accepted],
    )
    const end = `.${part}`
    return rows
      .filter(({ tool }) => tool.startsWith(LISTING_PREFIX) && tool.endsWith(end) && tool !== nameOf(server, part))
      .map(({ tool }) => tool.slice(LISTING_PREFIX.length, -end.length))
  }
}

const nameOf = (server: string, part: string): string => `${LISTING_PREFIX}${server}.${part}`
