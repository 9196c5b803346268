/** Whether a step that failed may be tried again, and when. What is neither idempotent nor keyed is tried once. */
import type { ErrorDetail } from '../../../protocol/envelope.ts'
import { errorTypesWhere } from '../../../protocol/errors.ts'
import { isObject } from '../../../protocol/json.ts'
import type { PlannedTool } from '../journal/events.ts'
import type { StepCallEnd } from './call-step.ts'

/** Failures that may pass by themselves. Whatever a tool declares as its own error is an answer, not an accident. */
const RETRYABLE = errorTypesWhere('retryable')

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 10_000

/** Milliseconds until the next attempt; undefined: this was the last. */
export function retryAfter(end: StepCallEnd, tool: PlannedTool, attempt: number, attempts: number): number | undefined {
  const { error } = end.result
  if (error === null || attempt >= attempts || !RETRYABLE.has(error.error_type)) return undefined
  // Nobody knows whether it took effect, or it is not the tool that was planned: another try changes neither.
  if (detail(error, 'outcome') !== undefined) return undefined
  if (end.started && !tool.repeatable) return undefined
  const told = detail(error, 'retry_after_ms')
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1)
  return Math.min(LONGEST_WAIT_MS, typeof told === 'number' && told > own ? told : own)
}

/** The approval a step waits for, where that is why it was refused. */
export function approvalOf(error: ErrorDetail | null): string | undefined {
  if (error?.error_type !== 'PermissionError' || detail(error, 'status') !== 'waiting') return undefined
  const approval = detail(error, 'approval')
  return typeof approval === 'string' ? approval : undefined
}

const detail = ({ error_details }: ErrorDetail, name: string): unknown =>
  isObject(error_details) ? error_details[name] : undefined
