/** Invented sales for the tests of forecasting: counts with a level, trend, week, year, moving demand and bursts of advertising. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

export interface SalesPattern {
  readonly level: number
  /** growth in a year, as a factor's logarithm */
  readonly growth: number
  /** how much the weekdays differ, 0 to 1 */
  readonly week: number
  /** how much the seasons of the year differ, 0 to 1 */
  readonly year: number
  /** how far demand wanders in a day, as a logarithm */
  readonly wander: number
  /** how many times as much is sold while a campaign runs; 1: none runs */
  readonly campaign: number
}

export type Dice = () => number

export function seededDice(seed: number): Dice {
  const generator = xoroshiro128plus(seed)
  return () => uniformFloat64(generator)
}

const normal = (roll: Dice): number => Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll())

/** Knuth's way for small means, rounded normal for large ones. */
function poisson(mean: number, roll: Dice): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(roll)))
  const limit = Math.exp(-mean)
  let count = -1
  for (let product = 1; product > limit; product *= roll()) count++
  return count
}

export function inventSales(world: SalesPattern, days: number, roll: Dice): number[] {
  const phase = roll() * 365
  const weekday = Array.from({ length: 7 }, () => 1 + world.week * (2 * roll() - 1))
  let demand = 0
  let running = 0
  return Array.from({ length: days }, (_, day) => {
    demand = 0.97 * demand + world.wander * normal(roll)
    if (running > 0) running--
    else if (roll() < 0.02) running = 14
    const year = 1 + world.year * Math.sin((2 * Math.PI * (day + phase)) / 365.25)
    const factor = Math.exp((world.growth * day) / 365 + demand) * (weekday[day % 7] as number) * year
    return poisson(world.level * factor * (running > 0 ? world.campaign : 1), roll)
  })
}
