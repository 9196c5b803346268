/** One request to the storefront, with all that its pages need to answer it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Shop } from '../ports.ts'
import { type Cart, cookieOf, newCart, piecesIn } from './cart.ts'
import type { Catalogue } from './catalogue.ts'
import type { Engine } from './engine.ts'
import { type Framed, inFrame, type Surroundings } from './product-document.ts'
import { Body, HTML, type Reply } from './reply.ts'
import type { Seal } from './seal.ts'
import type { Find } from './search.ts'

export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly shop: Shop
  readonly catalogue: Catalogue
  /** what the shop has at this moment, where what is kept turned out to be old */
  readonly reread: () => Promise<Catalogue>
  readonly find: () => Promise<Find>
  readonly engine: Engine
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

export const around = (visit: Visit): Surroundings => ({
  shopName: visit.shopName,
  currency: visit.shop.currency,
  origin: visit.origin,
  catalogue: visit.catalogue,
  pieces: visit.cart === undefined ? 0 : piecesIn(visit.cart),
  salesPaused: visit.salesPaused,
})

export interface PageOptions {
  readonly status?: number
  readonly keep?: Reply['keep']
  readonly imagesFrom?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

export function page(visit: Visit, framed: Framed, options: PageOptions = {}): Reply {
  const { status = 200, keep = 'checked', imagesFrom = [], headers = {} } = options
  return { status, type: HTML, keep, imagesFrom, headers, body: new Body(inFrame(visit.engine, framed, around(visit))) }
}

/** The shopper's cart, and the cookie to hand out where they had none. */
export function cartFor({ cart, seal, secure }: Visit): { cart: Cart; headers: Record<string, string> } {
  if (cart !== undefined) return { cart, headers: {} }
  const made = newCart()
  return { cart: made, headers: { 'Set-Cookie': cookieOf(made, seal, secure) } }
}
