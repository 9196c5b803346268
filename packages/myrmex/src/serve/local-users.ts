/** Which users of this machine may call on loopback without a token: MYRMEX_LOCAL_USERS, set by the operator, never by a file of a folder. */
import { ToolError } from '../protocol/errors.ts'
import type { HttpOptions } from '../transport/http/listen.ts'

export function localUsersOption(env: NodeJS.ProcessEnv = process.env): Pick<HttpOptions, 'localUsers'> {
  const { MYRMEX_LOCAL_USERS: value } = env
  if (value === undefined || value === '') return {}
  if (value !== 'own' && value !== 'all')
    throw ToolError.of('ValidationError', `MYRMEX_LOCAL_USERS is ${JSON.stringify(value)}. It must be own or all.`)
  return { localUsers: value }
}
