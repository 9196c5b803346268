/** Renders and audits a page as it is stored. Parts that depend on the rest of the shop are added when it is served. */
import type { Listing, Page, PageContent, Product, Shop } from '../../ports.ts'
import { DEFAULT_NAME, productDocument } from '../../storefront/pages/product-document.ts'
import { templateEngine } from '../../storefront/pages/templates.ts'
import { type Audit, audit } from './seo/audit.ts'

export type PageDraft = Omit<PageContent, 'html' | 'seo_score'>

export interface RenderedPage {
  readonly content: PageContent
  readonly audit: Audit
}

const UNPUBLISHED = { page_id: '', sku: '', version: 0, status: 'published', made_on: '' } as const

export async function renderDraft(
  shop: Shop,
  draft: PageDraft,
  product: Product,
  listing: Listing | undefined,
  keywords: readonly string[] = draft.keywords,
): Promise<RenderedPage> {
  const page: Page = { ...UNPUBLISHED, ...draft, html: '', seo_score: 0 }
  const around = { currency: shop.currency, origin: '', shopName: DEFAULT_NAME }
  const html = productDocument(await templateEngine(), { page, product, listing }, around)
  const found = await audit(html, { keywords, slug: draft.slug })
  return { content: { ...draft, html, seo_score: found.score }, audit: found }
}
