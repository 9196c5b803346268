/** `myrmex runs work`: leads whatever runs nobody leads, until it is told to end. Tells what happens in plain lines. */
import type { Happening } from '../../agent/run/events.ts'
import type { LeadOptions } from '../../agent/run/lead.ts'
import type { Office } from '../../agent/run/office.ts'
import { Runs } from '../../agent/run/runs.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { endWithReader } from '../audit/output.ts'
import { type OfficeOptions, withRuns } from '../run/office.ts'
import { claimOutput, lineScreen } from '../run/screen.ts'
import { say } from '../terminal.ts'
import { signalled, tend } from './tend.ts'

export async function work(options: OfficeOptions & { concurrency: number }): Promise<void> {
  endWithReader()
  const output = claimOutput()
  const tell = (run: string, happening: Happening): void => lineScreen(output, run, true).heard(happening)
  const { concurrency, ledger } = options
  await withRuns(options, { note: say }, async ({ office }) => {
    const ended = signalled()
    const tending = await tend(new ToldRuns(office, tell), ledger, concurrency)
    say(`leading runs that nobody leads, ${concurrency} at a time; SIGTERM ends it in order`)
    await ended
    say('ending: what is at work may end, and the rest is left for others')
    await tending.close()
  })
}

/** Tells of every run that is led, and whose happening it is. */
class ToldRuns extends Runs {
  readonly #tell: (run: string, happening: Happening) => void

  constructor(office: Office, tell: (run: string, happening: Happening) => void) {
    super(office)
    this.#tell = tell
  }

  override lead(id: string, options: LeadOptions = {}): Promise<RunRow | undefined> {
    return super.lead(id, { ...options, onHappening: (happening) => this.#tell(id, happening) })
  }
}
