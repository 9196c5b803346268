/** Finds the product that a page is to be made for: by id, by the quote, or by its title; and the nearest titles where there is none. */
import { ToolError } from 'myrmex'
import type { Listing, Shop } from '../../ports.ts'
import { nearestMatches } from '../nearest.ts'

export async function findListing(shop: Shop, product_id: string | undefined, title: string): Promise<Listing> {
  if (product_id !== undefined) {
    const [listing] = await shop.marketplace.listings({ product_id })
    if (listing !== undefined) return listing
  }
  const all = await shop.marketplace.listings()
  const wanted = plain(title)
  const found = product_id === undefined ? all.find((listing) => plain(listing.title) === wanted) : undefined
  if (found !== undefined) return found
  const nearest = nearestMatches(title, all, { names: (listing) => [listing.title] })
  const what =
    product_id === undefined ? `called ${JSON.stringify(title)}` : `with the id ${JSON.stringify(product_id)}`
  const hint = nearest.length === 0 ? '' : ` The nearest titles: ${nearest.map(({ title }) => title).join(', ')}.`
  throw new ToolError(
    'UnknownProduct',
    `The marketplace has no product ${what}.${hint} Give its product_id, or its title as listed.`,
    {
      nearest: nearest.map(({ product_id, title }) => ({ product_id, title })),
    },
  )
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()
