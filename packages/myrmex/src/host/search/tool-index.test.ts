import { expect, test } from 'vitest'
import { toTerm } from './tool-index.ts'

test('words that every description has are not indexed', () => {
  expect(toTerm('the')).toBeUndefined()
  expect(toTerm('tools')).toBeUndefined()
})

test('forms of one word have one term', () => {
  expect(toTerm('files')).toBe(toTerm('file'))
  expect(toTerm('searching')).toBe(toTerm('searched'))
})
