/** The nearest names: slips and missing words are forgiven, what has nothing in common is not named. */
import { expect, test } from 'vitest'
import { nearestMatches, nearestNames } from './nearest.ts'

const NAMES = ['Red Chair', 'Comfy Chair', 'Café Table', 'Dog Bed', 'Red Chair']

test('a slip of the finger still finds what was meant, first', () => {
  expect(nearestNames('red chiar', NAMES)[0]).toBe('Red Chair')
  expect(nearestNames('CAFE-TABEL', NAMES)[0]).toBe('Café Table')
})

test('each name comes once, the nearest first, and no more than wanted', () => {
  expect(nearestNames('chair', NAMES, 2)).toEqual(['Red Chair', 'Comfy Chair'])
})

test.each(['qqq', '', 'coffee grinder', 'garden hose', 'blue sofa'])('nothing is near %j', (text) => {
  expect(nearestNames(text, NAMES)).toEqual([])
})

test('of several names of a thing the nearer counts', () => {
  const things = [
    { sku: 'chair-red', title: 'Armchair' },
    { sku: 'x-1', title: 'Red Chairs' },
  ]
  const found = nearestMatches('chair red', things, { names: ({ sku, title }) => [title, sku], most: 1 })
  expect(found).toEqual([things[0]])
})
