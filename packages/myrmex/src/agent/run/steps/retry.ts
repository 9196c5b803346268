/** Whether and when a failed step is tried again. A tool that is neither idempotent nor keyed is called once. */
import type { ErrorDetail } from '../../../protocol/envelope.ts'
import { errorTypesWhere } from '../../../protocol/errors.ts'
import { isObject } from '../../../protocol/json.ts'
import type { PlannedTool } from '../journal/events.ts'
import type { StepCallEnd } from './call-step.ts'

/** Failures that may be temporary. An error that a tool declares is its answer, and is not retried. */
const RETRYABLE = errorTypesWhere('retryable')
/** After any other failure the tool has changed nothing. */
export const MAY_HAVE_EFFECT = errorTypesWhere('mayHaveEffect')

const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 10_000

/** Milliseconds until the next attempt. Undefined: the step is not tried again. */
export function retryAfter(end: StepCallEnd, tool: PlannedTool, attempt: number, attempts: number): number | undefined {
  const { error } = end.result
  if (error === null || attempt >= attempts || !RETRYABLE.has(error.error_type)) return undefined
  // Its effect is unknown, or the tool is not the planned one: another attempt changes neither.
  if (detail(error, 'outcome') !== undefined) return undefined
  if (end.started && !tool.repeatable) return undefined
  const wanted = detail(error, 'retry_after_ms')
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1)
  return Math.min(MAX_WAIT_MS, typeof wanted === 'number' && wanted > own ? wanted : own)
}

/** The approval that a step waits for, if that is why it was refused. */
export function approvalOf(error: ErrorDetail | null): string | undefined {
  if (error?.error_type !== 'PermissionError' || detail(error, 'status') !== 'waiting') return undefined
  const approval = detail(error, 'approval')
  return typeof approval === 'string' ? approval : undefined
}

const detail = ({ error_details }: ErrorDetail, name: string): unknown =>
  isObject(error_details) ? error_details[name] : undefined
