/**
 * Who signed the host in to a server behind it, and out again. Every row is a decision of the journal. It has no token and grants
 * nothing: the tokens are in upstream-tokens.ts and are written in the same transaction.
 */
import { crypto } from '../../protocol/builtin.ts'
import type { Statement } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { DecisionStore } from './decision-store.ts'

export interface SignIn {
  readonly id: string
  readonly server: string
  /** the caller whose account it is; '' for the account that all callers share */
  readonly principal: string
  readonly issuer: string
  readonly scopes: string
  readonly signed_in_by: string
  readonly signed_in_at: number
  readonly signed_out_by: string | null
  readonly signed_out_at: number | null
}

const COLUMNS = 'id, server, principal, issuer, scopes, signed_in_by, signed_in_at, signed_out_by, signed_out_at'

export class SignIns extends DecisionStore {
  protected readonly table = 'sign_ins'

  /** Replaces the sign-in before. `tokens` writes them. */
  async signIn(
    { server, principal, issuer, scopes }: Pick<SignIn, 'server' | 'principal' | 'issuer' | 'scopes'>,
    by: Decider,
    tokens: Statement,
  ): Promise<void> {
    this.lock.requireSigner(by)
    const id = `s-${crypto.randomBytes(6).toString('hex')}`
    await this.#end(server, principal, by)
    await this.decideAll('sign_in', by, [
      tokens,
      {
        sql: `INSERT INTO sign_ins (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ${this.db.now}, NULL, NULL) RETURNING ${COLUMNS}`,
        params: [id, server, principal, issuer, scopes, deciderName(by)],
      },
    ])
  }

  /** Signing out lowers rights, so it needs no signature. */
  async signOut(server: string, principal: string, by: Decider, tokens: Statement): Promise<void> {
    await this.#end(server, principal, by, tokens)
  }

  /** The sign-ins that have not been ended, oldest first. */
  async list(server: string): Promise<SignIn[]> {
    return await this.db.query<SignIn>(
      `SELECT ${COLUMNS} FROM sign_ins WHERE server = ? AND signed_out_at IS NULL ORDER BY signed_in_at`,
      [server],
    )
  }

  async #end(server: string, principal: string, by: Decider, ...more: readonly Statement[]): Promise<void> {
    await this.decideAll('sign_out', by, [
      ...more,
      {
        sql: `UPDATE sign_ins SET signed_out_by = ?, signed_out_at = ${this.after('signed_in_at')}
          WHERE server = ? AND principal = ? AND signed_out_at IS NULL RETURNING ${COLUMNS}`,
        params: [deciderName(by), server, principal],
      },
    ])
  }
}
