/** Leads whatever runs nobody leads, and those whose people have decided, for as long as it is not closed. */
import type { ExecuteOptions } from '../../agent/run/execute-run.ts'
import type { Runs } from '../../agent/run/runs.ts'
import { DEFAULT_LEDGER, isPostgres } from '../../ledger/open.ts'
import { reportError } from '../../serve/signals.ts'

export interface Tending {
  /** So that somebody leads it soon; undefined where that is done in this process. */
  readonly enqueue: ((run: string) => Promise<void>) | undefined
  /** What is at work may end; the rest is left for others. */
  close(): Promise<void>
}

const LOOK_EVERY_MS = 1000

export interface TendOptions extends Pick<ExecuteOptions, 'onHappening'> {
  /** runs led at the same time */
  readonly concurrency?: number
}

export async function tend(runs: Runs, address = DEFAULT_LEDGER, options: TendOptions = {}): Promise<Tending> {
  if (!isPostgres(address)) return alone(runs, options)
  // The queue in PostgreSQL hands runs to several workers.
  const { startWorker } = await import('../../agent/run/worker.ts')
  return startWorker(runs, address, { ...options, onFailure: reportError })
}

/** A file has few users: whoever looks every second is soon enough. */
function alone(runs: Runs, { concurrency = 4, ...heard }: TendOptions): Tending {
  let isEnding = false
  const look = async (): Promise<void> => {
    for (const id of await runs.pending()) {
      if (isEnding || runs.active.length >= concurrency) return
      if (!runs.active.includes(id)) runs.execute(id, heard).catch(reportError)
    }
  }
  let looking = look().catch(reportError)
  const timer = setInterval(() => {
    looking = looking.then(look).catch(reportError)
  }, LOOK_EVERY_MS)
  return {
    enqueue: undefined,
    close: async () => {
      isEnding = true
      clearInterval(timer)
      await looking
      await runs.close()
    },
  }
}
