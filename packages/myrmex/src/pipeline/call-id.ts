/** Call ids: unique over processes, sortable within one, and cheap enough for every call. */
import { crypto } from '../protocol/builtin.ts'

/** 48 bits of chance: two processes that share a ledger do not meet. */
const boot = crypto.randomBytes(6).toString('base64url')
let count = 0

export const nextCallId = (): string => `${boot}-${++count}`
