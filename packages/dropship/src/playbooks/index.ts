/** The shop's playbooks: how a product is launched, how customers are served, what a report covers. */
import { theShop } from '../agents/the-shop.ts'
import { advertise } from './advertise.ts'
import { launch } from './launch.ts'
import { report } from './report.ts'
import { research } from './research.ts'
import { serve } from './serve.ts'
import { stock } from './stock.ts'
import { unsupported } from './unsupported.ts'

/** The first one that accepts a goal plans it. */
export const playbooks = [
  unsupported(),
  launch(theShop),
  serve(theShop),
  advertise(theShop),
  research(theShop),
  stock(theShop),
  report(theShop),
]
