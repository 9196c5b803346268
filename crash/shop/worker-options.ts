/** The options of a shop worker, and the path of its program. */
import { fileURLToPath } from 'node:url'
import type { KillMoment } from '../runs/kill-moment.ts'
import type { WorkerOptions } from '../runs/worker.ts'
import type { ShopHook } from './shop-kill-switch.ts'

export interface ShopWorkerOptions extends Omit<WorkerOptions, 'moment'> {
  readonly moment: KillMoment<ShopHook>
  /** the one goal it leads a run to, and does nothing else */
  readonly only?: string
}

export const WORKER_PROGRAM = fileURLToPath(new URL('worker.ts', import.meta.url))
