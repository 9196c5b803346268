/**
 * The ports: everything that agents can see and change of a shop. The embedded shop implements all of them in one SQLite file; a
 * live adapter implements those it can. Every method that changes something takes an idempotency key and changes it once per key.
 * A method lists the types of the ToolErrors it throws.
 */
import type { Day } from './day.ts'
import type { Ads } from './ports/ads.ts'
import type { Books } from './ports/books.ts'
import type { Helpdesk } from './ports/helpdesk.ts'
import type { Marketplace } from './ports/marketplace.ts'
import type { Orders } from './ports/orders.ts'
import type { Storefront } from './ports/storefront.ts'
import type { Suppliers } from './ports/suppliers.ts'

export type * from './ports/ads.ts'
export { PLATFORMS } from './ports/ads.ts'
export type * from './ports/books.ts'
export type * from './ports/helpdesk.ts'
export { INTENTS, SENTIMENTS } from './ports/helpdesk.ts'
export type * from './ports/idempotency-key.ts'
export type * from './ports/marketplace.ts'
export type * from './ports/orders.ts'
export type * from './ports/paging.ts'
export type * from './ports/storefront.ts'
export type * from './ports/suppliers.ts'

export interface Clock {
  /** The shop's own day. In a simulated market it advances with the simulation, not with real time. */
  today(): Promise<Day>
}

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
  /** Changes whenever something in the shop may have changed. Cheap enough to poll. */
  revision(): number
  close(): Promise<void>
}

/** How tools reach their shop. It is called at every use, so that a module can be loaded before its shop exists. */
export type ShopSource = () => Promise<Shop>
