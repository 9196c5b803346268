/** Says that an embedded shop is being created: its figures are simulated, and nobody should take them for their own. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { say } from 'myrmex/serve'
import { isLiveShop, shopFile } from '../agents/the-shop.ts'

export function sayIfCreated(): void {
  const file = shopFile(process.env)
  if (isLiveShop(process.env) || existsSync(file)) return
  say(`creating ${relative('.', file)}: a simulated shop with a year of history`)
}
