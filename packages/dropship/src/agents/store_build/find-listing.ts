/** Finds the listing for a page by id or by title. Throws UnknownProduct with the nearest titles. */
import { ToolError } from 'myrmex'
import type { Listing, Shop } from '../../ports.ts'
import { nearestMatches, normalizeTitle } from '../nearest.ts'

export async function findListing(shop: Shop, product_id: string | undefined, title: string): Promise<Listing> {
  if (product_id !== undefined) {
    const [listing] = await shop.marketplace.listings({ product_id })
    if (listing !== undefined) return listing
  }
  const all = await shop.marketplace.listings()
  const wanted = normalizeTitle(title)
  const found = product_id === undefined ? all.find((listing) => normalizeTitle(listing.title) === wanted) : undefined
  if (found !== undefined) return found
  const nearest = nearestMatches(title, all, { names: (listing) => [listing.title] })
  const what =
    product_id === undefined ? `called ${JSON.stringify(title)}` : `with the id ${JSON.stringify(product_id)}`
  const hint = nearest.length === 0 ? '' : ` The nearest titles: ${nearest.map(({ title }) => title).join(', ')}.`
  throw new ToolError(
    'UnknownProduct',
    `The marketplace has no product ${what}.${hint} Give its product_id, or its title as listed.`,
    { nearest: nearest.map(({ product_id, title }) => ({ product_id, title })) },
  )
}
