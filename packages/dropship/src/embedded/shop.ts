/** All ports over one store. */
import { ads } from './ads.ts'
import { books } from './books.ts'
import { clock } from './clock.ts'
import { dump } from './dump.ts'
import { helpdesk } from './helpdesk.ts'
import { marketplace } from './marketplace.ts'
import type { EmbeddedShop } from './open.ts'
import { orders } from './orders.ts'
import type { Store } from './store.ts'
import { storefront } from './storefront.ts'
import { suppliers } from './suppliers.ts'

export type { EmbeddedShop }

export const shopOver = (store: Store): EmbeddedShop => ({
  clock: clock(store),
  marketplace: marketplace(store),
  suppliers: suppliers(store),
  storefront: storefront(store),
  ads: ads(store),
  orders: orders(store),
  helpdesk: helpdesk(store),
  books: books(store),
  currency: store.meta('currency') ?? 'EUR',
  revision: () => store.revision(),
  db: store.db,
  kysely: store.kysely,
  dump: () => dump(store.db),
  close: () => store.close(),
})
