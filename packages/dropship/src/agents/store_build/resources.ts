/** The shop's pages as resources: shop://pages/p_1. */
import { toAmount } from '../../money.ts'
import type { Page } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

export const pages = recordResource<Page>({
  noun: 'pages',
  title: 'Product pages',
  description: 'Product pages: address, meta texts, score of the last audit, Liquid template and HTML.',
  id: ({ page_id }) => page_id,
  name: ({ title, slug }) => `${title} (/shop/products/${slug})`,
  find: async (shop, page_id) => (await shop.storefront.pages({ page_id, limit: 1 }))[0],
  page: (shop, after, limit) => shop.storefront.pages({ after, limit }),
  shown: ({ price, slug, ...page }) => ({ ...page, price: toAmount(price), url: `/shop/products/${slug}` }),
})
