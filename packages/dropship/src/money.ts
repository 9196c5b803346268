/** Money is counted in whole cents inside the shop and shown as amounts, so that no sum ever drifts. */

export type Cents = number

export const toCents = (amount: number): Cents => Math.round(amount * 100)
export const toAmount = (cents: Cents): number => Math.round(cents) / 100

/** `12.50 EUR` */
export const moneyText = (cents: Cents, currency: string): string => `${toAmount(cents).toFixed(2)} ${currency}`

/** What the payment provider keeps of a payment: 2.9 % and 30 cents, as card payments cost at the usual ones. */
export const paymentFee = (total: Cents): Cents => Math.round(total * 0.029) + 30
