/** The supplier agent: finds suppliers and negotiates prices. */
import { agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { findSuppliers } from './find-suppliers.ts'
import { negotiatePrice } from './negotiate-price.ts'
import { negotiationBrief } from './negotiation-brief.ts'
import { quotes, suppliers } from './resources.ts'

export const supplier = (shop: ShopSource) =>
  agent({
    name: 'supplier',
    version: '1.0.0',
    description: 'Finds suppliers of a product by landed cost, and negotiates prices.',
    tools: [findSuppliers(shop), negotiatePrice(shop)],
    resources: [suppliers(shop), quotes(shop)],
    prompts: [negotiationBrief(shop)],
  })
