import { expect, test } from 'vitest'
import { findSegment, type MarketSegment } from './market-segment.ts'

const ALL: readonly MarketSegment[] = [
  { kind: 'category', name: 'Coffee', category: 'Coffee' },
  { kind: 'category', name: 'Home Decor', category: 'Home Decor' },
  { kind: 'niche', name: 'pour over', category: 'Coffee' },
  { kind: 'niche', name: 'Ergonomic Chairs', category: 'Office' },
  { kind: 'niche', name: 'garden chairs', category: 'Outdoor' },
]

test.each([
  ['Coffee', 'Coffee'],
  ['coffee', 'Coffee'],
  ['  COFFEE ', 'Coffee'],
  ['coffee brand', 'Coffee'],
  ['home-decor', 'Home Decor'],
  ['decor', 'Home Decor'],
  ['Pour Over', 'pour over'],
  ['ergonomic chair', 'Ergonomic Chairs'],
])('%j means %s', (wanted, name) => {
  expect(findSegment(wanted, ALL, 'UnknownCategory').name).toBe(name)
})

test.each([
  ['cofee', 'Coffee'],
  ['home dekor', 'Home Decor'],
  ['ergonomik chairz', 'Ergonomic Chairs'],
])('%j is an error that names %s first', (wanted, nearest) => {
  const error = refusal(wanted)
  expect(error.error_type).toBe('UnknownCategory')
  expect(error.error_details.nearest[0]).toBe(nearest)
  expect(error.message).toContain(nearest)
})

test('a name that fits several is not guessed', () => {
  expect(refusal('chairs').error_details.nearest.toSorted()).toEqual(['Ergonomic Chairs', 'garden chairs'])
})

test.each([[''], ['!!!'], ['x'.repeat(10_000)]])('%# nonsense is refused, and not sent back whole', (wanted) => {
  expect(refusal(wanted).message.length).toBeLessThan(300)
})

function refusal(wanted: string): { error_type: string; message: string; error_details: { nearest: string[] } } {
  try {
    findSegment(wanted, ALL, 'UnknownCategory')
  } catch (error) {
    return error as never
  }
  throw new Error('it was found')
}
