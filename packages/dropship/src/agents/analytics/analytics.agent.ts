/** The analytics agent on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { analytics } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const analyticsAgent = analytics(theShop)
