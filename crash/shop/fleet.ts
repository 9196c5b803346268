/** The seven agents and the playbooks of the shop, over a shop of one's own. */
import type { Agent, Tool } from 'myrmex'
import type { Playbook } from 'myrmex/runs'
import {
  analytics,
  customerService,
  marketing,
  operations,
  productResearch,
  type ShopSource,
  storeBuild,
  supplier,
} from '../../packages/dropship/src/index.ts'
import { launch } from '../../packages/dropship/src/playbooks/launch.ts'
import { serve } from '../../packages/dropship/src/playbooks/serve.ts'

const AGENTS = [productResearch, supplier, storeBuild, marketing, customerService, operations, analytics]

export const agentsOf = (shop: ShopSource): Agent[] => AGENTS.map((agent) => agent(shop))

export const playbooksOf = (shop: ShopSource): Playbook[] => [launch(shop), serve(shop)]

export const toolsOf = (agents: readonly Agent[]): Tool[] => agents.flatMap(({ tools }) => [...tools])

export const SERVE = 'Serve the customers'
/** One category at a time: two launches of one product would bargain with one supplier. */
export const LAUNCHES = ['coffee', 'kitchen', 'pets', 'office', 'fitness', 'home decor'].map(
  (category) => `Launch a new ${category} brand`,
)
