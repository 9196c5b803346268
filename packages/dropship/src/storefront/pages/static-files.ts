/** Files of the shop that are no pages: pictures, the style sheet, and what search engines read. */

import { escapeHtml } from 'myrmex/text'
import { cached } from '../../cached.ts'
import { draw } from '../drawing/draw.ts'
import type { Reply } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { productUrl } from './product-document.ts'
import { absoluteUrl } from './structured-data.ts'
import { STYLE } from './style.ts'

export const styleSheet: Reply = { status: 200, type: 'text/css; charset=utf-8', caching: 'long', body: STYLE }

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5c46"/><path d="M9 12h14l-1.2 11a2 2 0 0 1-2 1.8h-7.6a2 2 0 0 1-2-1.8z" fill="#fff"/><path d="M12.500 14v-3a3.500 3.500 0 0 1 7 0v3" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>'

const SVG = 'image/svg+xml'
/** A picture that is opened by itself executes and loads nothing. */
const svg = (text: string): Reply => ({
  status: 200,
  type: SVG,
  caching: 'long',
  body: text,
  headers: { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
})

const mark = svg(MARK)
const drawings = new Map<string, Reply>()
const MAX_CACHED = 1000

/** By the id of a listing: products that the shop does not sell yet have a picture too. */
export async function picture(visit: Visit, id: string): Promise<Reply | undefined> {
  if (id === 'mark') return mark
  const [listing] = await visit.shop.marketplace.listings({ product_id: id })
  if (listing === undefined) return undefined
  const key = JSON.stringify([id, listing.title, listing.category, listing.niche, listing.facts])
  return cached(drawings, key, () => svg(draw(listing)), MAX_CACHED)
}

export function robots(visit: Visit): Reply {
  const lines = [
    'User-agent: *',
    'Disallow: /shop/cart',
    'Disallow: /shop/order',
    'Disallow: /shop/pay',
    'Disallow: /shop/search',
    `Sitemap: ${originOf(visit)}/shop/sitemap.xml`,
  ]
  return { status: 200, type: 'text/plain; charset=utf-8', caching: 'checked', body: `${lines.join('\n')}\n` }
}

export function sitemap(visit: Visit): Reply {
  const { items, categories } = visit.catalogue
  const origin = originOf(visit)
  const paths = [
    '/shop/',
    ...categories.map(({ name }) => `/shop/?category=${encodeURIComponent(name)}`),
    '/shop/policies',
    ...items.map(productUrl),
  ]
  const urls = paths.map((path) => `<url><loc>${escapeHtml(absoluteUrl(path, origin))}</loc></url>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
  return { status: 200, type: 'application/xml; charset=utf-8', caching: 'checked', body: text }
}

/** Search engines need full URLs. Without a configured origin, the one of the request is used. */
const originOf = ({ origin, url }: Visit): string => (origin === '' ? url.origin : origin)
