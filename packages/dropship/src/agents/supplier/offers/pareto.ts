/** Offers that no other beats: one that is no better in anything and worse in something is beaten, and it is said by whom. */

export interface ComparableOffer {
  readonly supplier_id: string
  /** cents a piece, all in */
  readonly landed: number
  readonly lead_days: number
  /** 0 to 1 */
  readonly reliability: number
}

export interface ParetoFront<T extends ComparableOffer> {
  readonly best: readonly T[]
  /** with the cheapest of those that beat it */
  readonly beaten: readonly { readonly offer: T; readonly by: T }[]
}

export const beats = (a: ComparableOffer, b: ComparableOffer): boolean =>
  a.landed <= b.landed &&
  a.lead_days <= b.lead_days &&
  a.reliability >= b.reliability &&
  (a.landed < b.landed || a.lead_days < b.lead_days || a.reliability > b.reliability)

/** The best ones cheapest first; of two at the same price the faster one, then the first by id. */
export function paretoFront<T extends ComparableOffer>(offers: readonly T[]): ParetoFront<T> {
  const sorted = [...offers].sort(
    (a, b) => a.landed - b.landed || a.lead_days - b.lead_days || (a.supplier_id < b.supplier_id ? -1 : 1),
  )
  const best = sorted.filter((offer) => !sorted.some((other) => beats(other, offer)))
  const beaten = sorted.flatMap((offer) => {
    // Whoever beats an offer is beaten by nobody or by one that beats it too, so the front has one.
    const by = best.find((other) => beats(other, offer))
    return by === undefined ? [] : [{ offer, by }]
  })
  return { best, beaten }
}
