/** `myrmex runs work`: executes runs that no process executes, until a signal. Events are printed as plain lines. */
import { type RunEnvironmentOptions, withRuns } from '../../agent/run/environment.ts'
import type { LiveEvent } from '../../agent/run/journal/events.ts'
import { runWorker } from '../../agent/run/worker.ts'
import { untilSignal } from '../../serve/signals.ts'
import { say } from '../../serve/terminal.ts'
import { claimOutput, lineScreen } from '../run/screen.ts'

export async function workOnRuns(options: RunEnvironmentOptions & { concurrency: number }): Promise<void> {
  const output = claimOutput()
  const onEvent = (event: LiveEvent, run: string): void => lineScreen(output, run, true).onEvent(event)
  const { concurrency, ledger } = options
  await withRuns(options, { note: say }, async (runs) => {
    const ended = untilSignal()
    const worker = await runWorker(runs, ledger, { concurrency, onEvent })
    say(`executing pending runs, ${concurrency} at a time; stop with SIGTERM`)
    await ended
    say('stopping after the calls in flight; other workers continue the runs')
    await worker.close()
  })
}
