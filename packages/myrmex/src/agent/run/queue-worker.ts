/**
 * One of several workers on one PostgreSQL. pg-boss hands each run to one of them. The lease decides in the end: only one living
 * process can hold it. When a worker dies, another one sees it within seconds and puts its runs into the queue again.
 */
import type { PgBoss } from 'pg-boss'
import { loadPostgres } from '../../ledger/optional-packages.ts'
import type { Runs } from './runs.ts'
import { repeat, type Worker, type WorkerOptions } from './worker.ts'

const QUEUE = 'runs'
/** The longest pg-boss lets a job take. A run that takes longer continues; only its job ends. */
const MAX_JOB_SECONDS = 23 * 3600

export interface QueueWorkerOptions extends WorkerOptions {
  readonly onFailure?: (error: unknown) => void
}

/** `address` is the PostgreSQL URL of the ledger. */
export async function startQueueWorker(
  runs: Runs,
  address: string,
  options: QueueWorkerOptions = {},
): Promise<Worker & { enqueue(run: string): Promise<void> }> {
  const { concurrency = 4, onFailure = () => {}, onEvent } = options
  const boss = await open(address, onFailure)
  await boss.work<{ run: string }>(
    QUEUE,
    { pollingIntervalSeconds: 0.5, localConcurrency: concurrency, batchSize: 1 },
    async (jobs) => {
      for (const { data } of jobs) {
        try {
          await runs.execute(data.run, onEvent === undefined ? {} : { onEvent })
        } catch (error) {
          // The queue retries the job but reports nothing.
          onFailure(error)
          throw error
        }
      }
    },
  )
  const enqueue = async (run: string): Promise<void> => {
    // One job a run is enough: a job for a run that is being executed ends by itself.
    await boss.send(QUEUE, { run }, { singletonKey: run })
  }
  const enqueuePending = async (): Promise<void> => {
    const active = new Set(runs.active)
    for (const run of await runs.pending()) if (!active.has(run)) await enqueue(run)
  }
  return {
    enqueue,
    close: repeat(enqueuePending, onFailure, async () => {
      await runs.close()
      await boss.stop({ graceful: true, timeout: 5000 })
    }),
  }
}

async function open(address: string, onFailure: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss } = await loadPostgres(() => import('pg-boss'))
  const boss = new PgBoss({
    connectionString: address,
    schema: 'myrmex_queue',
    application_name: 'myrmex',
    max: 3,
    schedule: false,
  })
  boss.on('error', onFailure)
  await boss.start()
  await boss.createQueue(QUEUE, {
    policy: 'short',
    expireInSeconds: MAX_JOB_SECONDS,
    heartbeatSeconds: 10,
    retryLimit: 3,
  })
  return boss
}
