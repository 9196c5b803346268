import { expect, test } from 'vitest'
import { seasonOf } from '../statistics/season.ts'
import { judgeNiche, type NicheFigures, priceBand, saturationOf } from './niche-verdict.ts'

const PLAIN: NicheFigures = {
  hhi: 1200,
  saturation: { sellers_per_unit: 1, above: 0.5 },
  trend: { slope: 0, low: 0, high: 0, tau: 0, p: 1 },
  growth: 0,
  season: seasonOf([]),
  ahead: 1,
  margin: 0.35,
}
const SURE = { slope: 0.004, low: 0.003, high: 0.005, tau: 0.5, p: 0.001 }

test.each<[string, Partial<NicheFigures>, string]>([
  ['nothing speaks for or against it', {}, 'wait'],
  ['nobody holds it and the margin is good', { hhi: 400, margin: 0.6 }, 'enter'],
  ['it grows for sure', { trend: SURE, growth: 0.2 }, 'enter'],
  ['it may grow by chance', { trend: { ...SURE, p: 0.4 }, growth: 0.2 }, 'wait'],
  ['it is held by few, crowded and thin', { hhi: 4000, saturation: { sellers_per_unit: 9, above: 0.9 } }, 'avoid'],
  ['it dies', { hhi: 400, margin: 0.6, trend: SURE, growth: -0.5 }, 'avoid'],
  ['nobody delivers', { hhi: 400, margin: undefined, trend: SURE, growth: 0.3 }, 'avoid'],
  ['nothing is earned', { hhi: 400, margin: 0.01, trend: SURE, growth: 0.3 }, 'avoid'],
])('where %s', (_what, changes, verdict) => {
  const judged = judgeNiche({ ...PLAIN, ...changes })
  expect(judged.verdict).toBe(verdict)
  expect(judged.reasons).toHaveLength(5)
})

test('reasons name the figures', () => {
  const { reasons } = judgeNiche({ ...PLAIN, hhi: 2345, margin: 0.41 })
  expect(reasons.join(' ')).toMatch(/2345 of 10,000.*1\.00 sellers.*50 %.*41 %/)
})

test('saturation is sellers for each unit, ranked among the other niches', () => {
  const all = [
    { niche: 'a', sellers: 10, units: 10 },
    { niche: 'b', sellers: 40, units: 10 },
    { niche: 'c', sellers: 20, units: 10 },
  ]
  expect(all.map((own) => saturationOf(own, all))).toEqual([
    { sellers_per_unit: 1, above: 0 },
    { sellers_per_unit: 4, above: 1 },
    { sellers_per_unit: 2, above: 0.5 },
  ])
})

test('the price band is the quartiles', () => {
  expect(priceBand([500, 100, 300, 200, 400])).toEqual({
    lowest: 1,
    lower_quartile: 2,
    median: 3,
    upper_quartile: 4,
    highest: 5,
  })
})
