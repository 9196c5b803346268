/** `npm test` runs commands in a warm process: what they print and return is what a process of their own prints and returns. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

const TOOLS = fixturePath('shop.tools.ts')

test.each([
  [['tools', TOOLS, '--json']],
  [['call', 'shop.price', '{"article": "cup"}', '--file', TOOLS]],
  [['call', 'shop.price', '{"article": 1', '--file', TOOLS]],
  [['serve', TOOLS]],
  [['nothing']],
])('myrmex %j', async (args) => {
  const run = (ownProcess: boolean) =>
    runToEnd(args, {
      cwd: mkdtempSync(join(process.cwd(), 'warm-')),
      env: { ...process.env, NO_COLOR: '1' },
      ownProcess,
    })
  const [own, warm] = [await run(true), await run(false)]
  expect(warm).toEqual(own)
  expect(own.stdout + own.stderr).not.toBe('')
})
