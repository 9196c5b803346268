/** The supplier agent: knows who delivers what, and gets it cheaper. */
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
    description: 'Finds who delivers a product, by what it costs all in, and negotiates the price.',
    tools: [findSuppliers(shop), negotiatePrice(shop)],
    resources: [suppliers(shop), quotes(shop)],
    prompts: [negotiationBrief(shop)],
  })
