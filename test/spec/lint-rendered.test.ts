/** Every tool of the repository, rendered: the linter has no error to report, and no warning that its definition does not have. */

import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import { toText } from '../../packages/myrmex/src/spec/lint/report.ts'
import { lint } from '../../packages/myrmex/src/spec/lint.ts'
import { renderDocument } from '../../packages/myrmex/src/spec/render.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'
import { toolBody, verifyTool } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'

const files: string[] = []
for await (const file of glob('{bench,crash,examples,packages,test,testing}/**/*.tools.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
}))
  files.push(file)

test('there are tools to look at', () => expect(files.length).toBeGreaterThan(8))

test.each(files)('%s', async (file) => {
  const { tools } = await loadModule(join(ROOT, file))
  if (tools.length === 0) return
  const findings = lint(file, renderDocument(tools.map(toolBody)))
  expect(toText(findings.filter(({ severity }) => severity === 'error'))).toBe('')
  const counted = (rules: readonly string[]) => rules.toSorted()
  const inDefinitions = tools
    .flatMap((tool) => verifyTool(tool))
    .filter(({ grade, quote }) => grade !== 'note' || quote === undefined)
    .map(({ rule }) => rule)
  expect(counted(findings.map(({ rule }) => rule).filter((rule) => rule !== 'example-missing-failure'))).toEqual(
    counted(inDefinitions),
  )
})
