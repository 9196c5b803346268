/**
 * A worker: one of several processes that lead runs on one PostgreSQL. pg-boss hands each run to one of them; the lead of a run,
 * which only one living process can hold, decides in the end. When a leader dies, any other worker sees it within seconds
 * and puts the run into the queue again.
 */
import type { PgBoss } from 'pg-boss'
import type { RunRow } from '../../ledger/runs.ts'
import type { ExecuteOptions } from './execute-run.ts'
import type { Runs } from './runs.ts'

const QUEUE = 'runs'
const LOOK_EVERY_MS = 1000
/** The longest pg-boss lets a job take. A run that takes longer is led on; only its job ends. */
const LONGEST_S = 23 * 3600

export interface WorkerOptions extends Pick<ExecuteOptions, 'onHappening'> {
  /** runs led at the same time */
  readonly concurrency?: number
  readonly onFailure?: (error: unknown) => void
  readonly onEnd?: (run: RunRow) => void
}

export interface Worker {
  /** So that somebody leads it soon. */
  enqueue(run: string): Promise<void>
  /** Lets what is at work end, and hands the rest over. */
  close(): Promise<void>
}

/** `address` is that of the ledger. */
export async function startWorker(runs: Runs, address: string, options: WorkerOptions = {}): Promise<Worker> {
  const { concurrency = 4, onFailure = () => {}, onEnd, onHappening } = options
  const boss = await open(address, onFailure)
  await boss.work<{ run: string }>(
    QUEUE,
    { pollingIntervalSeconds: 0.5, localConcurrency: concurrency, batchSize: 1 },
    async (jobs) => {
      for (const { data } of jobs) {
        try {
          const ended = await runs.execute(data.run, onHappening === undefined ? {} : { onHappening })
          if (ended !== undefined) onEnd?.(ended)
        } catch (error) {
          // The queue tries again and tells nobody.
          onFailure(error)
          throw error
        }
      }
    },
  )
  const enqueue = async (run: string): Promise<void> => {
    // One in the queue is enough; one that is at work already finds out by itself.
    await boss.send(QUEUE, { run }, { singletonKey: run })
  }
  let closed = false
  const tend = async (): Promise<void> => {
    try {
      const leading = new Set(runs.active)
      for (const run of await runs.pending()) if (!leading.has(run)) await enqueue(run)
    } catch (error) {
      if (!closed) onFailure(error)
    }
  }
  let tending = tend()
  const timer = setInterval(() => {
    tending = tending.then(tend)
  }, LOOK_EVERY_MS)
  return {
    enqueue,
    close: async () => {
      closed = true
      clearInterval(timer)
      await tending
      await runs.close()
      await boss.stop({ graceful: true, timeout: 5000 })
    },
  }
}

async function open(address: string, onFailure: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    connectionString: address,
    schema: 'myrmex_queue',
    application_name: 'myrmex',
    max: 3,
    schedule: false,
  })
  boss.on('error', onFailure)
  await boss.start()
  await boss.createQueue(QUEUE, { policy: 'short', expireInSeconds: LONGEST_S, heartbeatSeconds: 10, retryLimit: 3 })
  return boss
}
