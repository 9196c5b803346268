/** The tools of the repository are documented, and no document is out of date. Those of tests are test data and have none. */

import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import { checkFolder } from '../../packages/myrmex/src/spec/check.ts'
import { DOCUMENT } from '../../packages/myrmex/src/spec/render.ts'
import { toolFiles } from '../../packages/myrmex/src/tool/discovery/discover.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'

const folders = new Set<string>()
for await (const file of glob('{packages,examples,bench,crash}/**/*.{tools,agent}.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
})) {
  folders.add(dirname(file))
}

/** `npm run spec` checks these, as part of `npm test`. */
const CHECKED = ['examples', 'packages/dropship/src/agents']
const others = [...folders].filter((folder) => !CHECKED.some((checked) => folder.startsWith(`${checked}/`)))

test('there are tools to document, and npm run spec checks most of them', async () => {
  expect(folders.size - others.length).toBeGreaterThan(7)
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.spec).toBe(`node packages/myrmex/bin/myrmex.js spec check ${CHECKED.join(' ')}`)
})

test.each(others)(`${DOCUMENT} in %s is what its tools are`, async (folder) => {
  const document = join(folder, DOCUMENT)
  const modules = await Promise.all((await toolFiles(join(ROOT, folder), false)).map((file) => loadModule(file)))
  const { findings } = await checkFolder(document, await readFile(join(ROOT, document), 'utf8'), modules)
  expect(findings.filter(({ rule }) => rule.startsWith('document-') || rule === 'example-changed')).toEqual([])
})
