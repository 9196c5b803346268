/** Sales pause while too much of what was sold in the last days is paid back. */
import { ToolError } from 'myrmex'
import { REFUND_WINDOW_DAYS, refundRate } from '../../market/after-sales/refund-rate.ts'
import type { Store } from '../database/store.ts'

export function requireSalesOpen(store: Store): void {
  const { rate, limit, paused } = refundRate(store.db, store.today())
  if (!paused) return
  throw new ToolError(
    'SalesPaused',
    `Sales are paused: ${(rate * 100).toFixed(1)} % of the last ${REFUND_WINDOW_DAYS} days' sales were refunded, more than the ${limit * 100} % allowed.`,
    { refund_rate: rate, limit },
  )
}
