import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { PROBLEM_CODES } from './problem-codes.ts'

test('docs/plans.md explains exactly the problems that there are', async () => {
  const text = await readFile(new URL('../../../../../../docs/plans.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, code, sentence]) => [code, sentence])
  const explained = rows.filter(([code]) => code !== undefined && code in PROBLEM_CODES)
  expect(explained).toEqual(Object.entries(PROBLEM_CODES))
})
