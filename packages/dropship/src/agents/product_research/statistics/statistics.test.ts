import { linearRegression, quantile } from 'simple-statistics'
import { describe, expect, test } from 'vitest'
import { addDays } from '../../../day.ts'
import { leastSquares } from '../../../forecast/least-squares.ts'
import type { Listing, ListingDay, SellerShare } from '../../../ports.ts'
import { netOfSale } from '../../supplier/offers/sale.ts'
import { suggestPrice } from '../scoring/suggest-price.ts'
import { hhiOf, priceMove, sharesOf } from './competition.ts'
import { demandOf } from './demand.ts'
import { elasticityOf, TYPICAL_SELLER } from './elasticity.ts'
import { keywordsOf } from './keywords.ts'
import { indexOn, seasonOf, type Week } from './season.ts'
import { weeksOf } from './weeks.ts'

const START = '2025-11-02'
const weeks = (count: number, units: (week: number) => number, price: (week: number) => number = () => 4000): Week[] =>
  Array.from({ length: count }, (_, week) => ({
    from: addDays(START, week * 7),
    units: units(week),
    price: price(week),
  }))
const FLAT = seasonOf([])

describe('least squares', () => {
  const xs = [1, 2, 4, 5, 7, 9]
  const ys = [2.1, 3.9, 8.3, 9.8, 14.2, 17.9]

  test('agrees with simple-statistics where that can be asked', () => {
    const { m, b } = linearRegression(xs.map((x, i) => [x, ys[i] ?? 0]))
    const { coefficients, errors, rest } = leastSquares(
      xs.map((x) => [1, x]),
      ys,
    )
    expect(coefficients[0]).toBeCloseTo(b, 9)
    expect(coefficients[1]).toBeCloseTo(m, 9)
    // the textbook error of a slope: rest over the root of the squared distances from the mean
    const middle = xs.reduce((sum, x) => sum + x, 0) / xs.length
    expect(errors[1]).toBeCloseTo(rest / Math.sqrt(xs.reduce((sum, x) => sum + (x - middle) ** 2, 0)), 9)
  })

  test('gives 0 to a column that says nothing new', () => {
    const { coefficients } = leastSquares(
      xs.map((x) => [1, x, 0]),
      ys,
    )
    expect(coefficients[2]).toBe(0)
  })
})

describe('weeks', () => {
  const days = (product_id: string, count: number): ListingDay[] =>
    Array.from({ length: count }, (_, i) => ({
      product_id,
      day: addDays('2026-10-31', i - count + 1),
      units: i,
      price: 100,
      sellers: 1,
    }))

  test('are whole and end with the last day; what is cut off at the start is left out', () => {
    const found = weeksOf([...days('a', 16), ...days('b', 3)])
    expect(found.get('a')?.map(({ from, units }) => [from, units])).toEqual([
      ['2026-10-18', 2 + 3 + 4 + 5 + 6 + 7 + 8],
      ['2026-10-25', 9 + 10 + 11 + 12 + 13 + 14 + 15],
    ])
    expect(found.get('b')).toEqual([])
  })
})

describe('season', () => {
  const wave = (day: string): number =>
    Math.cos((2 * Math.PI * (Date.parse(day) - Date.parse('2026-06-15'))) / 86_400_000 / 365.25)

  test('is found below a growth of the same year, with its peak', () => {
    const grown = weeks(52, (week) => 100 * Math.exp(0.006 * week + 0.3 * wave(addDays(START, week * 7 + 3))))
    const season = seasonOf([grown, grown])
    expect(season.known).toBe(true)
    expect(season.peaks).toContain(6)
    expect(season.peaks).not.toContain(12)
    expect(season.strength).toBeGreaterThan(0.95)
    expect(season.months.reduce((sum, index) => sum + index, 0)).toBeCloseTo(12)
    const mean = 1 / (season.months.reduce((sum, _, i) => sum + Math.exp(-0.3 * Math.cos((i * Math.PI) / 6)), 0) / 12)
    expect(season.amplitude).toBeCloseTo(Math.exp(0.3) * mean - 1, 1)
    expect(indexOn(season, '2026-06-15')).toBeGreaterThan(1.25)
    expect(indexOn(season, '2026-12-15')).toBeLessThan(0.8)
  })

  test('is not told from a short history', () => {
    expect(seasonOf([weeks(20, (week) => 10 + week)])).toMatchObject({ known: false, amplitude: 0, peaks: [] })
  })

  test('is nothing where nothing varies', () => {
    const { amplitude, peaks } = seasonOf([weeks(52, () => 70)])
    expect(amplitude).toBeCloseTo(0, 6)
    expect(peaks).toEqual([])
  })
})

describe('demand', () => {
  test('of even weeks goes on as it was', () => {
    const demand = demandOf(
      weeks(30, () => 70),
      FLAT,
      '2026-06-01',
    )
    expect(demand?.now).toBeCloseTo(10)
    expect(demand?.ahead).toBeCloseTo(10)
    expect(demand?.growth).toBe(0)
  })

  test('that grows goes on growing, and slows down', () => {
    const demand = demandOf(
      weeks(40, (week) => 70 * 1.01 ** week),
      FLAT,
      '2026-08-09',
    )
    const last = 10 * 1.01 ** 39
    expect(demand?.now).toBeCloseTo(last, 1)
    expect(demand?.ahead).toBeGreaterThan(last)
    expect(demand?.ahead).toBeLessThan(last * 1.01 ** 7)
    expect(demand?.growth).toBeCloseTo(1.01 ** 52 - 1, 4)
  })

  test('that may have grown by chance is carried on only as far as it is likely no chance', () => {
    const sold = [70, 95, 60, 90, 75, 100]
    const { now, ahead, trend } = demandOf(
      weeks(6, (week) => sold[week] ?? 0),
      FLAT,
      '2026-02-01',
    ) ?? { now: 0, ahead: 0, trend: { slope: 0, p: 0 } }
    expect(trend.slope).toBeGreaterThan(0.01)
    expect(trend.p).toBeGreaterThan(0.2)
    // each week keeps 95 % of the pace of the one before: 0.95 + 0.95² + …
    const carried = (week: number): number => 19 * (1 - 0.95 ** week)
    const days = Array.from({ length: 90 }, (_, day) => Math.exp(trend.slope * (1 - trend.p) * carried(day / 7)))
    expect(ahead / now).toBeCloseTo(days.reduce((sum, one) => sum + one, 0) / 90, 9)
  })

  test('of a single week is not judged', () => {
    expect(
      demandOf(
        weeks(1, () => 5),
        FLAT,
        '2026-06-01',
      ),
    ).toBeUndefined()
  })
})

describe('elasticity', () => {
  const price = (week: number): number => 4000 * (1 + 0.1 * Math.sin(week * 1.7))

  test('is measured where the price moved, with growth beside it', () => {
    const series = weeks(52, (week) => 5000 * Math.exp(0.004 * week) * (price(week) / 4000) ** -1.6, price)
    const { measured, historyWeight, value } = elasticityOf(series, [])
    expect(measured?.value).toBeCloseTo(-1.6, 6)
    expect(historyWeight).toBeGreaterThan(0.99)
    // a market that is 0.6 more elastic than usual makes the seller so as well
    expect(value).toBeCloseTo(TYPICAL_SELLER.value - 0.6, 2)
  })

  test('is what is usual where the price did not move', () => {
    expect(
      elasticityOf(
        weeks(52, () => 70),
        [],
      ),
    ).toEqual({ ...TYPICAL_SELLER, historyWeight: 0, measured: undefined })
  })
})

describe('competition', () => {
  test('concentration of a monopoly is 10,000, of four equals 2,500', () => {
    expect(hhiOf([0.3])).toBe(10_000)
    expect(hhiOf([1, 1, 1, 1])).toBeCloseTo(2500)
    expect(hhiOf([0.5, 0.3, 0.2])).toBeCloseTo(3800)
    expect(hhiOf([])).toBe(0)
  })

  test('a seller of two products has the share of both', () => {
    const sells = (product_id: string, seller: string, share: number): SellerShare => ({
      product_id,
      seller,
      share,
      price: 1,
    })
    const all = [sells('a', 'X', 0.5), sells('a', 'Y', 0.5), sells('b', 'X', 1)]
    expect(sharesOf(all, (id) => (id === 'a' ? 10 : 20))).toEqual([25, 5])
  })

  test('a price war shows as a falling price', () => {
    expect(
      priceMove(
        weeks(
          20,
          () => 1,
          (week) => (week < 12 ? 100 : 90),
        ),
      ),
    ).toBeCloseTo(-0.1)
    expect(priceMove(weeks(3, () => 1))).toBe(0)
  })
})

describe('price', () => {
  const at = (...prices: number[]): SellerShare[] =>
    prices.map((price, i) => ({ product_id: 'a', seller: `${i}`, price, share: 0.1 }))
  const elastic = { ...TYPICAL_SELLER, historyWeight: 0, measured: undefined }

  test('is the one that earns most of those that the middle half of the sellers takes', () => {
    const sellers = at(3600, 3800, 4000, 4200, 4400)
    const { price, band } = suggestPrice(4000, sellers, { landed: 1500 }, elastic)
    expect(band).toEqual({ low: quantile([3600, 3800, 4000, 4200, 4400], 0.25), high: 4200 })
    const earns = (p: number): number => (p / 4000) ** TYPICAL_SELLER.value * (netOfSale(p) - 1500)
    for (let p = band.low; p <= band.high; p += 10) expect(earns(price)).toBeGreaterThanOrEqual(earns(p) * 0.985)
  })

  test('is higher where buyers mind less', () => {
    const sellers = at(3600, 3800, 4000, 4200, 4400)
    const calm = suggestPrice(4000, sellers, { landed: 1500 }, { ...elastic, value: -1.2 })
    expect(calm.price).toBeGreaterThan(suggestPrice(4000, sellers, { landed: 1500 }, elastic).price)
  })

  test.each([1500, 3900, 4000, 9000])('with a cost of %i never lies below cost and fee', (landed) => {
    const { price } = suggestPrice(4000, at(3800, 3900, 4000, 4100), { landed }, elastic)
    expect(netOfSale(price)).toBeGreaterThanOrEqual(landed)
  })
})

test('keywords are the words that stand here and nowhere else', () => {
  const listing = (title: string, ...keywords: string[]): Listing => ({ title, keywords }) as unknown as Listing
  const kettles = [listing('Copper Kettle', 'coffee', 'gooseneck'), listing('Steel Kettle', 'coffee', 'gooseneck')]
  const others = [listing('Moka Pot', 'coffee'), listing('Grinder', 'coffee'), listing('Cup', 'coffee')]
  expect(keywordsOf(kettles, [...kettles, ...others], 3)).toEqual(['gooseneck', 'kettle', 'coffee'])
})
