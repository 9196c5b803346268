/** One request to the storefront, with everything that its pages need to answer it. */
import type { Context } from 'hono'
import type { Shop } from '../ports.ts'
import type { Catalogue } from './catalogue.ts'
import type { Cart } from './checkout/cart.ts'
import type { Seal } from './checkout/seal.ts'
import { type FramedPage, type PageContext, renderFrame } from './pages/product-document.ts'
import type { TemplateEngine } from './pages/templates.ts'
import { HTML, type Reply } from './reply.ts'
import type { ProductSearch } from './search.ts'

export interface Visit extends PageContext {
  readonly c: Context
  readonly url: URL
  readonly shop: Shop
  readonly catalogue: Catalogue
  /** for when the cached catalogue turns out to be outdated */
  readonly reloadCatalogue: () => Promise<Catalogue>
  readonly search: () => Promise<ProductSearch>
  readonly engine: TemplateEngine
  readonly seal: Seal
  readonly cart: Cart | undefined
  /** cookies over https only */
  readonly secure: boolean
  /** Remembers that the shop refused an order because sales are paused. */
  readonly noteSalesPaused: () => void
}

type PageOptions = Partial<Pick<Reply, 'status' | 'caching' | 'imageOrigins' | 'headers'>>

export const page = (visit: Visit, framed: FramedPage, options: PageOptions = {}): Reply => ({
  status: 200,
  type: HTML,
  caching: 'checked',
  body: renderFrame(visit.engine, framed, visit),
  ...options,
})

type Message = Pick<Reply, 'status'> & Record<'heading' | 'text' | 'href' | 'link', string>

/** A page with one message: what was not found, or refused. */
export const messagePage = (visit: Visit, { status, ...scope }: Message, headers: Reply['headers'] = {}): Reply =>
  page(
    visit,
    { title: `${scope.heading} | ${visit.shopName}`, body: visit.engine.view('message', { ...scope }) },
    { status, caching: 'never', headers },
  )
