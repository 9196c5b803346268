/** What gates report about a call to other gates and to the audit. */
import type { EditedCall } from './gates/approve/edited-call.ts'

export interface GateNotes {
  /** the approval, standing grant or plan that let it through */
  readonly approval: string | null
  /** a person changed its arguments before approving it */
  readonly edited: EditedCall | null
  /** the call whose recorded result this one returns, because it has the same idempotency key */
  readonly repeatOf: string | null
  /** the call with the same idempotency key whose process died; this one runs in its place */
  readonly takenOverCall: string | undefined
  /** `approve` let it through only to return a recorded result: `run` must not run it */
  readonly repeatOnly: boolean
  /** it ends only because a person must decide first: no failure */
  readonly isWaiting: boolean
  /** what was thrown, if the caller gets only a reference to it */
  readonly cause: string | null
  /** a gate before `validate` refused it: its arguments were not read, and the record does not read them either if they are large */
  readonly isUnread: boolean
}

/** Most calls have nothing to note and share this object. */
export const NO_NOTES: GateNotes = Object.freeze({
  approval: null,
  edited: null,
  repeatOf: null,
  takenOverCall: undefined,
  repeatOnly: false,
  isWaiting: false,
  cause: null,
  isUnread: false,
})
