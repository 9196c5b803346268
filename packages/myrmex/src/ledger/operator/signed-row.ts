/**
 * What a signature of the operator covers: the ledger, the table, and every column that only decisions write. A row cannot be edited,
 * moved to another ledger, or put in the place of another one without losing its signature.
 */
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { Value } from '../db.ts'

/** The tables whose rows can raise rights. */
export type SignedTable = 'trust' | 'grants' | 'approvals' | 'tokens' | 'switches' | 'users'

/** On each row that can raise rights. Both are null if nobody signed it. */
export interface RowSignature {
  /** the id of the operator's key */
  readonly signed_by: string | null
  /** Ed25519, base64 */
  readonly signature: string | null
}

export const UNSIGNED: RowSignature = { signed_by: null, signature: null }

/** Columns of a revocation, of use and of the status are not here: they only lower rights. */
const SIGNED: Readonly<Record<SignedTable, readonly string[]>> = {
  trust: ['tool', 'version', 'hash', 'level', 'set_by', 'set_at'],
  grants: ['id', 'tool', 'version', 'hash', 'principal', 'granted_by', 'granted_at', 'expires_at'],
  approvals: [
    ...['id', 'tool', 'version', 'hash', 'args_hash', 'principal', 'args', 'reason'],
    ...['requested_at', 'expires_at', 'decided_by', 'decided_at', 'note'],
  ],
  tokens: ['id', 'name', 'sha256', 'profile', 'scopes', 'created_by', 'created_at', 'expires_at'],
  switches: ['name', 'profile', 'state', 'reason', 'set_by', 'set_at'],
  users: ['name', 'display_name', 'scopes', 'profile', 'set_by', 'set_at'],
}

/** Columns that came later: signed where they have a value, so that earlier signatures stay valid. */
const SIGNED_IF_SET: Readonly<Partial<Record<SignedTable, readonly string[]>>> = {
  approvals: ['edited_args', 'edited_hash'],
}

/** The text that is signed. It is short, whatever the row contains. `ledger` is the id of its journal. */
export function decisionText(ledger: string, table: SignedTable, row: object): string {
  const values = row as Readonly<Record<string, Value | undefined>>
  const decided: Record<string, Value> = Object.fromEntries(
    SIGNED[table].map((column) => [column, values[column] ?? null]),
  )
  for (const column of SIGNED_IF_SET[table] ?? []) if (values[column] != null) decided[column] = values[column] as Value
  return `myrmex decision ${ledger} ${table} ${crypto.hash('sha256', canonical(decided), 'hex')}`
}
