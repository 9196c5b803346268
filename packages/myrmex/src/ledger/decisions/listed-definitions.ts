/**
 * Which definitions of upstreams are listed now. A definition that its server no longer lists stays in the store with the decisions about
 * it, which count again when it comes back. Lists for people leave it out. Nothing is decided here, so the journal has no entry.
 */
import { type Statement, Store } from '../db.ts'
import { serverOfDefinition } from './definition-server.ts'
import type { Definition } from './grants.ts'

type Row = Definition & { readonly gone_at: number | null }

export class ListedDefinitions extends Store {
  /** `listed` is all that the server lists. Definitions that `isKnown` excludes stay as they are: the server did not say whether it has them. */
  async record(
    server: string,
    listed: Iterable<Definition>,
    isKnown: (name: string) => boolean = () => true,
  ): Promise<void> {
    const now = new Set([...listed].map(key))
    const rows = await this.db.query<Row>(
      `SELECT tool, version, hash, gone_at FROM definitions WHERE origin = 'upstream'`,
    )
    const changed = rows.filter(
      (row) =>
        serverOfDefinition(row.tool) === server && isKnown(row.tool) && now.has(key(row)) !== (row.gone_at === null),
    )
    const statements = changed.map(
      ({ tool, version, hash, gone_at }): Statement => ({
        sql: `UPDATE definitions SET gone_at = ${gone_at === null ? this.db.now : 'NULL'} WHERE tool = ? AND version = ? AND hash = ?`,
        params: [tool, version, hash],
      }),
    )
    if (statements.length > 0) await this.db.transaction(statements)
  }
}

const key = ({ tool, version, hash }: Definition): string => `${tool} ${version} ${hash}`
