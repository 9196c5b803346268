/** Watches an active run for what other processes write: cancellation, loss of the lease, decisions. Also enforces its time budget. */
import { ToolError } from '../../protocol/errors.ts'
import type { ActiveRun } from './active-run.ts'
import { mayAskForBudget, openBudgetRequest } from './budget-request.ts'
import { LeaseLost } from './journal/journal.ts'
import { openApprovals } from './journal/state.ts'

/** Cancelling must work within a second, from any process. */
const LOOK_EVERY_MS = 200

export function watchRun(run: ActiveRun): () => void {
  const { runs, approvals } = run.ledger
  let looking = false
  const look = async (): Promise<void> => {
    if (looking || run.halt !== undefined) return
    looking = true
    try {
      await lookOnce(run)
      // A decision may have been made in another process.
      if (openApprovals(run.state).length > 0) run.wake()
    } catch {
      // The ledger cannot be read. The next write fails with the same error, and nothing is done before a write.
    } finally {
      looking = false
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const forgetStop = runs.onStop((id) => {
    if (id === run.id) void look()
  })
  const forgetDecision = approvals.onDecision(() => run.wake())
  return () => {
    clearInterval(timer)
    forgetStop()
    forgetDecision()
  }
}

async function lookOnce(run: ActiveRun): Promise<void> {
  const row = await run.ledger.runs.find(run.id)
  if (row === undefined || row.term !== run.journal.leaseTerm || row.leader !== run.ledger.processes.id) {
    run.stop('lease_lost', new LeaseLost(run.id))
  } else if (row.stopped_by !== null) {
    run.stop('cancelled', ToolError.of('CancelledError', `${row.stopped_by} stopped the run: ${row.stop_reason}`))
  } else if (isOutOfTime(run)) {
    // Once steps run, the run pauses and asks.
    if (run.state.phase === 'execute' && mayAskForBudget(run)) {
      run.isOutOfTime = true
      return run.wake()
    }
    const message = `The time budget of ${run.budget.limitOf('time_ms')} ms is spent.`
    run.stop('time', ToolError.of('TimeoutError', message))
  }
}

/** Waiting for people and undoing do not count. */
function isOutOfTime({ budget, row, state, isPastDeadline }: ActiveRun): boolean {
  const time_ms = budget.limitOf('time_ms')
  if (
    openBudgetRequest(state) !== undefined ||
    isPastDeadline ||
    time_ms === undefined ||
    state.waitingSince !== undefined ||
    state.undoing !== undefined
  )
    return false
  return Date.now() - row.created_at - state.waited_ms > time_ms
}
