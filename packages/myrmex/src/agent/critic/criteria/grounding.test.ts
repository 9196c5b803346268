import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'

const judge = (output: unknown, facts: unknown, task = '') =>
  critiqueByRules({ task, output, facts, criteria: ['grounding'] }).judgements[0] as NonNullable<
    ReturnType<typeof critiqueByRules>['judgements'][0]
  >
/** What of the text the facts do not have. */
const loose = (output: string, facts: unknown) =>
  judge(output, facts)
    .evidence.slice(1)
    .map((line) => line.replace(/^(\w+) “(.*)” .*$/, '$2'))

const PAIRS = [
  [
    'a coffee grinder',
    {
      name: 'Aurora Grinder',
      price: 89.5,
      currency: 'EUR',
      weight_g: 1200,
      warranty_months: 24,
      rating: 4.83,
      reviews: 1287,
    },
    'The Aurora Grinder weighs 1.2 kg and has a two-year warranty. It costs €89.50. Buyers rate it 4.8 out of 5, in 1,287 reviews.',
    'The Aurora Grinder by Krups weighs 900 g, is waterproof and has a lifetime guarantee. It costs $79. Buyers rate it 5 stars.',
  ],
  [
    'an order',
    { order: 'ORD-10452', shipped: '2026-03-04', carrier: 'Nordpost', lead_days: 3, refund: false },
    'Your order ORD-10452 left on 4 March with Nordpost and takes 3 days.',
    'Your order ORD-99871 left on 9 March with Speedline and takes 2 days. You get a refund of 25 %.',
  ],
  [
    'a report',
    { revenue: 18250, orders: 412, conversion_rate: 0.031, month: 'May 2026', channels: ['Instagram', 'TikTok'] },
    'In May 2026 we made 18,250 from 412 orders. Of all visitors 3.1 % bought, most of them from Instagram.',
    'In May 2026 we made 21,900 from 530 orders. Of all visitors 4.7 % bought, most of them from Facebook.',
  ],
] as const

describe('grounding', () => {
  test.each(PAIRS)('tells what the facts say from what they do not, about %s', (_subject, facts, true_, invented) => {
    const [good, bad] = [judge(true_, facts), judge(invented, facts)]
    expect(good.evidence).toHaveLength(1)
    expect(good).toMatchObject({ verdict: 'pass', score: 1, suggestion: null })
    expect(bad.verdict).toBe('fail')
    expect(bad.score).toBeLessThan(0.5)
  })

  test('lists what is not in the facts, and where', () => {
    const { evidence, suggestion, verdict } = judge(
      { headline: 'Now 20 % off', text: 'It weighs 300 g.' },
      { grams: 300 },
    )
    expect(verdict).toBe('revise')
    expect(evidence).toEqual([
      '1 of 2 figures, dates, names and claims found in the facts.',
      '/headline: figure “20 %” is not in the facts.',
    ])
    expect(suggestion).toBe('Take out “20 %”, or put what the facts say in its place.')
  })

  test.each([undefined, null, '', {}, []])('without facts (%j) is unknown, not passed', (facts) => {
    expect(judge('It costs 5 euros.', facts)).toMatchObject({ verdict: 'unknown', score: null })
  })

  test('a text that claims nothing has nothing to ground', () => {
    expect(judge('It keeps things fresh.', { a: 1 })).toMatchObject({ verdict: 'pass', score: 1 })
  })

  test.each([
    ['1,299.00', { price: 1299 }],
    ['1.299,00', { price: 1299 }],
    ['1 299', { price: 1299 }],
    ['1.3k buyers', { buyers: 1287 }],
    ['$5 million', { revenue_usd: 5_000_000 }],
    ['12 hours', { minutes: 720 }],
    ['24-month', { warranty_years: 2 }],
    ['two years', { warranty_years: 2 }],
    ['20%', { discount: 0.2 }],
    ['4.8', { rating: 4.83 }],
    ['over 1,000', { reviews: 1287 }],
    ['1,000+', { reviews: 1287 }],
    ['up to 10 kg', { max_kg: 8 }],
    ['about 50', { count: 52 }],
    ['€10.00', { price_eur: 89.5, old_price_eur: 99.5 }],
    ['10%', { price: 90, old_price: 100 }],
    ['３ days', { lead_days: 3 }],
    ['٣ days', { lead_days: 3 }],
    ['4 March 2026', { at: '2026-03-04T10:00:00Z' }],
    ['March 4th', { at: '2026-03-04' }],
    ['04/03/2026', { at: '2026-03-04' }],
    ['March 2026', { at: '2026-03-04' }],
    ['X200', { model: 'X200' }],
  ])('%j is grounded by %j', (text, facts) => {
    expect(loose(`It is ${text} in all.`, facts)).toEqual([])
  })

  test.each([
    ['1,299.50', { price: 1299 }],
    ['24 days', { price: 24 }],
    ['$24', { price: 24, currency: 'EUR' }],
    ['€25', { price: 24.9 }],
    ['5 stars', { rating: 4.83 }],
    ['30%', { discount: 0.2 }],
    ['over 1,000', { reviews: 200 }],
    ['about 50', { count: 80 }],
    ['5 March', { at: '2026-03-04' }],
    ['4 March 2025', { at: '2026-03-04' }],
    ['3 kg', { weight_g: 300 }],
    ['three days', { lead_days: 2 }],
    ['47', { a: 40, b: 7 }],
    ['X300', { model: 'X200' }],
  ])('%j is not grounded by %j', (text, facts) => {
    expect(loose(`It is ${text} in all.`, facts)).toHaveLength(1)
  })

  test.each([
    ['It is waterproof.', { waterproof: true }, []],
    ['It is waterproof.', { waterproof: false }, ['waterproof']],
    ['It is waterproof.', { note: 'Not waterproof.' }, ['waterproof']],
    ['It is not waterproof.', { note: 'Not waterproof.' }, []],
    ['Guaranteed for years.', { guarantee: '5 years' }, []],
    ['Made from organic cotton.', { tags: ['certified organic'] }, []],
    ['Shipping is free.', { shipping: 'standard' }, ['free']],
    ['Feel free to ask.', { shipping: 'standard' }, []],
    ['It is sugar-free.', { shipping: 'free' }, ['sugar-free']],
    ['It is sugar-free.', { sugar_free: true }, []],
    ['It is free of sugar.', { sugar_free: true }, []],
    ['It is fr\u200bee.', { a: 1 }, ['free']],
    ['It is fr\u0435\u0435.', { a: 1 }, ['fr\u0435\u0435']],
    ['The best jar.', { a: 1 }, ['best']],
  ])('the claim in %j, given %j', (text, facts, expected) => {
    expect(loose(text, facts)).toEqual(expected)
  })

  test('a claim that the facts deny fails, however much else is true', () => {
    const facts = { name: 'Aurora', price_eur: 20, grams: 250, waterproof: false }
    const verdict = judge('The Aurora costs 20 euros, weighs 250 g and is waterproof.', facts)
    expect(verdict).toMatchObject({ verdict: 'fail', score: 0.75 })
    expect(verdict.evidence[1]).toBe('claim “waterproof” is denied by the facts.')
  })

  test('names are looked for in the facts and in the task', () => {
    expect(loose('It was roasted by Starbucks in Seattle.', { a: 'x' })).toEqual(['Starbucks', 'Seattle'])
    expect(loose('She said "nothing compares" to us.', { a: 'x' })).toEqual(['nothing compares'])
    expect(judge('You will like the Aurora.', { a: 1 }, 'An ad for Aurora').verdict).toBe('pass')
    expect(loose('Monday is the day, I think. ORDER NOW and see.', { a: 1 })).toEqual([])
    expect(loose('Fresh Coffee Every Single Morning', { a: 1 })).toEqual([])
  })

  test('ids, addresses and timestamps of data are no claims', () => {
    const output = {
      id: 'copy_17',
      url: 'http://127.0.0.1:8080/shop/9',
      at: '2026-01-02T03:04:05Z',
      text: 'It is new.',
    }
    expect(judge(output, { a: 1 })).toMatchObject({ verdict: 'pass' })
    expect(judge({ price: '29.99' }, { a: 1 }).verdict).toBe('fail')
  })

  test('a figure that the facts lack never raises the score', () => {
    const facts = { name: 'Aurora', price: 89.5, days: 7, organic: true, text: 'Rated 4.8 by 120 owners in Porto.' }
    const part = fc.constantFrom(
      'The Aurora is here.',
      'It costs 89.50.',
      'It takes 7 days.',
      'It is organic.',
      'It is free.',
      'Made in Rome.',
      'Nice.',
    )
    const figure = fc.integer({ min: 100_000, max: 999_999 }).map((number) => `${number}.25`)
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1 }),
        figure,
        fc.constantFrom('', ' %', ' days', ' kg', ' euros'),
        (parts, number, unit) => {
          const before = judge(parts.join(' '), facts)
          const after = judge(`${parts.join(' ')} It is ${number}${unit}.`, facts)
          expect(after.score as number).toBeLessThanOrEqual(before.score as number)
          expect(after.verdict).not.toBe('pass')
        },
      ),
      { numRuns: propertyRuns(60, 2000) },
    )
  })

  test('what is built from the facts alone is always grounded', () => {
    const facts = fc.record({
      price: fc.integer({ min: 1, max: 99_999 }),
      days: fc.integer({ min: 1, max: 999 }),
      share: fc.integer({ min: 1, max: 99 }),
    })
    fc.assert(
      fc.property(facts, ({ price, days, share }) => {
        const text = `It costs ${(price / 100).toFixed(2)} euros, takes ${days} days and saves ${share} %.`
        expect(judge(text, { price: price / 100, days, share: share / 100 }).verdict).toBe('pass')
      }),
      { numRuns: propertyRuns(60, 2000) },
    )
  })
})
