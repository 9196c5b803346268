/** What the shop's owner knows about goals: how a product is launched, what serving the customers means, what a report is of. */
import { theShop } from '../agents/the-shop.ts'
import { beyond } from './beyond.ts'
import { launch } from './launch.ts'
import { report } from './report.ts'
import { serve } from './serve.ts'
import { stock } from './stock.ts'

export const playbooks = [beyond(), launch(theShop), serve(theShop), stock(theShop), report(theShop)]
