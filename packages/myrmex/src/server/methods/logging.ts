/** `logging/setLevel`: the legacy era sets the level for a session; a modern request carries its level. */
import { isLogLevel, LOG_LEVELS } from '../../protocol/content.ts'
import { invalidParams } from '../../protocol/errors.ts'
import type { Method } from './method-table.ts'

export const setLevel: Method = ({ session, params }) => {
  const level = params?.level
  if (!isLogLevel(level)) throw invalidParams(`level must be one of ${LOG_LEVELS.join(', ')}`)
  session.logLevel = level
  return {}
}
