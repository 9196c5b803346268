import { dirname, join, parse } from 'node:path'
import { expect, test } from 'vitest'
import { shownFailure, shownPath } from './shown-path.ts'

const here = process.cwd()

test.each([
  ['below the working directory', join(here, 'tools/a.tools.ts'), 'tools/a.tools.ts'],
  ['with a name that begins with two dots', join(here, '..a/a.tools.ts'), '..a/a.tools.ts'],
  ['beside it', `${here}2/a.tools.ts`, `${here}2/a.tools.ts`],
  ['above it', join(dirname(here), 'a.tools.ts'), join(dirname(here), 'a.tools.ts')],
  ['at the root', join(parse(here).root, 'a.tools.ts'), join(parse(here).root, 'a.tools.ts')],
])('a file %s', (_where, file, shown) => {
  expect(shownPath(file)).toBe(shown)
})

test('the paths in the message of a failure are shown like its own, and no part of another path or URL is', () => {
  const file = join(here, 'a.tools.ts')
  const error = `in ${file}:3:1 and '${file}', not in ${here}2/a.tools.ts, /srv${file} or file://${file}`
  expect(shownFailure({ module: file, file, line: 3, column: 1, error_type: 'Error', error })).toEqual({
    module: 'a.tools.ts',
    file: 'a.tools.ts',
    line: 3,
    column: 1,
    error_type: 'Error',
    error: `in a.tools.ts:3:1 and 'a.tools.ts', not in ${here}2/a.tools.ts, /srv${file} or file://${file}`,
  })
})
