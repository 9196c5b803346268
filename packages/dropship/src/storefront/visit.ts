/** One request to the storefront, with all that its pages need to answer it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Shop } from '../ports.ts'
import type { Catalogue } from './catalogue.ts'
import { type Cart, cookieOf, countPieces, newCart } from './checkout/cart.ts'
import type { Seal } from './checkout/seal.ts'
import { type FramedPage, type PageContext, renderFrame } from './pages/product-document.ts'
import type { TemplateEngine } from './pages/templates.ts'
import { Body, HTML, type Reply } from './reply.ts'
import type { ProductSearch } from './search.ts'

export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly shop: Shop
  readonly catalogue: Catalogue
  /** what the shop has at this moment, where what is kept turned out to be old */
  readonly reloadCatalogue: () => Promise<Catalogue>
  readonly search: () => Promise<ProductSearch>
  readonly engine: TemplateEngine
  readonly seal: Seal
  readonly cart: Cart | undefined
  readonly shopName: string
  /** as it is configured; empty: not known */
  readonly origin: string
  readonly secure: boolean
  readonly salesPaused: boolean
  /** Remembers that the shop refused an order because sales are paused. */
  readonly noteSalesPaused: () => void
}

export const pageContext = (visit: Visit): PageContext => ({
  shopName: visit.shopName,
  currency: visit.shop.currency,
  origin: visit.origin,
  catalogue: visit.catalogue,
  pieces: visit.cart === undefined ? 0 : countPieces(visit.cart),
  salesPaused: visit.salesPaused,
})

export interface PageOptions {
  readonly status?: number
  readonly keep?: Reply['caching']
  readonly imagesFrom?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

export function page(visit: Visit, framed: FramedPage, options: PageOptions = {}): Reply {
  const { status = 200, keep = 'checked', imagesFrom = [], headers = {} } = options
  return {
    status,
    type: HTML,
    caching: keep,
    imageOrigins: imagesFrom,
    headers,
    body: new Body(renderFrame(visit.engine, framed, pageContext(visit))),
  }
}

/** The shopper's cart, and the cookie to hand out where they had none. */
export function cartFor({ cart, seal, secure }: Visit): { cart: Cart; headers: Record<string, string> } {
  if (cart !== undefined) return { cart, headers: {} }
  const made = newCart()
  return { cart: made, headers: { 'Set-Cookie': cookieOf(made, seal, secure) } }
}
