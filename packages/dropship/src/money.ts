/** Inside the shop money is whole cents, so that no sum drifts; callers see amounts. */

export type Cents = number

export const toCents = (amount: number): Cents => Math.round(amount * 100)
export const toAmount = (cents: Cents): number => Math.round(cents) / 100

/** `12.50 EUR` */
export const moneyText = (cents: Cents, currency: string): string => `${toAmount(cents).toFixed(2)} ${currency}`

/** The payment provider's fee: 2.9 % and 30 cents, the usual price of card payments. */
export const paymentFee = (total: Cents): Cents => Math.round(total * 0.029) + 30
