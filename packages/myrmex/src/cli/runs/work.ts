/** `myrmex runs work`: leads whatever runs nobody leads, until it is told to end. Tells what happens in plain lines. */
import type { Happening } from '../../agent/run/events.ts'
import { endWithReader } from '../audit/output.ts'
import { type OfficeOptions, withRuns } from '../run/office.ts'
import { claimOutput, lineScreen } from '../run/screen.ts'
import { say } from '../terminal.ts'
import { signalled, tend } from './tend.ts'

export async function work(options: OfficeOptions & { concurrency: number }): Promise<void> {
  endWithReader()
  const output = claimOutput()
  const onHappening = (happening: Happening, run: string): void => lineScreen(output, run, true).heard(happening)
  const { concurrency, ledger } = options
  await withRuns(options, { note: say }, async (runs) => {
    const ended = signalled()
    const tending = await tend(runs, ledger, { concurrency, onHappening })
    say(`leading runs that nobody leads, ${concurrency} at a time; SIGTERM ends it in order`)
    await ended
    say('ending: what is at work may end, and the rest is left for others')
    await tending.close()
  })
}
