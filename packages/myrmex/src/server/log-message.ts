/** Writes what code says with `ctx.log` to the log: the default of the server option `log`. */
import type { LoggedMessage } from '../pipeline/pipeline.ts'
import type { LogLevel } from '../protocol/content.ts'
import { type Level, log } from './log.ts'

/** The log has four of the eight levels of the protocol. */
const LEVELS: Readonly<Record<LogLevel, Level>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
}

export function logMessage({ call_id, tool, level, logger, data }: LoggedMessage): void {
  // Code without types may pass any level.
  const written = Object.hasOwn(LEVELS, level) ? LEVELS[level] : 'info'
  const fields = {
    call_id,
    tool,
    ...(logger !== tool && { logger }),
    ...(String(level) !== written && { severity: level }),
  }
  if (typeof data === 'string') log[written](fields, data)
  else log[written]({ ...fields, data }, 'ctx.log')
}
