/** The tree is the architecture: a folder imports from those above it, files have one job and open by saying which. */

import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

const SRC = join(ROOT, 'packages/myrmex/src')
const SHOP = join(ROOT, 'packages/dropship/src')

/** A folder imports from those above it. ARCHITECTURE.md describes each. */
const PLATFORM_ORDER = [
  'protocol',
  'schema',
  'english',
  'tool',
  'ledger',
  'pipeline',
  'server',
  'transport',
  'client',
  'host',
  'serve',
  'spec',
  'agent',
  'cli',
]

/** The words that everything speaks, then the folders. index.ts and command.ts are its two doors and stand outside. */
const SHOP_ORDER = [
  'cached.ts',
  'countries.ts',
  'day.ts',
  'figures.ts',
  'money.ts',
  'ports',
  'ports.ts',
  'message.ts',
  'market',
  'embedded',
  'forecast',
  'tickets',
  'charts',
  'storefront',
  'shopify',
  'agents',
  'playbooks',
  'start',
  'cli',
]
const DOORS = ['index.ts', 'command.ts']

const filesOf = async (pattern: string, cwd: string): Promise<string[]> => {
  const files: string[] = []
  for await (const file of glob(pattern, { cwd, exclude: ['**/node_modules/**', '**/dist/**'] }))
    files.push(join(cwd, file))
  return files
}
const isTest = (file: string): boolean => file.endsWith('.test.ts')
const sources = (await filesOf('**/*.ts', SRC)).filter((file) => !isTest(file))
const shopSources = (await filesOf('**/*.ts', SHOP)).filter((file) => !isTest(file))

async function importsOf(file: string): Promise<string[]> {
  const found = (await readFile(file, 'utf8')).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
  return [...found].map(([, path]) => resolve(dirname(file), path as string))
}

test.each([
  ['myrmex', SRC, PLATFORM_ORDER, sources],
  ['dropship', SHOP, SHOP_ORDER, shopSources],
] as const)('folders of %s import only from those above them', async (_name, src, order, files) => {
  expect(files.length).toBeGreaterThan(50)
  const wrong: string[] = []
  const placeOf = (file: string): string => relative(src, file).split('/')[0] as string
  for (const file of files) {
    const from = placeOf(file)
    if (DOORS.includes(from)) continue
    expect(order, `${from} has a place in the order`).toContain(from)
    for (const imported of await importsOf(file)) {
      if (order.indexOf(placeOf(imported)) > order.indexOf(from))
        wrong.push(`${relative(src, file)} imports ${relative(src, imported)}`)
    }
  }
  expect(wrong).toEqual([])
})

/** The supplier's side of a talk, which nobody but the supplier sees. */
const SUPPLIERS_SIDE = 'packages/dropship/src/embedded/suppliers/negotiate.ts'

test('what the market hides is read by itself, the bench and tests, and by no agent', async () => {
  const secret = join(SHOP, 'market/world/hidden-parameters.ts')
  const readers: string[] = []
  for (const file of await filesOf('{packages,crash,examples,scripts,conformance}/**/*.ts', ROOT)) {
    const name = relative(ROOT, file)
    if (isTest(name) || /^packages\/dropship\/src\/market\//.test(name)) continue
    if ((await importsOf(file)).includes(secret)) readers.push(name)
  }
  expect(readers).toEqual([SUPPLIERS_SIDE])
})

test('protocol and tool definitions do no I/O but for loading and watching files', async () => {
  const io = /from 'node:(fs|net|http|https|child_process|dgram|tls|worker_threads)/
  const allowed = ['tool/discovery/']
  for (const file of sources) {
    const name = relative(SRC, file)
    if (!/^(protocol|tool|pipeline|server)\//.test(name) || allowed.some((other) => name.startsWith(other))) continue
    expect(await readFile(file, 'utf8'), name).not.toMatch(io)
  }
})

/** Long lists, read from top to bottom: what there is to sell, and samples of the spec tests. */
const LONG = [
  'packages/dropship/src/market/world/catalogue/niches.ts',
  'testing/spec/containment-cases.ts',
  'testing/spec/sample-documents.ts',
]

test('every source file opens by saying what it is for, and none has grown past 400 lines', async () => {
  const others = await filesOf(
    '{conformance,crash,fuzz,soak,bench,examples,scripts,testing,packages/dropship/training}/**/*.ts',
    ROOT,
  )
  const all = [...sources, ...shopSources, ...others]
  for (const file of all) {
    const text = await readFile(file, 'utf8')
    const name = relative(ROOT, file)
    if (!name.endsWith('.test.ts')) expect(text, name).toMatch(/^(#!.*\n)?\/(\*\*|\/)/)
    if (!LONG.includes(name)) expect(text.split('\n').length, name).toBeLessThan(400)
  }
})

test('no name says nothing of its job', async () => {
  for (const file of await filesOf(
    '{packages,conformance,crash,fuzz,soak,bench,examples,test,testing,scripts}/**/*.ts',
    ROOT,
  )) {
    expect(relative(ROOT, file)).not.toMatch(/(^|\/)(utils?|helpers?|common|misc|manager)(\.|\/)/i)
  }
})
