/** Exit codes of commands that execute, cancel or plan a run. */
import type { RunStatus } from '../../ledger/runs.ts'

/** It waits for people, was released, or has not stopped yet. */
export const EXIT_UNFINISHED = 3

const CODES: Readonly<Record<RunStatus, number>> = {
  succeeded: 0,
  failed: 1,
  cancelled: 1,
  refused: 1,
  waiting: EXIT_UNFINISHED,
  running: EXIT_UNFINISHED,
}

export const exitCodeOf = (status: RunStatus): number => CODES[status]
