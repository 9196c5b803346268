/** Orders, products and purchases of the shop as resources: shop://orders/1042. */
import { toAmount } from '../../money.ts'
import type { Order, Product, Purchase } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

export const orderRecords = recordResource<Order>({
  noun: 'orders',
  title: 'Orders',
  description: 'Orders, newest first: customer, contents, address and status.',
  id: ({ order_id }) => order_id,
  name: ({ order_id, status, placed_on }) => `Order ${order_id} of ${placed_on}: ${status}`,
  find: async (shop, order_id) => (await shop.orders.orders({ order_id, limit: 1 }))[0],
  page: (shop, after, limit) => shop.orders.orders({ after, limit }),
  shown: ({ total, refunded, lines, shipment, ...order }) => ({
    ...order,
    lines: lines.map((line) => ({ ...line, price: toAmount(line.price) })),
    total: toAmount(total),
    refunded: toAmount(refunded),
    shipment: shipment ?? null,
  }),
})

export const productRecords = recordResource<Product>({
  noun: 'products',
  title: 'Products',
  description: 'Products of the shop by SKU: price, supplier, cost, stock.',
  id: ({ sku }) => sku,
  name: ({ title, on_hand }) => `${title}: ${on_hand} in stock`,
  find: async (shop, sku) => (await shop.storefront.products({ sku, limit: 1 }))[0],
  page: (shop, after, limit) => shop.storefront.products({ after, limit }),
  shown: ({ price, unit, shipping, ...product }) => ({
    ...product,
    price: toAmount(price),
    unit: toAmount(unit),
    shipping: toAmount(shipping),
  }),
})

export const purchaseRecords = recordResource<Purchase>({
  noun: 'purchases',
  title: 'Purchases',
  description: 'Purchases from suppliers, for an order or for stock.',
  id: ({ purchase_id }) => purchase_id,
  name: ({ purchase_id, quantity, sku, status }) => `${purchase_id}: ${quantity} × ${sku}, ${status}`,
  find: async (shop, purchase_id) => (await shop.orders.purchases({ purchase_id, limit: 1 }))[0],
  page: (shop, after, limit) => shop.orders.purchases({ after, limit }),
  shown: ({ unit, shipping, total, order_id, ...purchase }) => ({
    ...purchase,
    unit: toAmount(unit),
    shipping: toAmount(shipping),
    total: toAmount(total),
    order_id: order_id ?? null,
  }),
})
