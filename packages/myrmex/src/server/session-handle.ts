/**
 * The handle by which a client without a connection names its session: `_meta["myrmex/session"]` of a modern request over HTTP. The client
 * makes it up. It counts together with the principal, so it reaches nothing of other principals, and it must be long enough that clients of
 * the same principal cannot guess it. It is never recorded: records have a keyed hash of it.
 */
import { crypto } from '../protocol/builtin.ts'
import { ToolError } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'

const HANDLE = /^[A-Za-z0-9_-]{22,128}$/
/** Random per process: the hash of a handle must not help to find the handle. */
const KEY = crypto.randomBytes(32)
const ID_LENGTH = 12

/** Undefined if the request has none. Throws ToolError if it could be guessed, or is not a handle. */
export function sessionHandle(meta: Params | undefined): string | undefined {
  const handle = meta?.[META.session]
  if (handle === undefined) return undefined
  if (typeof handle === 'string' && HANDLE.test(handle)) return handle
  throw ToolError.of(
    'ValidationError',
    `_meta["${META.session}"] must be 22 to 128 random letters, digits, - and _, for example a UUID.`,
  )
}

/** The id of the session in records. Undefined if the handle is missing or malformed. */
export function handleId(meta: Params | undefined, principal: string): string | undefined {
  const handle = meta?.[META.session]
  if (typeof handle !== 'string' || !HANDLE.test(handle)) return undefined
  return crypto.createHmac('sha256', KEY).update(`${principal}\n${handle}`).digest('base64url').slice(0, ID_LENGTH)
}

/** The id of a session that has a connection of its own. Nothing follows from it. */
export const newSessionId = (): string => crypto.randomBytes(9).toString('base64url').slice(0, ID_LENGTH)
