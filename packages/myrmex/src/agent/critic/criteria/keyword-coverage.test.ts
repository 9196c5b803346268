import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'

const judge = (output: string, keywords: string[], more: object = {}) =>
  critiqueByRules({ task: '', output, criteria: [{ name: 'keyword_coverage', keywords, ...more }] })
    .judgements[0] as NonNullable<ReturnType<typeof critiqueByRules>['judgements'][0]>

describe('keyword coverage', () => {
  test.each([
    ['coffee', ['coffee grinder', 'fresh beans'], 'Our coffee grinders take fresh beans.', 'We sell kitchen things.'],
    ['shoes', ['trail running', 'grip'], 'Made for trail running, they grip wet rock.', 'A shoe for anybody.'],
    ['book-keeping', ['invoices', 'tax return'], 'It files invoices and tax returns.', 'It does your office work.'],
  ])('tells a text with its keywords from one without: %s', (_subject, keywords, having, without) => {
    expect(judge(having, keywords)).toMatchObject({ score: 1, verdict: 'pass' })
    expect(judge(without, keywords)).toMatchObject({ score: 0, verdict: 'fail' })
    expect(judge(without, keywords).suggestion).toContain(`Work in “${keywords[0]}”`)
  })

  test.each([
    ['roast', 'We roasted it.'],
    ['make', 'Making it is easy.'],
    ['battery', 'Two batteries.'],
    ['stop', 'It stopped.'],
    ['SMOOTHLY', 'A smooth ride.'],
    ['cold brew', 'Cold brewing at home.'],
    ['Größe', 'In jeder größe.'],
    ['咖啡', '这款咖啡研磨机'],
  ])('finds other forms of %j', (keyword, text) => {
    expect(judge(text, [keyword]).score).toBe(1)
  })

  test.each([
    ['cat', 'The category of concatenation.'],
    ['art', 'Start the party.'],
  ])('does not find %j within other words', (keyword, text) => {
    expect(judge(text, [keyword]).score).toBe(0)
  })

  test('words of a phrase that stand apart count for half', () => {
    expect(judge('The grinder makes coffee.', ['coffee grinder'])).toMatchObject({ score: 0.5, verdict: 'revise' })
    expect(judge('The grinder is here. It makes coffee.', ['coffee grinder']).score).toBe(0)
  })

  test('stuffing is worse than using a word well', () => {
    const filler = 'The jar is in the kitchen and keeps what you put into it. '
    const well = judge(`Coffee stays fresh. ${filler.repeat(3)}`, ['coffee'])
    const stuffed = judge(`${'Coffee, coffee, coffee! '.repeat(5)}${filler}`, ['coffee'])
    expect(well).toMatchObject({ score: 1, verdict: 'pass' })
    expect(stuffed).toMatchObject({ verdict: 'fail' })
    expect(stuffed.evidence.join()).toContain('“coffee” is used 15 times, 3 are fine')
    expect(judge(`${'Coffee! '.repeat(5)}${filler}`, ['coffee'])).toMatchObject({ verdict: 'revise', score: 0.6 })
  })

  test('the least share that passes can be set', () => {
    expect(judge('A cup.', ['cup', 'pot'], { min_share: 0.5 }).verdict).toBe('pass')
    expect(judge('A cup.', ['cup', 'pot']).verdict).toBe('revise')
  })

  test('taking all uses of a keyword out never raises the score', () => {
    const vocabulary = ['cup', 'pot', 'bean', 'water', 'heat', 'time', 'with', 'slow']
    const keywords = vocabulary.slice(0, 4)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 60 }),
        fc.constantFrom(...keywords),
        (text, gone) => {
          const rest = text.filter((word) => word !== gone)
          fc.pre(rest.length > 0)
          const before = judge(text.join(' '), keywords).score as number
          expect(judge(rest.join(' '), keywords).score as number).toBeLessThanOrEqual(before)
        },
      ),
      { numRuns: propertyRuns(60, 2000) },
    )
  })
})
