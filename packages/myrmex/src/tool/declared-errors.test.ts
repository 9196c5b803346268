import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { visibleDefinition } from './hash.ts'
import { type ToolDefinition, tool } from './tool.ts'

const made = (errors: object) =>
  tool({
    ...toolDefaults,
    name: 'shop.sell',
    description: 'Sells.',
    security: 'None.',
    input: { type: 'object' },
    output: { type: 'object' },
    errors: errors as ToolDefinition['errors'],
    run: () => ({}),
  })

test('an error is declared by its condition, or also with the schema of its details', () => {
  const { errors, errorTypes, errorDetails } = made({
    Full: 'No room.',
    SoldOut: { when: 'None is left.', details: z.object({ left: z.int().max(9) }) },
  })
  expect(errors).toEqual({ Full: 'No room.', SoldOut: 'None is left.' })
  expect([...errorTypes]).toEqual(['Full', 'SoldOut'])
  expect(Object.keys(errorDetails)).toEqual(['SoldOut'])
  expect(errorDetails.SoldOut?.parse({ left: 3 }).success).toBe(true)
  expect(errorDetails.SoldOut?.parse({ left: '3' }).success).toBe(false)
})

test('the definition hash is as it always was without details, and covers them', () => {
  const short = made({ SoldOut: 'None is left.' })
  expect(short.hash).toBe('d67bf8efef84df86364ea03ae0f6c6c94159bdc89c22afd705e40020d5b8bb9e')
  const long = made({ SoldOut: { when: 'None is left.', details: { type: 'string' } } })
  expect(long.hash).not.toBe(short.hash)
  expect(visibleDefinition(long)).toMatchObject({
    errors: { SoldOut: 'None is left.' },
    errorDetails: { SoldOut: { type: 'string' } },
  })
})

test.each([
  [
    'no condition',
    { details: { type: 'object' } },
    /"SoldOut" must have the condition that brings it about, as a text or in "when"/,
  ],
  ['an empty condition', { when: ' ', details: { type: 'object' } }, /"SoldOut" must have the condition/],
  ['nothing', null, /"SoldOut" must have the condition/],
  ['no schema', { when: 'None.' }, /"SoldOut" must have a schema in "details"; for none, write its condition alone/],
  ['a schema of a list', { when: 'None.', details: z.array(z.string()) }, /of type object or string/],
])('an error with %s is refused', (_what, declared, message) => {
  expect(() => made({ SoldOut: declared })).toThrow(message)
})
