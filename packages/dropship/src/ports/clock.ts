/** The shop's own day. */
import type { Day } from '../day.ts'

export interface Clock {
  /** the shop's own day; it goes on when the market is simulated, not by itself */
  today(): Promise<Day>
}
