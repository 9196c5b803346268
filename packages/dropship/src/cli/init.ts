/** `myrmex dropship init`: what a shop needs, made where it is not there yet. Safe to call again. */
import { mkdir } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { type LedgerChoice, say, withRuns } from 'myrmex/cli'
import { closeTheShop, shopFile } from '../agents/the-shop.ts'
import { createShop } from '../embedded/create.ts'
import { trustAtFirst } from '../start/first-trust.ts'
import { checkWritable, makeFiles } from '../start/place.ts'

export interface InitOptions extends LedgerChoice {
  seed: number
}

export async function init({ seed, ...ledger }: InitOptions): Promise<void> {
  const folder = process.cwd()
  await checkWritable(folder)
  const made = await makeFiles(folder)
  const file = shopFile(process.env)
  await mkdir(dirname(file), { recursive: true })
  if (await createShop({ file, seed })) made.push(relative(folder, file))
  for (const name of made) say(`made ${name}`)
  await withRuns(ledger, { note: say }, async ({ office }) => {
    const tools = office.fleet.server.registry.listed().map(({ tool }) => tool)
    const { trusted, changed } = await trustAtFirst(office.ledger, tools, 'dropship init')
    if (trusted.length > 0) say(`trusted ${trusted.join(', ')}: a plan or a call still needs a yes`)
    for (const name of changed) say(`${name} is not what was trusted; look: npx myrmex trust status ${name}`)
    if (made.length + trusted.length + changed.length === 0) say('everything is there already')
  })
  await closeTheShop()
}
