/** `myrmex runs resume ID`: continues a run in this process, with live progress. */
import { type RunEnvironmentOptions, withRuns } from '../../agent/run/environment.ts'
import { isOver } from '../../agent/run/runs.ts'
import { say } from '../../serve/terminal.ts'
import { followRun } from '../run/follow-run.ts'
import { parseKnownValues } from '../run/known-values.ts'
import { chooseScreen } from '../run/screen.ts'
import { findRun } from './find-run.ts'

export async function resumeRun(
  given: string,
  options: RunEnvironmentOptions & { with?: string[]; json?: boolean },
): Promise<void> {
  const known = parseKnownValues(options.with)
  const shown = chooseScreen(options)
  await withRuns(options, { note: say, quiet: shown.isLive }, async (runs) => {
    const { id, status } = await findRun(runs.environment.ledger, given)
    if (isOver(status)) say(`run ${id} has ended; this is its result`)
    else if (Object.keys(known).length > 0) await runs.answer(id, known)
    await followRun(runs, id, shown, await shown.open(id))
  })
}
