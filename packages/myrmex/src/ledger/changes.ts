/**
 * Polls the ledger for changes by any process: approvals that were requested, decided, used or expired, decisions about tools,
 * grants, definitions.
 */
import type { Approval } from './decisions/approvals.ts'
import { LISTING_PREFIX } from './decisions/first-listings.ts'
import { GRANT_COLUMNS, type Grant } from './decisions/grants.ts'
import { type DefinitionRow, LEVEL_PREFIX, TRUST_COLUMNS, type TrustRow } from './decisions/trust-row.ts'
import type { Ledger } from './ledger.ts'

export type LedgerChange =
  | { readonly what: 'approval'; readonly approval: Approval }
  | { readonly what: 'decision'; readonly decision: TrustRow }
  | { readonly what: 'grant'; readonly grant: Grant }
  | { readonly what: 'definition'; readonly definition: Omit<DefinitionRow, 'body'> }

/** Writers do not commit in the order of their clocks, so each poll looks back this far. */
const OVERLAP_MS = 5000

/** The rows that may be new; every parameter is the earliest time. Open approvals always: they expire without a write. */
const QUERIES = {
  approval: (now: string) =>
    `SELECT id, CASE WHEN status IN ('waiting', 'approved') AND expires_at <= ${now} THEN 'expired' ELSE status END AS status
     FROM approvals WHERE status IN ('waiting', 'approved') OR requested_at >= ? OR decided_at >= ? OR used_at >= ?
     ORDER BY requested_at`,
  decision: () =>
    `SELECT ${TRUST_COLUMNS} FROM trust WHERE set_at >= ? AND substr(tool, 1, ${LISTING_PREFIX.length}) <> '${LISTING_PREFIX}'
     AND substr(tool, 1, ${LEVEL_PREFIX.length}) <> '${LEVEL_PREFIX}'
     ORDER BY set_at`,
  grant: () => `SELECT ${GRANT_COLUMNS} FROM grants WHERE granted_at >= ? OR revoked_at >= ? ORDER BY granted_at`,
  definition: () =>
    'SELECT tool, version, hash, origin, server_version, first_seen, last_seen, gone_at FROM definitions WHERE first_seen >= ? ORDER BY first_seen',
}

export class LedgerChanges {
  readonly #ledger: Ledger
  #from: number | undefined
  /** the rows of the last poll, by kind */
  readonly #known = new Map<LedgerChange['what'], Set<string>>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** The first poll returns nothing: what exists already is no change. */
  async poll(): Promise<LedgerChange[]> {
    const { db, approvals } = this.#ledger
    const [clock] = await db.query<{ now: number }>(`SELECT ${db.now} AS now`)
    const overlap = (clock?.now ?? Date.now()) - OVERLAP_MS
    const first = this.#from === undefined
    const from = this.#from ?? overlap
    const states = await this.#fresh<Pick<Approval, 'id' | 'status'>>('approval', from, JSON.stringify)
    const found = await Promise.all(states.map(({ id }) => approvals.find(id)))
    const decisions = await this.#fresh<TrustRow>('decision', from, JSON.stringify)
    const grants = await this.#fresh<Grant>('grant', from, ({ id, revoked_at }) => `${id} ${revoked_at}`)
    const definitions = await this.#fresh<DefinitionRow>('definition', from, ({ tool, version, hash }) =>
      [tool, version, hash].join(' '),
    )
    this.#from = Math.max(from, overlap)
    if (first) return []
    return [
      ...found.flatMap((approval) => (approval === undefined ? [] : [{ what: 'approval' as const, approval }])),
      ...decisions.map((decision) => ({ what: 'decision' as const, decision })),
      ...grants.map((grant) => ({ what: 'grant' as const, grant })),
      ...definitions.map((definition) => ({ what: 'definition' as const, definition })),
    ]
  }

  /** The rows that the last poll did not have; rows that are gone are forgotten. */
  async #fresh<Row extends object>(
    what: LedgerChange['what'],
    from: number,
    nameOf: (row: Row) => string,
  ): Promise<Row[]> {
    const { db } = this.#ledger
    const sql = QUERIES[what](db.now)
    const rows = await db.query<Row>(sql, new Array(sql.split('?').length - 1).fill(from))
    const before = this.#known.get(what)
    this.#known.set(what, new Set(rows.map(nameOf)))
    return rows.filter((row) => !before?.has(nameOf(row)))
  }
}
