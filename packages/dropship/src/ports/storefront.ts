/** The storefront port: the shop's products and their pages. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Paging } from './paging.ts'

/** A product that the shop sells. */
export interface Product {
  readonly sku: string
  readonly product_id: string
  readonly title: string
  readonly price: Cents
  /**
   * The supplier, with the agreed price per unit and for its shipping: the offer's, or that of a quote that was valid when the page
   * was made. Every purchase pays this price until a new page agrees on another.
   */
  readonly supplier_id: string
  readonly unit: Cents
  readonly shipping: Cents
  readonly on_hand: number
  /** units on hand that belong to orders not yet shipped */
  readonly reserved: number
  readonly reorder_point: number
  readonly status: 'active' | 'paused'
  readonly created_on: Day
}

export interface Page {
  readonly page_id: string
  readonly sku: string
  /** the page's address is /shop/products/SLUG */
  readonly slug: string
  readonly title: string
  readonly price: Cents
  readonly images: readonly string[]
  /** Liquid */
  readonly template: string
  /** rendered */
  readonly html: string
  readonly meta_title: string
  readonly meta_description: string
  readonly keywords: readonly string[]
  /** 0 to 100, from the last audit */
  readonly seo_score: number
  readonly version: number
  readonly status: 'published' | 'withdrawn'
  readonly made_on: Day
}

export type NewProduct = Omit<Product, 'on_hand' | 'reserved' | 'reorder_point' | 'status' | 'created_on'>

export type PageContent = Omit<Page, 'page_id' | 'sku' | 'version' | 'status' | 'made_on'>

/** The part of a product that publishing a page sets. */
export type ProductTerms = Omit<NewProduct, 'product_id' | 'sku'> & Pick<Product, 'status'>

/** What a change replaced. Parts that did not exist before are left out. */
export interface PreviousState {
  readonly page?: Partial<PageContent>
  readonly product?: ProductTerms
}

/** A page and its product right after a change. Reading it again by its key returns the same, even after later changes. */
export interface PublishedPage {
  readonly page: Page
  readonly product: NewProduct
  readonly before: PreviousState
}

export interface Storefront {
  /** ordered by SKU */
  products(where?: Partial<Pick<Product, 'sku' | 'status'>> & Paging): Promise<readonly Product[]>
  pages(where?: Partial<Pick<Page, 'page_id' | 'slug' | 'sku'>> & Paging): Promise<readonly Page[]>
  /** The result that publish or update recorded under the key for the page with this id or slug, if any. */
  findRecorded(key: IdempotencyKey, where: { page_id?: string; slug?: string }): Promise<PublishedPage | undefined>
  /** Creates product and page together. An existing product keeps its stock and gets the new terms. SlugTaken. */
  publish(product: NewProduct, page: PageContent, key: IdempotencyKey): Promise<PublishedPage>
  /** Only while the page still has that version. PageChanged. */
  update(page_id: string, version: number, content: Partial<PageContent>, key: IdempotencyKey): Promise<PublishedPage>
  /**
   * Restores what a change replaced. A page that did not exist before is withdrawn, and a product without a published page is
   * paused. Terms that a newer page has set stay.
   */
  withdraw(page_id: string, before: PreviousState, key: IdempotencyKey): Promise<void>
}
