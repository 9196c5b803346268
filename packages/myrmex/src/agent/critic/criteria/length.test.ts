import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'
import { USUAL_LENGTHS } from './length/usual-lengths.ts'

const judge = (output: unknown, given: object = {}, task = '') =>
  critiqueByRules({ task, output, criteria: [{ name: 'length', ...given }] }).judgements[0]
const words = (count: number) => Array(count).fill('word').join(' ')

describe('length', () => {
  test.each([
    [words(10), { min_words: 10, max_words: 10 }, 1, 'pass'],
    [words(9), { min_words: 10 }, 0.9, 'revise'],
    [words(11), { max_words: 10 }, 0.909, 'revise'],
    [words(4), { min_words: 10 }, 0.4, 'fail'],
    [words(30), { max_words: 10 }, 0.333, 'fail'],
    ['abcde', { max_characters: 5 }, 1, 'pass'],
    ['abcdef', { max_characters: 5 }, 0.833, 'revise'],
    ['👩👩👩', { max_characters: 3 }, 1, 'pass'],
    ['a', { max_words: 0 }, 0, 'fail'],
  ])('measures %j against %j', (output, given, score, verdict) => {
    expect(judge(output, given)).toMatchObject({ score, verdict })
  })

  test('says how much to add or to cut', () => {
    expect(judge(words(8), { min_words: 10 })?.suggestion).toContain('Add at least 2 words')
    expect(judge(words(13), { max_words: 10 })?.suggestion).toContain('Cut at least 3 words')
  })

  test.each([
    ['a headline for a shoe shop', 'Shoes that last', `Shoes ${'that last and last '.repeat(9)}`],
    [
      'a tweet about our opening',
      'We open on Monday at nine. Come and see.',
      `We open. ${'Come and see us. '.repeat(40)}`,
    ],
    ['a reply to the customer', `Your parcel ${'is on its way to you. '.repeat(5)}`, 'Noted.'],
  ])('knows what is usual for %s', (task, fits, wrong) => {
    expect(judge(fits, {}, task)?.verdict).toBe('pass')
    expect(judge(wrong, {}, task)?.verdict).toBe('fail')
  })

  test('given bounds take precedence over usual ones', () => {
    expect(judge(words(3), { max_words: 3 }, 'an article')).toMatchObject({ verdict: 'pass' })
  })

  test('without bounds, given or usual, it is unknown', () => {
    expect(judge('A text.', {}, 'do it')).toMatchObject({ verdict: 'unknown', score: null })
  })

  test('counts all texts together, or each for itself', () => {
    const output = { a: words(3), b: words(4) }
    expect(judge(output, { max_words: 5 })?.verdict).toBe('revise')
    expect(judge(output, { max_words: 5, each: true })?.verdict).toBe('pass')
    expect(judge(output, { max_words: 3, each: true })?.suggestion).toContain('/b: Cut at least 1 words')
  })

  test('words cannot be counted where no blanks part them, characters can', () => {
    const text = '这款咖啡研磨机非常好用'
    expect(judge(text, { max_words: 5 })?.verdict).toBe('unknown')
    expect(judge(text, { max_characters: 11 })?.verdict).toBe('pass')
  })

  test('every usual bound can be met', () => {
    for (const { bounds } of USUAL_LENGTHS) expect(Object.keys(bounds).length).toBeGreaterThan(0)
  })
})
