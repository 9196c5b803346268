/** The marketing agent: writes copy from the facts of products, and runs ad campaigns. */
import { type Agent, agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { campaignBrief } from './campaign-brief.ts'
import { createAdCampaign } from './create-ad-campaign.ts'
import { campaigns, creatives } from './resources.ts'
import { writeCopy } from './write-copy.ts'

export const marketing = (shop: ShopSource): Agent =>
  agent({
    name: 'marketing',
    version: '1.0.0',
    description: 'Writes advertising copy from the facts of a product, and runs ad campaigns with a predicted return.',
    tools: [writeCopy(shop), createAdCampaign(shop)],
    resources: [campaigns(shop), creatives(shop)],
    prompts: [campaignBrief(shop)],
  })
