/**
 * The ports: everything the agents know of the world. The embedded shop implements all of them in one SQLite file; a live adapter
 * implements those it can. Methods that change something take a key and take effect once per key. Failures are ToolErrors; their
 * types are listed at each method.
 */
import type { Ads } from './ports/ads.ts'
import type { Books } from './ports/books.ts'
import type { Clock } from './ports/clock.ts'
import type { Helpdesk } from './ports/helpdesk.ts'
import type { Marketplace } from './ports/marketplace.ts'
import type { Orders } from './ports/orders.ts'
import type { Storefront } from './ports/storefront.ts'
import type { Suppliers } from './ports/suppliers.ts'

export type * from './ports/ads.ts'
export { PLATFORMS } from './ports/ads.ts'
export type * from './ports/books.ts'
export type * from './ports/clock.ts'
export type * from './ports/helpdesk.ts'
export type * from './ports/key.ts'
export type * from './ports/marketplace.ts'
export type * from './ports/orders.ts'
export type * from './ports/storefront.ts'
export type * from './ports/suppliers.ts'

/** The whole shop. */
export interface Shop {
  readonly clock: Clock
  readonly marketplace: Marketplace
  readonly suppliers: Suppliers
  readonly storefront: Storefront
  readonly ads: Ads
  readonly orders: Orders
  readonly helpdesk: Helpdesk
  readonly books: Books
  readonly currency: string
  /** changes whenever anything in the shop may have changed; cheap to call */
  revision(): number
  close(): Promise<void>
}

/** Returns the shop that tools work on. Called on every tool call, so that a module can be loaded before the shop exists. */
export type ShopSource = () => Promise<Shop>
