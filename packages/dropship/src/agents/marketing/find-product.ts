/** Finds the product for copy: a product of the shop by SKU or title, or else a listing of the marketplace. */
import { ToolError } from 'myrmex'
import type { Listing, Product, Shop } from '../../ports.ts'
import { nearestNames, normalizeTitle } from '../nearest.ts'

export interface ProductAndListing {
  readonly product: Product | undefined
  readonly listing: Listing | undefined
}

export async function findProduct(shop: Shop, name: string, sku: string | undefined): Promise<ProductAndListing> {
  if (sku !== undefined) return bySku(shop, name, sku)
  const [products, listings] = await Promise.all([shop.storefront.products(), shop.marketplace.listings()])
  const wanted = normalizeTitle(name)
  const ofTitle = products.filter(({ title }) => normalizeTitle(title) === wanted)
  const product = ofTitle.find(({ status }) => status === 'active') ?? ofTitle[0]
  if (product !== undefined)
    return { product, listing: listings.find(({ product_id }) => product_id === product.product_id) }
  const listing = listings.find(({ title }) => normalizeTitle(title) === wanted)
  if (listing !== undefined) {
    // A product may have another title than its listing.
    const sold = products.find((one) => one.product_id === listing.product_id && one.status === 'active')
    return { product: sold, listing }
  }
  throw unknownProduct(name, [...products.map(({ title }) => title), ...listings.map(({ title }) => title)])
}

async function bySku(shop: Shop, name: string, sku: string): Promise<ProductAndListing> {
  const [product] = await shop.storefront.products({ sku })
  if (product === undefined)
    throw new ToolError('UnknownProduct', `The shop has no product with the SKU ${JSON.stringify(sku)}.`, {
      sku,
      nearest: [],
    })
  const [listing] = await shop.marketplace.listings({ product_id: product.product_id })
  const titles = [product.title, ...(listing === undefined ? [] : [listing.title])]
  if (!titles.some((title) => normalizeTitle(title) === normalizeTitle(name))) {
    throw new ToolError(
      'UnknownProduct',
      `${sku} is ${JSON.stringify(product.title)}, not ${JSON.stringify(name)}. Omit sku, or use the product's own name.`,
      { product_name: name, sku, nearest: titles },
    )
  }
  return { product, listing }
}

function unknownProduct(name: string, titles: readonly string[]): ToolError {
  const nearest = nearestNames(name, titles)
  const hint = nearest.length === 0 ? '' : ` Did you mean ${nearest.map((title) => JSON.stringify(title)).join(', ')}?`
  return new ToolError('UnknownProduct', `There is no product or listing called ${JSON.stringify(name)}.${hint}`, {
    product_name: name,
    nearest,
  })
}
