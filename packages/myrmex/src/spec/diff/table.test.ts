/** Changes as authors make them, each with the level it asks for and the name it gets. */

import { BEHAVIOUR } from '@myrmex/testing/spec/changes/behaviour'
import { body } from '@myrmex/testing/spec/changes/change-case'
import { CHOICES } from '@myrmex/testing/spec/changes/choices'
import { OUTPUT } from '@myrmex/testing/spec/changes/output'
import { DEFAULTS, PARAMETERS } from '@myrmex/testing/spec/changes/parameters'
import { PROPERTY_NAMES } from '@myrmex/testing/spec/changes/property-names'
import { VALUES } from '@myrmex/testing/spec/changes/values'
import { expect, test } from 'vitest'
import { CHANGES, type ChangeKind, compare } from '../diff.ts'

const CASES = [...PARAMETERS, ...VALUES, ...DEFAULTS, ...OUTPUT, ...PROPERTY_NAMES, ...CHOICES, ...BEHAVIOUR]

test.each(CASES)('%s', (_name, before, after, level, kinds) => {
  const comparison = compare(body(before), body(after))
  expect(comparison.changes.map(({ kind }) => kind)).toEqual(kinds)
  expect(comparison.level).toBe(level)
})

test('the table has a case for nearly every kind of change, and a reason for all of them', () => {
  const seen = new Set(CASES.flatMap((one) => one[4]))
  const unseen = Object.keys(CHANGES).filter((kind) => !seen.has(kind as ChangeKind))
  expect(unseen).toEqual(['header-removed', 'output-undecided', 'malformed', 'timeout-changed'])
  for (const { reason } of Object.values(CHANGES)) expect(reason).toMatch(/^[A-Z].*\.$/)
})
