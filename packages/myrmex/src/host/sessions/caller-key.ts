/**
 * Which requests belong to one caller session:
 *
 * - those of one connection: a legacy session, or the pipes of a program
 * - modern HTTP has no connection: those of one principal and profile with the same `_meta["myrmex/session"]`
 * - without that, those of one principal and profile
 *
 * A connection is identified by its object and a principal by its proven id. Nothing else that a client declares counts.
 */
import type { RequestScope } from '../../pipeline/request-scope.ts'
import { META } from '../../protocol/versions.ts'
import { Session } from '../../server/session.ts'
import { newSessionId, sessionHandle } from '../../server/session-handle.ts'

export interface CallerKey {
  readonly id: object | string
  /** for the operator; nothing follows from it */
  readonly shownId: string
  /** the session ends with this connection; undefined: after a while without requests */
  readonly connection: Session | undefined
  /** false: several clients of one principal may share it */
  readonly isOneClient: boolean
}

/** Where only the account is of one caller: all requests of one principal. */
export const accountKey = ({ principal }: Pick<RequestScope, 'principal'>): CallerKey => ({
  id: JSON.stringify([principal.id]),
  shownId: newSessionId(),
  connection: undefined,
  isOneClient: false,
})

/** Throws ToolError for a handle that others could guess. */
export function callerKey(scope: RequestScope): CallerKey {
  const { caller, meta, principal } = scope
  const { connection } = caller
  if (connection instanceof Session && connection.isLasting)
    return { id: connection, shownId: connection.recordId, connection, isOneClient: true }
  const isHttp = connection instanceof Session
  const handle = isHttp && META.protocolVersion in meta ? sessionHandle(meta) : undefined
  return {
    id: JSON.stringify([principal.id, principal.profile ?? null, handle ?? null]),
    shownId: (handle && caller.sessionId) ?? newSessionId(),
    connection: undefined,
    isOneClient: handle !== undefined,
  }
}
