/** Reads products and stock from Shopify's variants and their inventory levels. */
import { toCents } from '../../money.ts'
import type { Product, Stock } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { type ConnectionPage, connectionReader, type Edge, type ListOptions, searchTerm } from '../api/connections.ts'
import { NAMESPACE, PRODUCT_MEMO, type ProductMemo, parseMemo } from '../api/metafields.ts'
import type { ProductNode } from './read-pages.ts'

interface Levels {
  readonly nodes: readonly { readonly quantities: readonly { readonly name: string; readonly quantity: number }[] }[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

export interface Variant {
  readonly id: string
  readonly sku: string | null
  readonly price: string
  readonly product: Pick<
    ProductNode,
    'id' | 'legacyResourceId' | 'title' | 'handle' | 'status' | 'createdAt' | 'metafield'
  >
  readonly inventoryItem: {
    /** false: Shopify does not count it, so it never runs out */
    readonly tracked: boolean
    readonly unitCost: { readonly amount: string } | null
    readonly inventoryLevels: Levels
  }
}

/** A page of variants reads this many locations of each. A variant with more is read again with all of them. */
const FEW_LOCATIONS = 10
const ALL_LOCATIONS = 250
/** A variant with its levels costs 27 points, so a page stays below the 1000 points that a query may cost. */
const PAGE = 30

const fields = (locations: number): string => `id sku price
  product { id legacyResourceId title handle status createdAt
    metafield(namespace: "${NAMESPACE}", key: "${PRODUCT_MEMO}") { value compareDigest } }
  inventoryItem { tracked unitCost { amount } inventoryLevels(first: ${locations}) {
    nodes { quantities(names: ["on_hand", "committed", "incoming"]) { name quantity } } pageInfo { hasNextPage } } }`

const LIST = /* GraphQL */ `query Variants($first: Int!, $after: String, $query: String) {
  productVariants(first: $first, after: $after, query: $query, sortKey: SKU) {
    edges { cursor node { ${fields(FEW_LOCATIONS)} } } pageInfo { hasNextPage endCursor } } }`

const ONE = /* GraphQL */ `query VariantWithLocations($first: Int!, $query: String) {
  productVariants(first: $first, query: $query) {
    edges { cursor node { ${fields(ALL_LOCATIONS)} } } pageInfo { hasNextPage endCursor } } }`

const readNodes = connectionReader<Variant>('productVariants', LIST, PAGE)

/** Ordered by SKU. Variants without a SKU are left out, because agents name products by SKU. */
export async function* readVariants(admin: AdminApi, options: ListOptions = {}): AsyncGenerator<Edge<Variant>> {
  for await (const { cursor, node } of readNodes(admin, options)) {
    if (node.sku === null || node.sku === '') continue
    const hasMore = node.inventoryItem.inventoryLevels.pageInfo.hasNextPage
    yield { cursor, node: hasMore ? await withAllLocations(admin, node) : node }
  }
}

async function withAllLocations(admin: AdminApi, variant: Variant): Promise<Variant> {
  const query = searchTerm('id', variant.id.slice(variant.id.lastIndexOf('/') + 1))
  const data = await admin.read<{ readonly productVariants: ConnectionPage<Variant> }>(ONE, { first: 1, query })
  return data.productVariants.edges[0]?.node ?? variant
}

/** Shopify's search ignores case and may return other variants too. */
export async function findVariant(admin: AdminApi, sku: string): Promise<Variant | undefined> {
  for await (const { node } of readVariants(admin, { query: searchTerm('sku', sku), first: 5 }))
    if (node.sku === sku) return node
  return undefined
}

/** Summed over all locations. */
export function inventoryCount(variant: Variant, name: 'on_hand' | 'committed' | 'incoming'): number {
  let sum = 0
  for (const { quantities } of variant.inventoryItem.inventoryLevels.nodes)
    for (const one of quantities) if (one.name === name) sum += one.quantity
  return sum
}

/** `known` is the embedded shop's product with this SKU. It fills in what a product created by hand in Shopify lacks. */
export function toProduct(variant: Variant, known: Product | undefined): Product {
  const { product, inventoryItem } = variant
  const memo: Partial<ProductMemo> = parseMemo(product.metafield) ?? {}
  const cost = inventoryItem.unitCost === null ? undefined : toCents(Number(inventoryItem.unitCost.amount))
  return {
    sku: variant.sku ?? '',
    product_id: memo.product_id ?? known?.product_id ?? product.legacyResourceId,
    title: product.title,
    price: toCents(Number(variant.price)),
    supplier_id: memo.supplier_id ?? known?.supplier_id ?? '',
    unit: memo.unit ?? cost ?? known?.unit ?? 0,
    shipping: memo.shipping ?? known?.shipping ?? 0,
    on_hand: inventoryCount(variant, 'on_hand'),
    reserved: inventoryCount(variant, 'committed'),
    reorder_point: memo.reorder_point ?? known?.reorder_point ?? 0,
    status: product.status === 'ACTIVE' ? 'active' : 'paused',
    created_on: product.createdAt.slice(0, 10),
  }
}

export function toStock(variant: Variant): Stock {
  const incoming = inventoryCount(variant, 'incoming')
  return {
    sku: variant.sku ?? '',
    title: variant.product.title,
    on_hand: inventoryCount(variant, 'on_hand'),
    reserved: inventoryCount(variant, 'committed'),
    // An inventory level tells how many units are incoming but not when.
    incoming: incoming > 0 ? [{ quantity: incoming, arrives_on: undefined }] : [],
    reorder_point: parseMemo(variant.product.metafield)?.reorder_point ?? 0,
  }
}
