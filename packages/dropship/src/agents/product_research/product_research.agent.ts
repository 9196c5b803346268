/** The research agent on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { productResearch } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const productResearchAgent = productResearch(theShop)
