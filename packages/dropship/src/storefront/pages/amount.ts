/** Amounts with a currency, for shoppers. */
import { cached } from '../../cached.ts'
import { type Cents, toAmount } from '../../money.ts'

const formats = new Map<string, Intl.NumberFormat>()

export function amountText(cents: Cents, currency: string): string {
  const format = cached(formats, currency, () => new Intl.NumberFormat('en-IE', { style: 'currency', currency }))
  return format.format(toAmount(cents))
}
