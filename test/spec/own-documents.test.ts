/** The tools of the repository are documented, and no document is out of date. Those of tests are test data and have none. */

import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import { DOCUMENT, renderDocument } from '../../packages/myrmex/src/spec/render.ts'
import { toolFiles } from '../../packages/myrmex/src/tool/discovery/discover.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'
import { toolBody } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'

const folders = new Set<string>()
for await (const file of glob('{packages,examples,bench,crash}/**/*.{tools,agent}.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
})) {
  folders.add(dirname(file))
}

test('there are tools to document', () => {
  expect(folders.size).toBeGreaterThan(9)
})

test.each([...folders])(`${DOCUMENT} in %s is what its tools are`, async (folder) => {
  const modules = await Promise.all((await toolFiles(join(ROOT, folder), false)).map((file) => loadModule(file)))
  const expected = renderDocument(modules.flatMap(({ tools }) => tools.map(toolBody)))
  expect(await readFile(join(ROOT, folder, DOCUMENT), 'utf8')).toBe(expected)
})
