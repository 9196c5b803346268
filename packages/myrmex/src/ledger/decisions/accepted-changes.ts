/**
 * Changes of upstream definitions that the host accepted by itself, because it proved that the new definition means the same as the
 * decided one. A row links the hash of the new definition to that of the decided one, and is an entry of the journal. It is a record
 * and no authority: a level follows only links that the process made itself (`TrustStore.followDecision`), so writing a row into the
 * store gains nothing, and a decision that is revoked is revoked for all definitions that follow it.
 */
import { DecisionStore } from './decision-store.ts'
import type { Definition } from './grants.ts'

export interface AcceptedChange extends Definition {
  /** the hash of the definition that was decided about */
  readonly decided: string
  /** harmless, or wider if the operator's file accepts that */
  readonly grade: string
  readonly accepted_at: number
}

const COLUMNS = 'tool, version, hash, decided, grade, accepted_at'

export class AcceptedChanges extends DecisionStore {
  protected readonly table = 'accepted_changes'

  /** Each is recorded once. */
  async record(changes: Iterable<Omit<AcceptedChange, 'accepted_at'>>): Promise<void> {
    const statements = [...changes].map(({ tool, version, hash, decided, grade }) => ({
      sql: `INSERT INTO accepted_changes (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ${this.db.now})
        ON CONFLICT (tool, version, hash, decided) DO NOTHING RETURNING ${COLUMNS}`,
      params: [tool, version, hash, decided, grade],
    }))
    if (statements.length > 0) await this.decideAll('accept', { name: 'host', from: 'host' }, statements)
  }

  async list(tool?: string): Promise<AcceptedChange[]> {
    return await this.db.query<AcceptedChange>(
      `SELECT ${COLUMNS} FROM accepted_changes ${tool === undefined ? '' : 'WHERE tool = ?'} ORDER BY tool, accepted_at`,
      tool === undefined ? [] : [tool],
    )
  }
}
