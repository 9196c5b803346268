/** All ports over one store. */
import { ads } from './ads/ads.ts'
import { books } from './books.ts'
import { marketplace } from './catalogue/marketplace.ts'
import { storefront } from './catalogue/storefront.ts'
import { dump } from './database/dump.ts'
import type { Store } from './database/store.ts'
import { helpdesk } from './helpdesk.ts'
import type { EmbeddedShop } from './open.ts'
import { orders } from './orders/orders.ts'
import { suppliers } from './suppliers/suppliers.ts'

export const createShopPorts = (store: Store): EmbeddedShop => ({
  clock: { today: async () => store.today() },
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
