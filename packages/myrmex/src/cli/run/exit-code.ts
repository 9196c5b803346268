/** Exit codes of whoever led, stopped or planned a run. */
import type { RunStatus } from '../../ledger/runs.ts'

/** It waits for people, was let go, or has not stopped yet. */
export const NOT_OVER = 3

const CODES: Readonly<Record<RunStatus, number>> = {
  succeeded: 0,
  failed: 1,
  cancelled: 1,
  refused: 1,
  waiting: NOT_OVER,
  running: NOT_OVER,
}

export const exitCodeOf = (status: RunStatus): number => CODES[status]
