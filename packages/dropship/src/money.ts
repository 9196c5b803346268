/** Money is counted in whole cents inside the shop and shown as amounts, so that no sum ever drifts. */

export type Cents = number

export const toCents = (amount: number): Cents => Math.round(amount * 100)
export const toAmount = (cents: Cents): number => Math.round(cents) / 100
