/** The operations agent: checks the stock and fulfils orders. */
import { type Agent, agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { checkInventory } from './check-inventory.ts'
import { fulfillOrder } from './fulfill-order.ts'
import { morningOrders } from './morning-orders.ts'
import { orderRecords, productRecords, purchaseRecords } from './resources.ts'

export const operations = (shop: ShopSource): Agent =>
  agent({
    name: 'operations',
    version: '1.0.0',
    description: 'Checks stock and fulfils orders.',
    tools: [checkInventory(shop), fulfillOrder(shop)],
    resources: [orderRecords(shop), productRecords(shop), purchaseRecords(shop)],
    prompts: [morningOrders(shop)],
  })
