/** The marketing agent on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { marketing } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const marketingAgent = marketing(theShop)
