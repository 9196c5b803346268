/** What the shop serves that is no page: pictures, the style sheet, and what search engines ask for. */
import { escapeHtml } from '../../html.ts'
import { draw } from '../drawing/draw.ts'
import { Body, type Reply } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { productUrl } from './product-document.ts'
import { absoluteUrl } from './structured-data.ts'
import { STYLE } from './style.ts'

const style: Reply = { status: 200, type: 'text/css; charset=utf-8', caching: 'long', body: new Body(STYLE) }

export const styleSheet = (): Reply => style

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5c46"/><path d="M9 12h14l-1.2 11a2 2 0 0 1-2 1.8h-7.6a2 2 0 0 1-2-1.8z" fill="#fff"/><path d="M12.500 14v-3a3.500 3.500 0 0 1 7 0v3" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>'

const SVG = 'image/svg+xml'
/** A picture opened by itself runs nothing and loads nothing. */
const svg = (text: string): Reply => ({
  status: 200,
  type: SVG,
  caching: 'long',
  body: new Body(text),
  headers: { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
})

const mark = svg(MARK)
const drawings = new Map<string, Reply>()
const MAX_CACHED = 1000

/** `id` is that of a listing: what the shop does not sell yet has a picture too. */
export async function picture(visit: Visit, id: string): Promise<Reply | undefined> {
  if (id === 'mark') return mark
  const [listing] = await visit.shop.marketplace.listings({ product_id: id })
  if (listing === undefined) return undefined
  const key = JSON.stringify([id, listing.title, listing.category, listing.niche, listing.facts])
  const known = drawings.get(key)
  if (known !== undefined) return known
  const made = svg(draw(listing))
  if (drawings.size >= MAX_CACHED) drawings.clear()
  drawings.set(key, made)
  return made
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
  return { status: 200, type: 'text/plain; charset=utf-8', caching: 'checked', body: new Body(`${lines.join('\n')}\n`) }
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
  return { status: 200, type: 'application/xml; charset=utf-8', caching: 'checked', body: new Body(text) }
}

/** Full addresses must stand there. Where none is configured, the one that was asked at is right for whoever asked. */
const originOf = ({ origin, url }: Visit): string => (origin === '' ? url.origin : origin)
