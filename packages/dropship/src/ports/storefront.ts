/** The port of storefront: what the shop sells, and its pages. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './key.ts'

/** What the shop sells. */
export interface Product {
  readonly sku: string
  readonly product_id: string
  readonly title: string
  readonly price: Cents
  /**
   * Who delivers it, and the price agreed for a piece and for its shipping: that of the offer, or of a quote that held on the day
   * its page was made. Every purchase pays it, until a new page agrees on another.
   */
  readonly supplier_id: string
  readonly unit: Cents
  readonly shipping: Cents
  readonly on_hand: number
  /** of those on hand, promised to orders not yet shipped */
  readonly reserved: number
  readonly reorder_point: number
  readonly status: 'active' | 'paused'
  readonly created_on: Day
}

export interface Page {
  readonly page_id: string
  readonly sku: string
  /** it opens at /shop/products/SLUG */
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
  /** 0 to 100, of the last audit */
  readonly seo_score: number
  readonly version: number
  readonly status: 'published' | 'withdrawn'
  readonly made_on: Day
}

export interface NewProduct {
  readonly product_id: string
  readonly sku: string
  readonly title: string
  readonly price: Cents
  readonly supplier_id: string
  readonly unit: Cents
  readonly shipping: Cents
}

export type PageContent = Pick<
  Page,
  | 'slug'
  | 'title'
  | 'price'
  | 'images'
  | 'template'
  | 'html'
  | 'meta_title'
  | 'meta_description'
  | 'keywords'
  | 'seo_score'
>

/** What a page agrees on for its product. */
export type ProductTerms = Omit<NewProduct, 'product_id' | 'sku'> & Pick<Product, 'status'>

/** What a change replaced; what was not there before is left out. */
export interface PreviousState {
  readonly page?: Partial<PageContent>
  readonly product?: ProductTerms
}

/** A page as a change left it, with its product. Asked for again under its key it is the same, whatever became of it since. */
export interface PublishedPage {
  readonly page: Page
  readonly product: NewProduct
  readonly before: PreviousState
}

export interface Storefront {
  /** What can be bought. Paged by sku. */
  products(where?: {
    sku?: string
    status?: Product['status']
    after?: string
    limit?: number
  }): Promise<readonly Product[]>
  pages(where?: {
    page_id?: string
    slug?: string
    sku?: string
    after?: string
    limit?: number
  }): Promise<readonly Page[]>
  /** What publish or update made under the key of the page with this id, or at this address; undefined: nothing yet. */
  findRecorded(key: IdempotencyKey, where: { page_id?: string; slug?: string }): Promise<PublishedPage | undefined>
  /** Makes product and page together; a product that is there keeps its stock and gets the new terms. SlugTaken. */
  publish(product: NewProduct, page: PageContent, key: IdempotencyKey): Promise<PublishedPage>
  /** Only if the page still has that version. PageChanged. */
  update(page_id: string, version: number, content: Partial<PageContent>, key: IdempotencyKey): Promise<PublishedPage>
  /**
   * Puts back what a change replaced. A page that was not there before is withdrawn, and what no page shows any more is paused.
   * Terms that a newer page agreed on since stay.
   */
  withdraw(page_id: string, before: PreviousState, key: IdempotencyKey): Promise<void>
}
