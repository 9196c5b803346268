/** `myrmex dropship init`: creates what a shop needs and does not exist yet. It is safe to call again. */
import { dirname, relative } from 'node:path'
import { withRuns } from 'myrmex/runs'
import { type LedgerFlags, makePrivateFolder, requireFolder, say } from 'myrmex/serve'
import { closeTheShop, shopFile } from '../agents/the-shop.ts'
import { createShop } from '../embedded/create.ts'
import { trustOwnTools } from '../start/initial-trust.ts'
import { checkWritable, createProjectFiles } from '../start/project-files.ts'

export interface InitOptions extends LedgerFlags {
  seed: number
}

export async function init({ seed, ...ledger }: InitOptions): Promise<void> {
  await requireFolder('.')
  await checkWritable('.myrmex')
  const created = await createProjectFiles('.')
  const file = shopFile(process.env)
  makePrivateFolder(dirname(file))
  if (await createShop({ file, seed })) created.push(relative(process.cwd(), file))
  for (const path of created) say(`created ${path}`)
  await withRuns(ledger, { note: say }, async ({ environment }) => {
    const tools = environment.fleet.server.registry.listed().map(({ tool }) => tool)
    const trusted = await trustOwnTools(environment.ledger, tools, 'dropship init')
    if (trusted.length > 0) say(`trusted ${trusted.join(', ')}: each call still needs approval`)
    if (created.length + trusted.length === 0) say('everything exists already')
  })
  await closeTheShop()
}
