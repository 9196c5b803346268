import { expect, test } from 'vitest'
import { checkBump } from './bump.ts'
import type { ChangeLevel } from './change-kinds.ts'

test.each<[string, string, ChangeLevel, string]>([
  ['1.2.3', '2.0.0', 'major', 'enough'],
  ['1.2.3', '1.3.0', 'major', '2.0.0'],
  ['1.2.3', '1.2.4', 'major', '2.0.0'],
  ['1.2.3', '1.3.0', 'minor', 'enough'],
  ['1.2.3', '1.2.4', 'minor', '1.3.0'],
  ['1.2.3', '2.0.0', 'minor', 'enough'],
  ['1.2.3', '1.2.4', 'patch', 'enough'],
  ['1.2.3', '1.9.0', 'patch', 'enough'],
  ['1.2.3', '1.2.3', 'patch', '1.2.4'],
  ['1.2.3', '1.2.3', 'minor', '1.3.0'],
  ['1.2.3', '1.2.3', 'none', 'enough'],
  ['1.2.3', '1.2.4', 'none', 'enough'],
  ['1.2.3', '1.2.3+build.2', 'patch', '1.2.4'],
  ['1.2.3+build.1', '1.2.4+build.1', 'patch', 'enough'],
  ['1.2.3', '1.2.2', 'patch', '1.2.4'],
  ['1.2.3', '1.2.2', 'none', '1.2.3'],
  ['2.0.0', '1.9.9', 'major', '3.0.0'],
  ['0.3.1', '0.4.0', 'major', 'enough'],
  ['0.3.1', '0.3.2', 'major', '0.4.0'],
  ['0.3.1', '1.0.0', 'major', 'enough'],
  ['0.3.1', '0.3.2', 'minor', 'enough'],
  ['0.3.1', '0.3.2', 'patch', 'enough'],
  ['0.3.1', '0.3.1', 'minor', '0.3.2'],
  ['0.0.1', '0.0.2', 'major', '0.1.0'],
  ['1.2.0', '2.0.0-rc.1', 'major', 'enough'],
  ['1.2.0', '1.3.0-rc.1', 'major', '2.0.0'],
  ['1.2.0', '1.3.0-rc.1', 'minor', 'enough'],
  ['1.2.0', '1.2.1-rc.1', 'minor', '1.3.0'],
  ['2.0.0-rc.1', '2.0.0-rc.2', 'major', 'enough'],
  ['2.0.0-rc.1', '2.0.0', 'major', 'enough'],
  ['2.0.0-rc.2', '2.0.0-rc.1', 'patch', '2.0.0'],
  ['2.0.0-rc.1', '2.0.0-rc.1', 'patch', '2.0.0'],
  ['2.0.0', '2.0.0-rc.1', 'patch', '2.0.1'],
  ['1.2.3', '10.0.0', 'major', 'enough'],
  ['9.0.0', '10.0.0', 'major', 'enough'],
])('%s → %s for a change of level %s: %s', (before, after, needed, expected) => {
  const bump = checkBump(before, after, needed)
  expect(bump.enough ? 'enough' : bump.wouldDo).toBe(expected)
  if (!bump.enough) expect(bump.message).toContain(`${expected} would do`)
})

test.each<[string, string, ChangeLevel, string]>([
  ['1.2.0', '1.2.1', 'minor', '1.2.0 → 1.2.1 is too small a step. The changes need more than a patch: 1.3.0 would do.'],
  [
    '0.2.0',
    '0.2.1',
    'major',
    '0.2.0 → 0.2.1 is too small a step. The changes break callers: below 1.0.0 the second number says so, and 0.3.0 would do.',
  ],
  ['1.2.0', '1.1.0', 'patch', 'The version was lowered from 1.2.0 to 1.1.0. 1.2.1 would do.'],
  [
    '1.2.0',
    '1.2.0',
    'major',
    'The definition changed, and the version is still 1.2.0. The changes break callers: 2.0.0 would do.',
  ],
])('%s → %s for %s is refused in words', (before, after, needed, message) => {
  expect(checkBump(before, after, needed)).toMatchObject({ message })
})

test.each(['1.2', 'v1.2.3', '1.2.3.4', '99999999999999999999.0.0', ''])('%j is refused as no version', (text) => {
  expect(() => checkBump(text, '1.0.0', 'patch')).toThrow('is not a semantic version')
})
