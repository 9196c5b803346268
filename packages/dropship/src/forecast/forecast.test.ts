import { inventSales, seededDice } from '@myrmex/testing/shop/sales-series'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closedDays } from './closed-days.ts'
import { forecast, neededDays } from './forecast.ts'
import { minimise } from './minimise.ts'
import { yearlyProfile } from './yearly.ts'

const counts = fc
  .array(fc.nat({ max: 40 }), { minLength: 60, maxLength: 90 })
  .filter((series) => series.some((value) => value > 0))
const horizons = fc.integer({ min: 1, max: 20 })
const QUIET = { level: 12, growth: 0, week: 0.3, year: 0, wander: 0, campaign: 1 }

describe('what holds for any series', () => {
  test('no figure is anything but a number, none is negative, and every interval holds its mean', () => {
    fc.assert(
      fc.property(counts, horizons, (series, horizon) => {
        const { mean, low, high, sum, mase, coverage } = forecast(series, { horizon })
        for (const value of [...mean, ...low, ...high, sum.low, sum.expected, sum.high, mase]) {
          expect(Number.isFinite(value)).toBe(true)
          expect(value).toBeGreaterThanOrEqual(0)
        }
        mean.forEach((value, h) => {
          expect(low[h]).toBeLessThanOrEqual(value)
          expect(high[h]).toBeGreaterThanOrEqual(value)
        })
        expect(sum.low).toBeLessThanOrEqual(sum.expected)
        expect(sum.high).toBeGreaterThanOrEqual(sum.expected)
        expect(sum.expected).toBeCloseTo(
          mean.reduce((all, value) => all + value, 0),
          6,
        )
        expect(coverage).toBeGreaterThanOrEqual(0)
        expect(coverage).toBeLessThanOrEqual(1)
      }),
      { numRuns: 20 },
    )
  })

  test('in another unit the forecast is the same in that unit', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(0.25, 8, 1024), (series, unit) => {
        const plain = forecast(series, { horizon: 7 })
        const scaled = forecast(
          series.map((value) => value * unit),
          { horizon: 7 },
        )
        expect(scaled.model).toBe(plain.model)
        plain.mean.forEach((value, h) => {
          expect((scaled.mean[h] as number) / unit).toBeCloseTo(value, 6)
          expect((scaled.high[h] as number) / unit).toBeCloseTo(plain.high[h] as number, 6)
        })
        expect(scaled.sum.low / unit).toBeCloseTo(plain.sum.low, 5)
      }),
      { numRuns: 10 },
    )
  })

  test('the same series gives the same answer', () => {
    const series = inventSales(QUIET, 120, seededDice(5))
    expect(forecast(series, { horizon: 14 })).toEqual(forecast(series, { horizon: 14 }))
  })
})

test.each([1, 7, 250])('a series that is always %d stays so', (value) => {
  const { mean, low, high, mase } = forecast(new Array(400).fill(value), { horizon: 30 })
  for (const edge of [...mean, ...low, ...high]) expect(edge).toBeCloseTo(value, 6)
  expect(mase).toBeLessThan(0.001)
})

test('a week that repeats itself is forecast as it is', () => {
  const week = [3, 1, 4, 1, 5, 9, 2]
  const series = Array.from({ length: 140 }, (_, day) => week[day % 7] as number)
  const { mean } = forecast(series, { horizon: 10 })
  mean.forEach((value, h) => {
    expect(value).toBeCloseTo(week[h % 7] as number, 3)
  })
})

test('temperatures below zero are no counts and may be forecast below zero', () => {
  const series = Array.from({ length: 100 }, (_, day) => -5 + Math.sin(day * 2.1))
  expect(forecast(series, { horizon: 7 }).mean[0]).toBeLessThan(-3)
})

test('a linear trend is gone on with, and models that know none are worse at it', () => {
  const series = Array.from({ length: 120 }, (_, day) => 10 + 0.5 * day + (day % 3))
  const { sum, backtest } = forecast(series, { horizon: 10 })
  const truth = Array.from({ length: 10 }, (_, h) => 11 + 0.5 * (120 + h)).reduce((all, value) => all + value, 0)
  expect(Math.abs(sum.expected - truth)).toBeLessThan(0.02 * truth)
  const mase = (name: string) => backtest.find(({ model }) => model === name)?.mase as number
  expect(mase('holt')).toBeLessThan(mase('mean'))
})

test('the sum may run over the last days of the horizon alone', () => {
  const series = inventSales(QUIET, 200, seededDice(9))
  const { sum, mean } = forecast(series, { horizon: 40, sumFrom: 10 })
  expect(sum.expected).toBeCloseTo(
    mean.slice(10).reduce((all, value) => all + value, 0),
    9,
  )
})

describe('it reports that the history is not enough', () => {
  test.each([
    { why: 'fewer than two seasons', series: new Array(13).fill(2), horizon: 3 },
    { why: 'needs 90 days of history', series: new Array(60).fill(2), horizon: 30 },
    { why: 'nothing was sold', series: new Array(60).fill(0), horizon: 7 },
    { why: 'is NaN, which is not a number', series: [...new Array(60).fill(1), Number.NaN], horizon: 7 },
    { why: 'at least 1, not 0', series: new Array(60).fill(1), horizon: 0 },
    { why: 'at least 1, not 1.5', series: new Array(60).fill(1), horizon: 1.5 },
  ])('$why', ({ why, series, horizon }) => {
    const answer = forecast(series, { horizon })
    expect(answer.enough).toBe(false)
    expect(answer.why).toContain(why)
    expect(answer.mean).toEqual([])
  })

  test('with just as many days as it asks for it forecasts', () => {
    const series = inventSales(QUIET, neededDays(20), seededDice(3))
    expect(forecast(series, { horizon: 20 }).enough).toBe(true)
    expect(forecast(series.slice(1), { horizon: 20 }).enough).toBe(false)
  })
})

test('over forty worlds it beats "as a week ago", and eight of ten days fall into their interval', () => {
  let [held, days, ours, naive] = [0, 0, 0, 0]
  for (let seed = 1; seed <= 40; seed++) {
    const roll = seededDice(seed * 104_729)
    const world = { level: 2 + 20 * roll(), growth: 0, week: 0.4 * roll(), year: 0, wander: 0.01, campaign: 1 }
    const all = inventSales(world, 150, roll)
    const { mean, low, high } = forecast(all.slice(0, 130), { horizon: 20 })
    all.slice(130).forEach((value, h) => {
      ours += Math.abs(value - (mean[h] as number))
      naive += Math.abs(value - (all[123 + (h % 7)] as number))
      days++
      if (value >= (low[h] as number) && value <= (high[h] as number)) held++
    })
  }
  expect(ours / naive).toBeLessThan(0.85)
  expect(held / days).toBeGreaterThan(0.75)
  expect(held / days).toBeLessThan(0.87)
})

test('weeks in which a busy shop was closed are not taken for a fall of demand', () => {
  const series = inventSales(QUIET, 200, seededDice(11))
  const paused = series.map((value, day) => (day >= 120 && day < 150 ? 0 : value))
  expect(closedDays(paused).filter(Boolean)).toHaveLength(30)
  expect(closedDays(series)).not.toContain(true)
  const [open, after] = [forecast(series, { horizon: 20 }), forecast(paused, { horizon: 20 })]
  expect(after.closed).toBe(30)
  expect(after.sum.expected).toBeGreaterThan(0.8 * open.sum.expected)
  expect(after.sum.low).toBeLessThan(open.sum.low)
})

test('what seldom sells is not taken for closed', () => {
  const seldom = Array.from({ length: 200 }, (_, day) => (day % 9 === 0 ? 1 : 0))
  expect(closedDays(seldom)).not.toContain(true)
})

test('two years tell the time of the year, noise alone tells next to nothing', () => {
  const wave = Array.from({ length: 730 }, (_, day) =>
    Math.round(40 * (1 + 0.4 * Math.sin((2 * Math.PI * day) / 365.25)) + (day % 2)),
  )
  const factors = yearlyProfile(wave, 30) as Float64Array
  expect((factors[91] as number) / (factors[274] as number)).toBeGreaterThan(2)
  const noise = yearlyProfile(inventSales({ ...QUIET, week: 0 }, 730, seededDice(2)), 30) as Float64Array
  expect(Math.max(...noise) / Math.min(...noise)).toBeLessThan(1.25)
  expect(yearlyProfile(wave.slice(0, 300), 30)).toBeUndefined()
})

test('the search finds a minimum inside the box and one on its wall', () => {
  const box = { lower: [0, 0], upper: [1, 1], close: 1e-6 }
  const inside = minimise(([x = 0, y = 0]) => (x - 0.3) ** 2 + 2 * (y - 0.7) ** 2 + 1, [0.9, 0.1], box)
  expect(inside.at[0]).toBeCloseTo(0.3, 4)
  expect(inside.at[1]).toBeCloseTo(0.7, 4)
  expect(minimise(([x = 0, y = 0]) => (x - 2) ** 2 + y, [0.5, 0.5], box).at).toEqual([1, 0])
})
