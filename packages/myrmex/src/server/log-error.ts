/** Writes internal errors to the log: the default of `observe`. */
import type { ObservedError } from '../pipeline/pipeline.ts'
import { log } from './log.ts'

export function logError({ call_id, tool, thrown }: ObservedError): void {
  if (tool === '') log.error({ call_id, thrown }, 'internal error')
  else log.error({ call_id, tool, thrown }, 'a tool failed with an undeclared error')
}
