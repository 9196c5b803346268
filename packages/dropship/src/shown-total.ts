/** Nobody pays more, or less, than they were shown: an order that comes to another sum is refused, by whichever shop takes it. */
import { ToolError } from 'myrmex'
import type { Cents } from './money.ts'
import type { NewOrder } from './ports.ts'

export function checkShownTotal({ total: shown }: NewOrder, total: Cents): void {
  if (shown === undefined || shown === total) return
  throw new ToolError('PriceChanged', `The order comes to ${total} cents now, not to the ${shown} that were shown.`, {
    shown,
    total,
  })
}
