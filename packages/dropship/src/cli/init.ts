/** `myrmex dropship init`: what a shop needs, made where it is not there yet. Safe to call again. */
import { mkdir } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { type LedgerFlags, say, withRuns } from 'myrmex/serve'
import { closeTheShop, shopFile } from '../agents/the-shop.ts'
import { createShop } from '../embedded/create.ts'
import { trustOwnTools } from '../start/initial-trust.ts'
import { checkWritable, createProjectFiles } from '../start/project-files.ts'

export interface InitOptions extends LedgerFlags {
  seed: number
}

export async function init({ seed, ...ledger }: InitOptions): Promise<void> {
  const folder = process.cwd()
  await checkWritable(folder)
  const made = await createProjectFiles(folder)
  const file = shopFile(process.env)
  await mkdir(dirname(file), { recursive: true })
  if (await createShop({ file, seed })) made.push(relative(folder, file))
  for (const name of made) say(`made ${name}`)
  await withRuns(ledger, { note: say }, async ({ environment }) => {
    const tools = environment.fleet.server.registry.listed().map(({ tool }) => tool)
    const { trusted, changed } = await trustOwnTools(environment.ledger, tools, 'dropship init')
    if (trusted.length > 0) say(`trusted ${trusted.join(', ')}: a plan or a call still needs a yes`)
    for (const name of changed) say(`${name} is not what was trusted; look: npx myrmex trust status ${name}`)
    if (made.length + trusted.length + changed.length === 0) say('everything is there already')
  })
  await closeTheShop()
}
