/** Call ids: unique over processes, sortable within one, and cheap enough for every call. */
import { crypto } from '../protocol/builtin.ts'

const boot = `${Date.now().toString(36)}${crypto.randomBytes(5).toString('hex')}`
let count = 0

export const nextCallId = (): string => `${boot}-${++count}`
