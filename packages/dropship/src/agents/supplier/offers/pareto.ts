/** The offers that no other beats. An offer is beaten by one that is no worse in anything and better in something. */
import type { LandedCost } from './landed-cost.ts'

export type ComparableOffer = Pick<LandedCost, 'supplier_id' | 'landed' | 'lead_days' | 'reliability'>

export const beats = (a: ComparableOffer, b: ComparableOffer): boolean =>
  a.landed <= b.landed &&
  a.lead_days <= b.lead_days &&
  a.reliability >= b.reliability &&
  (a.landed < b.landed || a.lead_days < b.lead_days || a.reliability > b.reliability)

/** Cheapest first, then fastest, then by id. Each beaten offer comes with the cheapest one that beats it. */
export function paretoFront<T extends ComparableOffer>(offers: readonly T[]) {
  const sorted = [...offers].sort(
    (a, b) => a.landed - b.landed || a.lead_days - b.lead_days || (a.supplier_id < b.supplier_id ? -1 : 1),
  )
  const best = sorted.filter((offer) => !sorted.some((other) => beats(other, offer)))
  const beaten = sorted.flatMap((offer) => {
    // `beats` is transitive, so the front contains an offer that beats every beaten one.
    const by = best.find((other) => beats(other, offer))
    return by === undefined ? [] : [{ offer, by }]
  })
  return { best, beaten }
}
