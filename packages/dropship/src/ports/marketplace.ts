/** The marketplace port: public information about the market. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'

/** A product as the marketplace shows it, whether or not the shop sells it. */
export interface Listing {
  readonly product_id: string
  readonly title: string
  readonly category: string
  readonly niche: string
  readonly price: Cents
  readonly sellers: number
  readonly rating: number
  readonly reviews: number
  readonly listed_on: Day
  /** known facts by name: material, colour, capacity, … Texts about the product may claim nothing else. */
  readonly facts: Readonly<Record<string, string>>
  readonly keywords: readonly string[]
  readonly image: string
}

export interface ListingDay {
  readonly product_id: string
  readonly day: Day
  /** a noisy estimate from public sales ranks, as research tools sell it */
  readonly units: number
  readonly price: Cents
  readonly sellers: number
}

export interface SellerShare {
  readonly product_id: string
  readonly seller: string
  readonly price: Cents
  /** share of the product's sales, 0 to 1 */
  readonly share: number
}

export interface Marketplace {
  categories(): Promise<readonly { readonly category: string; readonly niches: readonly string[] }[]>
  /** ordered by id */
  listings(where?: { category?: string; niche?: string; product_id?: string }): Promise<readonly Listing[]>
  /** the last `days` days before today, oldest first */
  history(product_ids: readonly string[], days: number): Promise<readonly ListingDay[]>
  sellers(product_ids: readonly string[]): Promise<readonly SellerShare[]>
}
