/** `myrmex runs resume ID`: goes on with a run, here, with live progress. */
import { isOver } from '../../agent/run/runs.ts'
import { endWithReader } from '../audit/output.ts'
import { chooseScreen } from '../run/choose-screen.ts'
import { follow } from '../run/follow.ts'
import { knownOf } from '../run/known.ts'
import { type OfficeOptions, withRuns } from '../run/office.ts'
import { say } from '../terminal.ts'
import { findRun } from './find.ts'

export async function resumeRun(
  given: string,
  options: OfficeOptions & { with?: string[]; json?: boolean },
): Promise<void> {
  endWithReader()
  const known = knownOf(options.with)
  const shown = chooseScreen(options)
  await withRuns(options, { note: say, quiet: shown.isLive }, async (runs) => {
    const { id, status } = await findRun(runs.office.ledger, given)
    if (isOver(status)) say(`run ${id} is over; this is what came of it`)
    else if (Object.keys(known).length > 0) await runs.answer(id, known)
    await follow(runs, id, shown, await shown.open(id))
  })
}
