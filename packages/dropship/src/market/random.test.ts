/** The dice: what a stream is named by decides what it gives, and the distributions have the moments they should. */
import { mean, sampleVariance } from 'simple-statistics'
import { describe, expect, test } from 'vitest'
import { beta, binomial, type Dice, diceFor, gamma, negativeBinomial, poisson } from './random.ts'

const several = (dice: Dice, count = 8): number[] => Array.from({ length: count }, () => dice())
const sample = (draw: (dice: Dice) => number): number[] =>
  Array.from({ length: 20_000 }, (_, at) => draw(diceFor(7, at, 'sample', 'moments')))

describe('a stream', () => {
  test('gives the same numbers for the same name, whatever was drawn from others in between', () => {
    const first = several(diceFor(1, 20_000, 'chair-red', 'organic'))
    several(diceFor(1, 20_000, 'chair-blue', 'organic'), 1000)
    expect(several(diceFor(1, 20_000, 'chair-red', 'organic'))).toEqual(first)
  })

  test('gives others as soon as seed, day, subject or purpose differ', () => {
    const names: [number, number, string, string][] = [
      [1, 20_000, 'a', 'x'],
      [2, 20_000, 'a', 'x'],
      [1, 20_001, 'a', 'x'],
      [1, 20_000, 'b', 'x'],
      [1, 20_000, 'a', 'y'],
    ]
    const given = names.map((name) => several(diceFor(...name)).join())
    expect(new Set(given).size).toBe(names.length)
  })

  test('is even over neighbouring days, not only along itself', () => {
    const firsts = Array.from({ length: 20_000 }, (_, day) => diceFor(1, day, 'a', 'x')())
    const tenths = Array.from({ length: 10 }, (_, at) => firsts.filter((one) => Math.floor(one * 10) === at).length)
    for (const count of tenths) expect(count).toBeGreaterThan(1850)
    for (const count of tenths) expect(count).toBeLessThan(2150)
  })
})

describe('a distribution', () => {
  test.each([0.4, 6, 80])('poisson of mean %d has that mean and that variance', (wanted) => {
    const drawn = sample((dice) => poisson(dice, wanted))
    expect(mean(drawn) / wanted).toBeCloseTo(1, 1)
    expect(sampleVariance(drawn) / wanted).toBeCloseTo(1, 1)
  })

  test('negative binomial spreads wider than poisson, by its evenness', () => {
    const drawn = sample((dice) => negativeBinomial(dice, 10, 5))
    expect(mean(drawn)).toBeGreaterThan(9.8)
    expect(mean(drawn)).toBeLessThan(10.2)
    expect(sampleVariance(drawn)).toBeGreaterThan(28)
    expect(sampleVariance(drawn)).toBeLessThan(32)
  })

  test('gamma, beta and binomial have their means', () => {
    expect(mean(sample((dice) => gamma(dice, 0.5, 4)))).toBeCloseTo(2, 0)
    expect(mean(sample((dice) => beta(dice, 2, 6)))).toBeCloseTo(0.25, 2)
    expect(mean(sample((dice) => binomial(dice, 20, 0.1)))).toBeCloseTo(2, 1)
  })
})
