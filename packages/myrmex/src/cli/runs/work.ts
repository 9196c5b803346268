/** `myrmex runs work`: leads whatever runs nobody leads, until it is told to end. Tells what happens in plain lines. */
import type { Happening } from '../../agent/run/events.ts'
import type { LeadOptions } from '../../agent/run/lead.ts'
import type { Office } from '../../agent/run/office.ts'
import { Runs } from '../../agent/run/runs.ts'
import { DEFAULT_LEDGER, isPostgres } from '../../ledger/open.ts'
import type { RunRow } from '../../ledger/runs.ts'
import { endWithReader } from '../audit/output.ts'
import { type OfficeOptions, withRuns } from '../run/office.ts'
import { claimOutput, lineScreen } from '../run/screen.ts'
import { say } from '../terminal.ts'

const LOOK_EVERY_MS = 1000

export async function work(options: OfficeOptions & { concurrency: number }): Promise<void> {
  endWithReader()
  const output = claimOutput()
  const tell = (run: string, happening: Happening): void => lineScreen(output, run, true).heard(happening)
  const { concurrency, ledger: address = DEFAULT_LEDGER } = options
  await withRuns(options, { note: say }, async ({ office }) => {
    const told = new ToldRuns(office, tell)
    const ended = signal()
    const close = isPostgres(address) ? await shared(told, address, concurrency) : alone(told, concurrency)
    say(`leading runs that nobody leads, ${concurrency} at a time; SIGTERM ends it in order`)
    await ended
    say('ending: what is at work may end, and the rest is left for others')
    await close()
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

/** The queue in PostgreSQL hands runs to several workers. */
async function shared(runs: Runs, address: string, concurrency: number): Promise<() => Promise<void>> {
  const { startWorker } = await import('../../agent/run/worker.ts')
  const worker = await startWorker(runs, address, { concurrency, onFailure: failed })
  return () => worker.close()
}

/** A file has few users: whoever looks every second is soon enough. */
function alone(runs: Runs, concurrency: number): () => Promise<void> {
  let isEnding = false
  const look = async (): Promise<void> => {
    for (const id of await runs.toLead()) {
      if (isEnding || runs.leading.length >= concurrency) return
      if (!runs.leading.includes(id)) runs.lead(id).catch(failed)
    }
  }
  let looking = look().catch(failed)
  const timer = setInterval(() => {
    looking = looking.then(look).catch(failed)
  }, LOOK_EVERY_MS)
  return async () => {
    isEnding = true
    clearInterval(timer)
    await looking
    await runs.close()
  }
}

const failed = (error: unknown): void => say(error instanceof Error ? error.message : String(error))

/** The second one does not wait. */
const signal = (): Promise<void> =>
  new Promise((resolve) => {
    let asked = false
    const end = (): void => {
      if (asked) process.exit(130)
      asked = true
      resolve()
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
  })
