/** Looks after a run while it is led: the kill switch, its time, who leads, and decisions that other processes wrote down. */
import { ToolError } from '../../protocol/errors.ts'
import type { ActiveRun } from './active-run.ts'
import { hasOpenApprovals } from './approvals.ts'
import { LeaseLost } from './journal/journal.ts'

/** The switch must work within a second, from any process. */
const LOOK_EVERY_MS = 200

export function watchRun(led: ActiveRun): () => void {
  const { runs, approvals } = led.ledger
  let looking = false
  const look = async (): Promise<void> => {
    if (looking || led.halt !== undefined) return
    looking = true
    try {
      await lookOnce(led)
      // Somebody may have decided in another process.
      if (hasOpenApprovals(led.state)) led.wake()
    } catch {
      // The ledger cannot be read: the next thing that must be written says so, and nothing is acted on before it is.
    } finally {
      looking = false
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const forgetStop = runs.onStop((run) => {
    if (run === led.id) void look()
  })
  const forgetDecision = approvals.onDecision(() => led.wake())
  return () => {
    clearInterval(timer)
    forgetStop()
    forgetDecision()
  }
}

async function lookOnce(led: ActiveRun): Promise<void> {
  const row = await led.ledger.runs.find(led.id)
  if (row === undefined || row.term !== led.journal.leaseTerm || row.leader !== led.ledger.processes.id) {
    led.stop('deposed', new LeaseLost(led.id))
  } else if (row.stopped_by !== null) {
    led.stop('cancelled', ToolError.of('CancelledError', `${row.stopped_by} stopped the run: ${row.stop_reason}`))
  } else if (isOutOfTime(led)) {
    const message = `The run may take ${led.settings.budget.time_ms} ms, and they are over.`
    led.stop('time', ToolError.of('TimeoutError', message))
  }
}

/** Waiting for people does not count, and what is taken back has as long as it needs. */
function isOutOfTime({ settings, row, state, isPastDeadline }: ActiveRun): boolean {
  const { time_ms } = settings.budget
  if (isPastDeadline || time_ms === undefined || state.waitingSince !== undefined || state.undoing !== undefined)
    return false
  return Date.now() - row.created_at - state.waited_ms > time_ms
}
