/**
 * What a piece truly costs by the time it is with the customer: unit price, shipping, and what must be expected of pieces that
 * are broken or late. Rating and punctuality are published figures, so both are shrunk by how many reviews stand behind them.
 */
import type { Cents } from '../../../money.ts'
import type { Offer, Supplier } from '../../../ports.ts'
import { type Prior, priorOf, shrink } from './shrinkage.ts'

export interface LandedCost {
  readonly offer: Offer
  readonly supplier_id: string
  readonly lead_days: number
  /** all in, cents a piece */
  readonly landed: Cents
  /** of that, for defects and lateness */
  readonly risk: Cents
  /** expected shares, 0 to 1 */
  readonly defects: number
  readonly late: number
  /** expected share of pieces that arrive whole and in time */
  readonly reliability: number
}

export interface SupplierPriors {
  readonly stars: Prior
  readonly on_time: Prior
}

/** Stars as the share of customers who were content: 5 stars all of them, 1 star none. */
const contentShare = (rating: number): number => (rating - 1) / 4

/**
 * Stars as broken pieces, set with the simulated market in view. Two points of the market fix the curve: marketplaces ask for at most 1 % defects from those they rank
 * top (4.7 stars and more), and audits find some 8 % at suppliers nobody checks (3.5 stars and less); between them defects shrink by
 * the same factor with every tenth of a star.
 */
const TOP = { rating: 4.7, defects: 0.01 }
const UNCHECKED = { rating: 3.5, defects: 0.08 }
const PER_STAR = Math.log(UNCHECKED.defects / TOP.defects) / (TOP.rating - UNCHECKED.rating)
const defectsAt = (rating: number): number => Math.min(0.3, TOP.defects * Math.exp(PER_STAR * (TOP.rating - rating)))

/** Of customers whose parcel is late, those who want their money back. */
const REFUND_OF_LATE = 0.1

/** From all suppliers at hand, each once. */
export function priorsOf(suppliers: readonly Supplier[]): SupplierPriors {
  const each = [...new Map(suppliers.map((supplier) => [supplier.supplier_id, supplier])).values()]
  return {
    stars: priorOf(each.map(({ rating, reviews }) => ({ share: contentShare(rating), count: reviews }))),
    on_time: priorOf(each.map(({ on_time, reviews }) => ({ share: on_time, count: reviews }))),
  }
}

/** `price` is what the customer pays and gets back when it goes wrong. */
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
