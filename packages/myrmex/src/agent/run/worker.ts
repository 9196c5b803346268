/**
 * Executes every run that no process executes, and those whose open approvals were decided, until it is closed. On PostgreSQL
 * several workers share a queue (queue-worker.ts). On a file one worker polls.
 */
import { DEFAULT_LEDGER, isPostgres } from '../../ledger/open.ts'
import { reportError } from '../../serve/signals.ts'
import type { ExecuteOptions } from './execute-run.ts'
import type { Runs } from './runs.ts'

export interface Worker {
  /** Hands a run to the workers. Undefined if runs are executed in this process only. */
  readonly enqueue: ((run: string) => Promise<void>) | undefined
  /** Lets started steps end and leaves the rest to other workers. */
  close(): Promise<void>
}

export interface WorkerOptions extends Pick<ExecuteOptions, 'onEvent'> {
  /** runs executed at the same time; 4 by default */
  readonly concurrency?: number
}

const POLL_MS = 1000

export async function runWorker(runs: Runs, address = DEFAULT_LEDGER, options: WorkerOptions = {}): Promise<Worker> {
  if (!isPostgres(address)) return runLocalWorker(runs, options)
  const { startQueueWorker } = await import('./queue-worker.ts')
  return startQueueWorker(runs, address, { ...options, onFailure: reportError })
}

function runLocalWorker(runs: Runs, { concurrency = 4, ...options }: WorkerOptions): Worker {
  let isClosed = false
  const executePending = async (): Promise<void> => {
    for (const id of await runs.pending()) {
      if (isClosed || runs.active.length >= concurrency) return
      if (!runs.active.includes(id)) runs.execute(id, options).catch(reportError)
    }
  }
  const stop = repeat(executePending, reportError, () => runs.close())
  return {
    enqueue: undefined,
    close: async () => {
      isClosed = true
      await stop()
    },
  }
}

/** Runs `work` now and every second, never twice at once. Returns what ends it: it waits for the last one, then calls `end`. */
export function repeat(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
  end: () => Promise<void>,
): () => Promise<void> {
  let isEnding = false
  const guarded = async (): Promise<void> => {
    try {
      if (!isEnding) await work()
    } catch (error) {
      if (!isEnding) onFailure(error)
    }
  }
  let last = guarded()
  const timer = setInterval(() => {
    last = last.then(guarded)
  }, POLL_MS)
  return async () => {
    isEnding = true
    clearInterval(timer)
    await last
    await end()
  }
}
