/** The supplier agent on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { supplier } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const supplierAgent = supplier(theShop)
