/** Every tool of this repository, held against the checks that its users' tools are held against. */
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import { discover } from '../packages/myrmex/src/tool/discovery/discover.ts'
import type { VerifyFinding } from '../packages/myrmex/src/tool/verify/finding.ts'
import { toolBody, verifyBody, verifyTool } from '../packages/myrmex/src/tool/verify/verify-tool.ts'

/** Tools that exist for one test may be thin. */
const THIN = ['no-examples', 'no-description']
/** A note of the scanner is for people who decide about foreign tools. */
const isNote = ({ grade, quote }: VerifyFinding): boolean => grade === 'note' && quote !== undefined

test('nothing is wrong with any tool here, from its code or from its definition alone', async () => {
  const { tools, failed_modules } = await discover(ROOT)
  expect(failed_modules).toEqual([])
  expect(tools.length).toBeGreaterThan(30)
  for (const tool of tools) {
    for (const findings of [verifyTool(tool), verifyBody(toolBody(tool))]) {
      expect(
        findings.filter((finding) => !THIN.includes(finding.rule) && !isNote(finding)),
        tool.name,
      ).toEqual([])
    }
  }
})

test('an example for readers has no findings at all', async () => {
  const { tools } = await discover(join(ROOT, 'examples'))
  for (const tool of tools)
    expect(
      verifyTool(tool).filter((finding) => !isNote(finding)),
      tool.name,
    ).toEqual([])
})
