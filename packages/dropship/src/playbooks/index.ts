/** What the shop's owner knows about goals: how a product is launched, what serving the customers means, what a report is of. */
import { theShop } from '../agents/the-shop.ts'
import { advertise } from './advertise.ts'
import { launch } from './launch.ts'
import { report } from './report.ts'
import { research } from './research.ts'
import { serve } from './serve.ts'
import { stock } from './stock.ts'
import { unsupported } from './unsupported.ts'

/** The first that takes a goal plans it. */
export const playbooks = [
  unsupported(),
  launch(theShop),
  serve(theShop),
  advertise(theShop),
  research(theShop),
  stock(theShop),
  report(theShop),
]
