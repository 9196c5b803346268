/** A token as people and the API see it: never its text or its hash. */
import { endOf, readScopes, type TokenRow, type Tokens } from '../../ledger/decisions/tokens.ts'

export type TokenState = 'valid' | 'ending' | 'expired' | 'revoked' | 'unsigned'

/** `ending`: it was replaced, and counts until `ends_at`. `unsigned`: the ledger is locked, and the operator has not signed it. */
export function tokenState(tokens: Tokens, row: TokenRow, now: number = Date.now()): TokenState {
  if (row.revoked_at !== null) return endOf(row, undefined) > now ? 'ending' : 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return tokens.isSigned(row) ? 'valid' : 'unsigned'
}

export const tokenView = (tokens: Tokens, row: TokenRow) => ({
  ...{ id: row.id, name: row.name, principal: `token:${row.name}`, state: tokenState(tokens, row) },
  ...{ profile: row.profile, scopes: readScopes(row.scopes), created_by: row.created_by, created_at: row.created_at },
  ...{ last_used_at: row.last_used_at, expires_at: row.expires_at, ends_at: row.ends_at, revoked_by: row.revoked_by },
  ...{ revoked_at: row.revoked_at, signed_by: row.signed_by },
})

export type TokenView = ReturnType<typeof tokenView>
