/**
 * Who may use the operator's API. In open mode that is who has the operator's token. In a locked ledger the token on disk reads the
 * status of the host and nothing else; deciding, controlling and reading records needs a session.
 */
import type { IncomingMessage } from 'node:http'
import type { OperatorSigner } from '../../ledger/operator/operator-key.ts'
import { bearerToken } from '../../transport/http/guard.ts'
import { ApiError } from './api-error.ts'
import type { OperatorSessions } from './operator-session.ts'
import { operatorTokenCheck } from './operator-token.ts'

/** What the token in api.json can read in a locked ledger: state and counts of the host and its servers, its profiles, switches and channels, and the API's own document. */
const STATUS = /^\/api\/(?:host|switches|channels|profiles(?:\/[^/]+)?|servers(?:\/[^/]+)?|openapi\.json)\/?$/
/** What it can do there: switch protection on. */
const PROTECTING = /^\/api\/switches\/(?:stop-everything|read-only-on)\/?$/

export interface ApiAccess {
  /** signs decisions of this request; undefined in open mode */
  readonly signer?: OperatorSigner | undefined
  /** Whether the session of this request is still open, for responses that stay open; undefined in open mode. */
  readonly isOpen?: () => boolean
}

/** `onWrong` is called for the first wrong token of a minute, and when the limit is reached. */
export function apiAccess(token: string, sessions: OperatorSessions, onWrong: (count: number) => void) {
  const check = operatorTokenCheck(token, onWrong)
  const requireToken = (request: IncomingMessage): void => {
    const verdict = check(request)
    if (verdict === 'too many')
      throw new ApiError(429, 'AuthenticationError', 'Too many wrong tokens. Wait a minute.', {
        headers: { 'retry-after': '60' },
      })
    if (verdict === 'nobody')
      throw new ApiError(401, 'AuthenticationError', sessions.isLocked ? NO_SESSION : NO_TOKEN, {
        headers: { 'www-authenticate': 'Bearer realm="myrmex operator"' },
      })
  }
  /** Throws ApiError. */
  return (request: IncomingMessage): ApiAccess => {
    if (!sessions.isLocked) {
      requireToken(request)
      return {}
    }
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    // The passphrase in the body is the credential. It is encrypted with the token, so the token itself is not sent.
    if (request.method === 'POST' && /^\/api\/session(?:\/challenge)?\/?$/.test(path)) return {}
    const session = bearerToken(request.headers.authorization ?? '') ?? ''
    const signer = sessions.signerOf(session)
    if (signer !== undefined) return { signer, isOpen: sessions.watch(session) }
    requireToken(request)
    if (request.method === 'POST' && PROTECTING.test(path)) return {}
    if (request.method !== 'GET' || !STATUS.test(path)) throw new ApiError(403, 'PermissionError', STATUS_ONLY)
    return {}
  }
}

const NO_TOKEN =
  "The operator's token is required: Authorization: Bearer TOKEN. It is in .myrmex/host/api.json while the host runs. " +
  'The token for calling tools is not accepted.'

const NO_SESSION =
  "A session of the operator is required: Authorization: Bearer TOKEN. There is none with this token, or it has ended. Open one with the operator's passphrase: openSession of myrmex/api. " +
  'The token for calling tools is not accepted.'

const STATUS_ONLY =
  "This ledger is locked: the token in api.json only reads the status of the host, and switches protection on. Open a session with the operator's passphrase: " +
  'openSession of myrmex/api'
