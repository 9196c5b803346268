/** `myrmex runs work`: leads whatever runs nobody leads, until it is told to end. Tells what happens in plain lines. */

import { type RunEnvironmentOptions, withRuns } from '../../agent/run/environment.ts'
import type { LiveEvent } from '../../agent/run/journal/events.ts'
import { runWorker } from '../../agent/run/worker.ts'
import { untilSignal } from '../../serve/signals.ts'
import { say } from '../../serve/terminal.ts'
import { exitOnClosedPipe } from '../audit/output.ts'
import { claimOutput, lineScreen } from '../run/screen.ts'

export async function workOnRuns(options: RunEnvironmentOptions & { concurrency: number }): Promise<void> {
  exitOnClosedPipe()
  const output = claimOutput()
  const onEvent = (happening: LiveEvent, run: string): void => lineScreen(output, run, true).onEvent(happening)
  const { concurrency, ledger } = options
  await withRuns(options, { note: say }, async (runs) => {
    const ended = untilSignal()
    const tending = await runWorker(runs, ledger, { concurrency, onEvent })
    say(`leading runs that nobody leads, ${concurrency} at a time; SIGTERM ends it in order`)
    await ended
    say('ending: what is at work may end, and the rest is left for others')
    await tending.close()
  })
}
