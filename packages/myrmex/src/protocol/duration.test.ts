import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['120 s', 120_000],
  ['15 min', 900_000],
  ['2 d', 172_800_000],
  ['250ms', 250],
  ['0s', undefined],
  ['15', undefined],
  ['-1s', undefined],
  ['999999999999999d', undefined],
])('the time %j is %j milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})
