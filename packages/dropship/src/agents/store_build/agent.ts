/** The store builder: creates product pages and optimises them for search. */
import { type Agent, agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { createProductPage } from './create-product-page.ts'
import { optimizeSeo } from './optimize-seo.ts'
import { pageReview } from './page-review.ts'
import { pages } from './resources.ts'

export const storeBuild = (shop: ShopSource): Agent =>
  agent({
    name: 'store_build',
    version: '1.0.0',
    description: 'Creates product pages and optimises them for search.',
    tools: [createProductPage(shop), optimizeSeo(shop)],
    resources: [pages(shop)],
    prompts: [pageReview(shop)],
  })
