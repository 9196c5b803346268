/** Renders and audits a page by itself, as it is stored: what depends on the rest of the shop is added when it is served. */
import type { Listing, Page, PageContent, Product, Shop } from '../../ports.ts'
import { engine } from '../../storefront/engine.ts'
import { DEFAULT_NAME, productDocument } from '../../storefront/product-document.ts'
import { type Audit, audit } from './seo/audit.ts'

export type Draft = Omit<PageContent, 'html' | 'seo_score'>

export interface Rendered {
  readonly content: PageContent
  readonly audit: Audit
}

const UNPUBLISHED = { page_id: '', sku: '', version: 0, status: 'published', made_on: '' } as const

export async function renderDraft(
  shop: Shop,
  draft: Draft,
  product: Product,
  listing: Listing | undefined,
  keywords: readonly string[] = draft.keywords,
): Promise<Rendered> {
  const page: Page = { ...UNPUBLISHED, ...draft, html: '', seo_score: 0 }
  const around = { currency: shop.currency, origin: '', shopName: DEFAULT_NAME }
  const html = productDocument(await engine(), { page, product, listing }, around)
  const found = await audit(html, { keywords, slug: draft.slug })
  return { content: { ...draft, html, seo_score: found.score }, audit: found }
}
