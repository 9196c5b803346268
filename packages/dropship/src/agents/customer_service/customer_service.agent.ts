/** The customer service agent on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { customerService } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const customerServiceAgent = customerService(theShop)
