/** Commands that decide use the ledger of the demo that `npm start` made, so that what they say and change is about the running shop. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { expect, onTestFinished, test } from 'vitest'

test.each(['approvals list', 'approve k3w', 'operator status', 'status'])('myrmex %s', async (words) => {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.myrmex', 'demo'), { recursive: true })
  writeFileSync(join(folder, '.myrmex', 'demo', 'myrmex.fleet.json'), '{"agents":{}}')
  const { MYRMEX_LEDGER: _own, ...env } = process.env
  const { stderr } = await runToEnd(words.split(' '), { cwd: folder, env })
  expect(stderr).toContain(join('.myrmex', 'demo', 'ledger.db'))
})
