/** What the ledger knows of an approval. */
import type { RowSignature } from '../operator/signed-row.ts'
import type { Definition } from './grants.ts'

export type ApprovalStatus = 'waiting' | 'approved' | 'denied' | 'used' | 'expired'

/** What makes two calls the same call. */
export interface ExactCall extends Definition {
  readonly args_hash: string
  readonly principal: string
}

export interface Approval extends ExactCall, RowSignature {
  readonly id: string
  /** canonical JSON without secrets, for the human to read */
  readonly args: string
  /** why approval is needed */
  readonly reason: string
  readonly status: ApprovalStatus
  readonly requested_at: number
  readonly expires_at: number
  readonly decided_by: string | null
  readonly decided_at: number | null
  /** a comment of the person who decided */
  readonly note: string | null
  /** the call that used it, or the key of the step of a run */
  readonly used_by: string | null
  /** JSON of the RecordedClient that asked first: what it says that it is; null: not known */
  readonly client: string | null
  readonly used_at: number | null
  /** 1: a person may change the arguments */
  readonly editable: number | null
  /** the arguments as a person changed them: canonical JSON without secrets; null: they are as they were sent */
  readonly edited_args: string | null
  /** null if it is not known before the call comes */
  readonly edited_hash: string | null
  /** what the server of the tool says, for people; only in what is read for them */
  readonly server_version?: string | null
}
