/** Says that a shop is created, before it is: its figures are simulated, and nobody should take them for their own. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { say } from 'myrmex/serve'
import { shopFile } from '../agents/the-shop.ts'

export function sayIfCreated(): void {
  const file = shopFile(process.env)
  if (!existsSync(file)) say(`created ${relative('.', file)}: a simulated shop with a year of history`)
}
