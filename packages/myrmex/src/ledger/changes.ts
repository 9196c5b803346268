/**
 * Polls the ledger for changes by any process: approvals that were requested, decided, used or expired, decisions about tools,
 * grants, definitions.
 */
import type { Approval, ApprovalStatus } from './decisions/approvals.ts'
import type { Grant } from './decisions/grants.ts'
import type { DefinitionRow, TrustRow } from './decisions/trust.ts'
import type { Ledger } from './ledger.ts'

export type LedgerChange =
  | { readonly what: 'approval'; readonly approval: Approval }
  | { readonly what: 'decision'; readonly decision: TrustRow }
  | { readonly what: 'grant'; readonly grant: Grant }
  | { readonly what: 'definition'; readonly definition: Omit<DefinitionRow, 'body'> }

/** Writers do not commit in the order of their clocks, so each poll looks back this far. */
const OVERLAP_MS = 5000

type ApprovalState = Pick<Approval, 'id' | 'requested_at' | 'decided_at' | 'used_at'> & { status: ApprovalStatus }

export class LedgerChanges {
  readonly #ledger: Ledger
  #from: number | undefined
  readonly #known: Record<LedgerChange['what'], Set<string>> = {
    approval: new Set(),
    decision: new Set(),
    grant: new Set(),
    definition: new Set(),
  }

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** The first poll returns nothing: what exists already is no change. */
  async poll(): Promise<LedgerChange[]> {
    const { db } = this.#ledger
    const [clock] = await db.query<{ now: number }>(`SELECT ${db.now} AS now`)
    const overlap = (clock?.now ?? Date.now()) - OVERLAP_MS
    const first = this.#from === undefined
    const from = this.#from ?? overlap
    const items = [
      ...(await this.#approvals(from)),
      ...(await this.#decisions(from)),
      ...(await this.#grants(from)),
      ...(await this.#definitions(from)),
    ]
    this.#from = Math.max(from, overlap)
    return first ? [] : items
  }

  async #approvals(from: number): Promise<LedgerChange[]> {
    const { db, approvals } = this.#ledger
    // Open approvals always: they expire and are returned without a time.
    const rows = await db.query<ApprovalState>(
      `SELECT id, CASE WHEN status IN ('waiting', 'approved') AND expires_at <= ${db.now} THEN 'expired' ELSE status END
       AS status, requested_at, decided_at, used_at FROM approvals
       WHERE status IN ('waiting', 'approved') OR requested_at >= ? OR decided_at >= ? OR used_at >= ? ORDER BY requested_at`,
      [from, from, from],
    )
    const fresh = this.#fresh('approval', rows, ({ id, status }) => `${id} ${status}`)
    const found = await Promise.all(fresh.map(({ id }) => approvals.find(id)))
    return found.flatMap((approval) => (approval === undefined ? [] : [{ what: 'approval', approval }]))
  }

  async #decisions(from: number): Promise<LedgerChange[]> {
    const rows = await this.#ledger.db.query<TrustRow>(
      'SELECT tool, version, hash, level, set_by, set_at FROM trust WHERE set_at >= ? ORDER BY set_at',
      [from],
    )
    const fresh = this.#fresh('decision', rows, JSON.stringify)
    return fresh.map((decision) => ({ what: 'decision', decision }))
  }

  async #grants(from: number): Promise<LedgerChange[]> {
    const rows = await this.#ledger.db.query<Grant>(
      `SELECT id, tool, version, hash, principal, granted_by, granted_at, expires_at, revoked_by, revoked_at FROM grants
       WHERE granted_at >= ? OR revoked_at >= ? ORDER BY granted_at`,
      [from, from],
    )
    const fresh = this.#fresh('grant', rows, ({ id, revoked_at }) => `${id} ${revoked_at}`)
    return fresh.map((grant) => ({ what: 'grant', grant }))
  }

  async #definitions(from: number): Promise<LedgerChange[]> {
    const rows = await this.#ledger.db.query<Omit<DefinitionRow, 'body'>>(
      `SELECT tool, version, hash, origin, first_seen, last_seen FROM definitions WHERE first_seen >= ? ORDER BY first_seen`,
      [from],
    )
    const fresh = this.#fresh('definition', rows, ({ tool, version, hash }) => `${tool} ${version} ${hash}`)
    return fresh.map((definition) => ({ what: 'definition', definition }))
  }

  /** The rows that the last poll did not have; rows that are gone are forgotten. */
  #fresh<Row>(what: LedgerChange['what'], rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
    const before = this.#known[what]
    this.#known[what] = new Set(rows.map(nameOf))
    return rows.filter((row) => !before.has(nameOf(row)))
  }
}
