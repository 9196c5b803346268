/** The operations agent on the shop of this process. */
import { theShop } from '../the-shop.ts'
import { operations } from './agent.ts'

export { scratchShop as scratch } from '../the-shop.ts'
export const operationsAgent = operations(theShop)
