/** The store builder on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { storeBuild } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const storeBuildAgent = storeBuild(theShop)
