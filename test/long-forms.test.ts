/** A long form that no script runs is run by nobody: `npm run test:long` runs the scripts of package.json that set MYRMEX_LONG. */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

/** `npm run test:fuzz` sends more than its long form. */
const ELSEWHERE = ['test/fuzz/fuzz.test.ts']

test('every test with a long form is run by a script that sets MYRMEX_LONG', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const paths = Object.values(scripts)
    .filter((script) => script.startsWith('MYRMEX_LONG=1 vitest run'))
    .flatMap((script) => script.split(' ').filter((word) => /^(?:test|packages)\//.test(word)))
  const forgotten: string[] = []
  const places = ['test/**/*.test.ts', 'packages/*/{src,training}/**/*.test.ts', 'examples/**/*.test.ts']
  const exclude = (path: string) => path.includes('node_modules')
  for await (const file of glob(places, { cwd: ROOT, exclude })) {
    if (ELSEWHERE.includes(file) || paths.some((path) => file.startsWith(path))) continue
    const hasLongForm =
      file.endsWith('.long.test.ts') || /@myrmex\/testing\/long'/.test(await readFile(join(ROOT, file), 'utf8'))
    if (hasLongForm) forgotten.push(file)
  }
  expect(forgotten).toEqual([])
})
