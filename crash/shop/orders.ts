/** What the leader of a shop is told when it is started, and where its program is. */
import { fileURLToPath } from 'node:url'
import type { Orders } from '../runs/leader.ts'
import type { Moment } from '../runs/moment.ts'
import type { ShopHook } from './shop-fuse.ts'

export interface ShopOrders extends Omit<Orders, 'moment'> {
  readonly moment: Moment<ShopHook>
  /** the one goal it leads a run to, and does nothing else */
  readonly only?: string
}

export const LEADER = fileURLToPath(new URL('leader.ts', import.meta.url))
