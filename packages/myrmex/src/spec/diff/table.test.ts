/** Changes as authors make them, each with the level it asks for and the name it gets. */
import { expect, test } from 'vitest'
import { BEHAVIOUR } from '../../../../../testing/spec/changes/behaviour.ts'
import { body } from '../../../../../testing/spec/changes/change-case.ts'
import { CHOICES } from '../../../../../testing/spec/changes/choices.ts'
import { OUTPUT } from '../../../../../testing/spec/changes/output.ts'
import { DEFAULTS, PARAMETERS } from '../../../../../testing/spec/changes/parameters.ts'
import { PROPERTY_NAMES } from '../../../../../testing/spec/changes/property-names.ts'
import { VALUES } from '../../../../../testing/spec/changes/values.ts'
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
  expect(unseen).toEqual(['header-removed', 'output-undecided', 'malformed', 'timeout-changed', 'metadata'])
  for (const { reason } of Object.values(CHANGES)) expect(reason).toMatch(/^[A-Z].*\.$/)
})
