/** Exit codes of commands that execute, cancel or plan a run. */
import type { RunStatus } from '../../ledger/runs.ts'

/** It waits for people, was released, or has not stopped yet. */
export const EXIT_UNFINISHED = 3

export function exitCodeOf(status: RunStatus): number {
  if (status === 'waiting' || status === 'running') return EXIT_UNFINISHED
  return status === 'succeeded' ? 0 : 1
}
