/**
 * The cost of a unit delivered to the customer: unit price, shipping, and the expected cost of defective and late units. Rating and
 * punctuality are published figures, so both are shrunk by the number of reviews behind them.
 */
import type { Cents } from '../../../money.ts'
import type { Offer, Supplier } from '../../../ports.ts'
import { type Prior, priorOf, shrink } from './shrinkage.ts'

export interface LandedCost {
  readonly offer: Offer
  readonly supplier_id: string
  readonly lead_days: number
  /** cents per unit */
  readonly landed: Cents
  /** the part for defects and lateness */
  readonly risk: Cents
  /** expected shares, 0 to 1 */
  readonly defects: number
  readonly late: number
  /** expected share of units that arrive undamaged and on time */
  readonly reliability: number
}

type SupplierPriors = Readonly<Record<'stars' | 'on_time', Prior>>

/** Stars as the share of satisfied customers: 5 stars all, 1 star none. */
const contentShare = (rating: number): number => (rating - 1) / 4

/**
 * Stars as a share of defects, set with the simulated market in view. Two points fix the exponential curve: marketplaces require at
 * most 1 % defects from top suppliers (4.7 stars), and audits find about 8 % at unchecked ones (3.5 stars).
 */
const TOP = { rating: 4.7, defects: 0.01 }
const UNCHECKED = { rating: 3.5, defects: 0.08 }
const PER_STAR = Math.log(UNCHECKED.defects / TOP.defects) / (TOP.rating - UNCHECKED.rating)
const defectsAt = (rating: number): number => Math.min(0.3, TOP.defects * Math.exp(PER_STAR * (TOP.rating - rating)))

/** Share of customers with a late parcel who want a refund. */
const REFUND_OF_LATE = 0.1

/** From all suppliers, each counted once. */
export function priorsOf(suppliers: readonly Supplier[]): SupplierPriors {
  const each = [...new Map(suppliers.map((supplier) => [supplier.supplier_id, supplier])).values()]
  return {
    stars: priorOf(each.map(({ rating, reviews }) => ({ share: contentShare(rating), count: reviews }))),
    on_time: priorOf(each.map(({ on_time, reviews }) => ({ share: on_time, count: reviews }))),
  }
}

/** `price`: what the customer pays, and is refunded for a defective or late unit. */
export function landedCost(offer: Offer, price: Cents, priors: SupplierPriors): LandedCost {
  const { supplier, unit, shipping, lead_days } = offer
  const stars = 1 + 4 * shrink({ share: contentShare(supplier.rating), count: supplier.reviews }, priors.stars)
  const defects = defectsAt(stars)
  const late = 1 - shrink({ share: supplier.on_time, count: supplier.reviews }, priors.on_time)
  const risk = price * (defects + late * REFUND_OF_LATE)
  return {
    offer,
    supplier_id: supplier.supplier_id,
    lead_days,
    landed: Math.round(unit + shipping + risk),
    risk: Math.round(risk),
    defects,
    late,
    reliability: (1 - defects) * (1 - late),
  }
}
