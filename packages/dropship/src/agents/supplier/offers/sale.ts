/** What is left of a sale: the payment fee taken off, and the buyers lost who do not want to wait. */
import { type Cents, paymentFee } from '../../../money.ts'

export const netOfSale = (price: Cents): Cents => price - paymentFee(price)

/** The lowest price that leaves nothing but covers a cost. The fee has a fixed part and one that grows with the price. */
export function breakEven(cost: Cents): Cents {
  const fixed = paymentFee(0)
  const share = paymentFee(1_000_000) / 1_000_000 - fixed / 1_000_000
  let price = Math.floor((cost + fixed) / (1 - share)) - 1
  while (netOfSale(price) < cost) price++
  return price
}

/**
 * Of those who would buy if it came at once, the part that still does: a day less of waiting sold 1.45 % more (Fisher, Gallino and
 * Xu, The Value of Rapid Delivery in Omnichannel Retailing, Journal of Marketing Research 2019).
 */
export const waitingShare = (lead_days: number): number => (1 - 0.0145) ** lead_days
