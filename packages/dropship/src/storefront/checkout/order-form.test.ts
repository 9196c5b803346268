import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COUNTRIES } from '../../countries.ts'
import { FIELDS, fieldProblems, readOrderFields } from './order-form.ts'

const GOOD = {
  name: 'Zoë O’Neill',
  email: 'zoe@example.ie',
  street: 'Main Street 1',
  city: 'Dublin',
  postal_code: 'D02 AF30',
  country: 'IE',
}

test('a good address passes, and each field that is wrong is named', () => {
  expect(fieldProblems(GOOD)).toEqual({})
  const wrong = { name: '  ', email: 'zoe@', street: '12', city: '', postal_code: '12', country: 'XX' }
  for (const [field, value] of Object.entries(wrong)) {
    const filled = readOrderFields(new URLSearchParams({ ...GOOD, [field]: value }))
    expect(Object.keys(fieldProblems(filled))).toContain(field)
  }
  expect(fieldProblems({ ...GOOD, city: 'x'.repeat(101) })).toEqual({ city: 'City may have 100 characters at most.' })
})

const NASTY = fc.constantFrom(...'aZ19 @.-<"éß\0\n\u202e\u2028\u200d😀')

test('whatever is sent, what passes is printable, short and of a known country', () => {
  const fields = fc.record(
    Object.fromEntries(FIELDS.map(({ name }) => [name, fc.string({ unit: NASTY, maxLength: 60 })])),
  )
  fc.assert(
    fc.property(fields, fc.constantFrom(...COUNTRIES.map(({ code }) => code)), (sent, country) => {
      const filled = readOrderFields(new URLSearchParams({ ...sent, country }))
      expect(JSON.stringify(filled)).not.toMatch(/[\p{Cc}\p{Zl}\u202e]/u)
      if (Object.keys(fieldProblems(filled)).length > 0) return
      for (const { name, most } of FIELDS) expect(filled[name].length).toBeLessThanOrEqual(most)
    }),
    { numRuns: 200 },
  )
})

test('every country has a name of its own', () => {
  expect(new Set(COUNTRIES.map(({ name }) => name)).size).toBe(COUNTRIES.length)
  expect(COUNTRIES.every(({ code, name }) => name !== code)).toBe(true)
})
