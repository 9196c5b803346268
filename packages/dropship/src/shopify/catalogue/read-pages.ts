/** Reads pages. A page is a Shopify product with its description, its SEO texts and its memo. */
import { toCents } from '../../money.ts'
import type { NewProduct, Page, PageContent, ProductTerms } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { connectionReader, searchTerm } from '../api/connections.ts'
import { type Metafield, NAMESPACE, PRODUCT_MEMO, type ProductMemo, parseMemo } from '../api/metafields.ts'

export interface ProductNode {
  readonly id: string
  readonly legacyResourceId: string
  readonly title: string
  readonly handle: string
  readonly descriptionHtml: string
  readonly status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT'
  readonly createdAt: string
  readonly seo: { readonly title: string | null; readonly description: string | null }
  readonly featuredMedia: { readonly preview: { readonly image: { readonly url: string } | null } | null } | null
  readonly metafield: Metafield | null
  readonly variants: {
    readonly nodes: readonly { readonly id: string; readonly sku: string | null; readonly price: string }[]
  }
}

export const PAGE_FIELDS = `id legacyResourceId title handle descriptionHtml status createdAt seo { title description }
  featuredMedia { preview { image { url } } }
  metafield(namespace: "${NAMESPACE}", key: "${PRODUCT_MEMO}") { value compareDigest }
  variants(first: 1) { nodes { id sku price } }`

const ONE = /* GraphQL */ `query PageById($id: ID!) { product(id: $id) { ${PAGE_FIELDS} } }`
const LIST = /* GraphQL */ `query Pages($first: Int!, $after: String, $query: String) {
  products(first: $first, after: $after, query: $query) {
    edges { cursor node { ${PAGE_FIELDS} } } pageInfo { hasNextPage endCursor } } }`

/** A page costs 11 points of the 1000 that a query may cost. */
export const productNodes = connectionReader<ProductNode>('products', LIST, 50)

export async function findNodeById(admin: AdminApi, page_id: string): Promise<ProductNode | undefined> {
  const number = /^p_(\d{1,20})$/.exec(page_id)?.[1]
  if (number === undefined) return undefined
  const { product } = await admin.read<{ product: ProductNode | null }>(ONE, { id: `gid://shopify/Product/${number}` })
  return product ?? undefined
}

export async function findNodeBySlug(admin: AdminApi, slug: string): Promise<ProductNode | undefined> {
  for await (const { node } of productNodes(admin, { query: searchTerm('handle', slug) }))
    if (node.handle === slug) return node
  return undefined
}

export function toPage(node: ProductNode): Page {
  const memo: Partial<ProductMemo> = parseMemo(node.metafield) ?? {}
  const [variant] = node.variants.nodes
  const image = node.featuredMedia?.preview?.image?.url
  return {
    page_id: `p_${node.legacyResourceId}`,
    sku: variant?.sku ?? '',
    slug: node.handle,
    title: node.title,
    price: toCents(Number(variant?.price ?? 0)),
    images: memo.images ?? (image === undefined ? [] : [image]),
    template: memo.template ?? '',
    html: node.descriptionHtml,
    meta_title: node.seo.title ?? node.title,
    meta_description: node.seo.description ?? '',
    keywords: memo.keywords ?? [],
    seo_score: memo.seo_score ?? 0,
    version: memo.version ?? 1,
    status: node.status === 'ACTIVE' ? 'published' : 'withdrawn',
    made_on: node.createdAt.slice(0, 10),
  }
}

export function toPageContent(node: ProductNode): PageContent {
  const { page_id: _id, sku: _sku, version: _version, status: _status, made_on: _on, ...content } = toPage(node)
  return content
}

export function toNewProduct(node: ProductNode): NewProduct {
  const memo: Partial<ProductMemo> = parseMemo(node.metafield) ?? {}
  const { sku, title, price } = toPage(node)
  const { product_id = node.legacyResourceId, supplier_id = '', unit = 0, shipping = 0 } = memo
  return { product_id, sku, title, price, supplier_id, unit, shipping }
}

export function toProductTerms(node: ProductNode): ProductTerms {
  const { product_id: _id, sku: _sku, ...terms } = toNewProduct(node)
  return { ...terms, status: node.status === 'ACTIVE' ? 'active' : 'paused' }
}
