/** Amounts with a currency, for shoppers. */
import { type Cents, toAmount } from '../../money.ts'

const formats = new Map<string, Intl.NumberFormat>()

export function amountText(cents: Cents, currency: string): string {
  let format = formats.get(currency)
  if (format === undefined) {
    format = new Intl.NumberFormat('en-IE', { style: 'currency', currency })
    formats.set(currency, format)
  }
  return format.format(toAmount(cents))
}
