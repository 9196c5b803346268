/** The port of marketplace: what anybody can see of the market. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'

/** A product as anybody can see it on the marketplace, whether or not the shop sells it. */
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
  /** what is known of it, by name: material, colour, capacity, … Nothing else may be claimed of it. */
  readonly facts: Readonly<Record<string, string>>
  readonly keywords: readonly string[]
  readonly image: string
}

export interface ListingDay {
  readonly product_id: string
  readonly day: Day
  /** an estimate from public ranks, as research tools sell it: noisy */
  readonly units: number
  readonly price: Cents
  readonly sellers: number
}

export interface SellerShare {
  readonly product_id: string
  readonly seller: string
  readonly price: Cents
  /** of the product's sales, 0 to 1 */
  readonly share: number
}

export interface Marketplace {
  categories(): Promise<readonly { readonly category: string; readonly niches: readonly string[] }[]>
  /** in the order of their ids */
  listings(where?: { category?: string; niche?: string; product_id?: string }): Promise<readonly Listing[]>
  /** the last `days` days before today, oldest first */
  history(product_ids: readonly string[], days: number): Promise<readonly ListingDay[]>
  sellers(product_ids: readonly string[]): Promise<readonly SellerShare[]>
}
