/** Customers pay exactly the total they were shown: every shop rejects an order whose total has changed. */
import { ToolError } from 'myrmex'
import { type Cents, toAmount } from './money.ts'
import type { NewOrder } from './ports.ts'

export function checkShownTotal({ total: shown }: NewOrder, total: Cents): void {
  if (shown === undefined || shown === total) return
  throw new ToolError(
    'PriceChanged',
    `The order total is now ${toAmount(total)}, not the ${toAmount(shown)} that was shown. Review the order and place it again.`,
    {
      shown,
      total,
    },
  )
}
