/** The tree is the architecture: a folder imports from those above it, files have one job and open by saying which. */
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(ROOT, 'packages/myrmex/src')

/** From design.md, section 2. Those that are not there yet keep their place. */
const ORDER = [
  'protocol',
  'tool',
  'ledger',
  'pipeline',
  'server',
  'transport',
  'client',
  'host',
  'spec',
  'agent',
  'cli',
]

const filesOf = async (pattern: string, cwd: string): Promise<string[]> => {
  const files: string[] = []
  for await (const file of glob(pattern, { cwd, exclude: ['**/node_modules/**', '**/dist/**'] }))
    files.push(join(cwd, file))
  return files
}
const sources = (await filesOf('**/*.ts', SRC)).filter((file) => !file.endsWith('.test.ts'))

test('folders import only from those above them', async () => {
  expect(sources.length).toBeGreaterThan(50)
  const wrong: string[] = []
  for (const file of sources) {
    const from = relative(SRC, file).split('/')[0] as string
    if (from === 'index.ts') continue
    expect(ORDER, `${from} has a place in the order`).toContain(from)
    const text = await readFile(file, 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = relative(SRC, resolve(dirname(file), path as string)).split('/')[0] as string
      if (ORDER.indexOf(to) > ORDER.indexOf(from)) wrong.push(`${relative(SRC, file)} imports ${path}`)
    }
  }
  expect(wrong).toEqual([])
})

test('protocol and tool definitions do no I/O but for loading and watching files', async () => {
  const io = /from 'node:(fs|net|http|https|child_process|dgram|tls|worker_threads)/
  const allowed = ['tool/discover.ts', 'tool/watch.ts']
  for (const file of sources) {
    const name = relative(SRC, file)
    if (!/^(protocol|tool|pipeline|server)\//.test(name) || allowed.some((other) => name.startsWith(other))) continue
    expect(await readFile(file, 'utf8'), name).not.toMatch(io)
  }
})

test('every source file opens by saying what it is for, and none has grown past 400 lines', async () => {
  const all = [...sources, ...(await filesOf('{conformance,crash,bench,examples,scripts}/**/*.ts', ROOT))]
  for (const file of all) {
    const text = await readFile(file, 'utf8')
    const name = relative(ROOT, file)
    if (!name.endsWith('.test.ts')) expect(text, name).toMatch(/^(#!.*\n)?\/(\*\*|\/)/)
    expect(text.split('\n').length, name).toBeLessThan(400)
  }
})

test('no name says nothing of its job', async () => {
  for (const file of await filesOf('{packages,conformance,crash,bench,examples,test,scripts}/**/*.ts', ROOT)) {
    expect(relative(ROOT, file)).not.toMatch(/(^|\/)(utils?|helpers?|common|misc|manager)(\.|\/)/i)
  }
})
