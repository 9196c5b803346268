/** The research agent: finds out from the marketplace what is worth selling. */
import { agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { analyzeNiche } from './analyze-niche.ts'
import { findWinningProducts } from './find-winning-products.ts'
import { researchBrief } from './research-brief.ts'
import { listings, niches } from './resources.ts'

export const productResearch = (shop: ShopSource) =>
  agent({
    name: 'product_research',
    version: '1.0.0',
    description: 'Finds products worth selling and assesses niches, from marketplace figures.',
    tools: [findWinningProducts(shop), analyzeNiche(shop)],
    resources: [listings(shop), niches(shop)],
    prompts: [researchBrief(shop)],
  })
