/** The state that a page replaced, as tool output: everything that undo needs to restore it. */
import * as z from 'zod'
import { toAmount, toCents } from '../../money.ts'
import type { PageContent, PreviousState, ProductTerms } from '../../ports.ts'
import * as field from '../field-types.ts'
import { html, keyword, score } from './fields.ts'

const amount = z.number().min(0).max(1_000_000)

/** The parts of a page that search engines read. */
export const searchFields = {
  meta_title: field.text(300, 'Title for search engines.'),
  meta_description: field.text(1000, 'Description for search engines.'),
  images: field.list(50, 'Addresses of the pictures.', field.text(2000)),
  keywords: field.list(50, 'Keywords of the audit.', keyword),
  seo_score: score.meta({ description: 'Score of the last audit.' }),
  template: html.meta({ description: 'The Liquid template.' }),
  html: html.meta({ description: 'The document.' }),
}

const product = z.object({
  title: field.text(300, 'Title of the product.'),
  price: amount.meta({ description: 'Price.' }),
  supplier_id: field.text(100, 'Supplier.'),
  unit_cost: amount.meta({ description: 'Unit cost.' }),
  shipping: amount.meta({ description: 'Shipping cost.' }),
  status: z.enum(['active', 'paused']).meta({ description: 'Whether it was on sale.' }),
})

const page = z.object({
  slug: field.text(300, 'Last part of its address.'),
  title: field.text(300, 'Its title.'),
  price: amount.meta({ description: 'Price.' }),
  ...searchFields,
})

export const previousState = z.object({
  product: field.nullable('The previous product; null if there was none.', product),
  page: field.nullable('The replaced page; null if there was none.', page),
})

export type PreviousStateData = z.infer<typeof previousState>

export const toPreviousState = ({ product, page }: PreviousState): PreviousStateData => ({
  product: product === undefined ? null : toProductState(product),
  // Publishing replaces a whole page; only an update omits some fields.
  page: page === undefined ? null : toPageState(page as PageContent),
})

export const fromPreviousState = ({ product, page }: PreviousStateData): PreviousState => ({
  ...(product !== null && { product: toTerms(product) }),
  ...(page !== null && { page: { ...page, price: toCents(page.price) } }),
})

const toProductState = ({ unit, shipping, price, ...terms }: ProductTerms): PreviousStateData['product'] => ({
  ...terms,
  price: toAmount(price),
  unit_cost: toAmount(unit),
  shipping: toAmount(shipping),
})

const toTerms = ({
  unit_cost,
  shipping,
  price,
  ...terms
}: NonNullable<PreviousStateData['product']>): ProductTerms => ({
  ...terms,
  price: toCents(price),
  unit: toCents(unit_cost),
  shipping: toCents(shipping),
})

const toPageState = ({ price, images, keywords, ...page }: PageContent): PreviousStateData['page'] => ({
  ...page,
  price: toAmount(price),
  images: [...images],
  keywords: [...keywords],
})
