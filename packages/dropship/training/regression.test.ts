import { expect, test } from 'vitest'
import { softmax } from '../src/figures.ts'
import { bestTemperature, calibrationError, type Row, scoresOf, trainRegression } from './regression.ts'

const rows: Row[] = [
  [[0, 1]],
  [
    [0, 1],
    [2, 1],
  ],
  [[1, 1]],
  [
    [1, 1],
    [2, 1],
  ],
]
const options = { classes: 2, features: 3, penalty: 0.01, rounds: 500 }

test('what separates the classes gets the weight, what does not gets none', () => {
  const weights = trainRegression(rows, [0, 0, 1, 1], options)
  const [first = 0, second = 0] = scoresOf(weights, [[0, 1]])
  expect(first - second).toBeGreaterThan(3)
  const [same = 0, alike = 0] = scoresOf(weights, [[2, 1]])
  expect(Math.abs(same - alike)).toBeLessThan(1e-6)
})

test('it ends where the slope is flat', () => {
  const { flat } = trainRegression(rows, [0, 0, 1, 1], options)
  const loss = (values: Float64Array): number => {
    const held = values.slice(0, 6).reduce((sum, value) => sum + value * value, 0)
    const missed = rows.reduce((sum, row, at) => {
      const chances = softmax(scoresOf({ classes: 2, flat: values }, row))
      return sum - Math.log(chances[at < 2 ? 0 : 1] ?? 0)
    }, 0)
    return missed / rows.length + (options.penalty / 2) * held
  }
  const least = loss(flat)
  for (let at = 0; at < flat.length; at++) {
    for (const off of [-0.01, 0.01]) {
      const moved = Float64Array.from(flat)
      moved[at] = (moved[at] ?? 0) + off
      expect(loss(moved)).toBeGreaterThan(least - 1e-9)
    }
  }
})

test('the temperature undoes too much confidence', () => {
  // Nine in ten are right, but the scores say 0.9999.
  const scores = Array.from({ length: 1000 }, () => [9.2, 0])
  const labels = scores.map((_, at) => (at % 10 === 0 ? 1 : 0))
  const temperature = bestTemperature(scores, labels)
  expect(softmax([9.2, 0], temperature)[0]).toBeCloseTo(0.9, 2)
})

test('calibration error is the mean gap between confidence and truth', () => {
  const judged = [
    { confidence: 0.95, right: true },
    { confidence: 0.95, right: false },
    { confidence: 0.15, right: false },
    { confidence: 0.15, right: false },
  ]
  expect(calibrationError(judged)).toBeCloseTo((2 * 0.45 + 2 * 0.15) / 4, 10)
})
