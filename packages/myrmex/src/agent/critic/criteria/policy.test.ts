import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'

const judge = (output: unknown, given: object = {}) =>
  critiqueByRules({ task: '', output, criteria: [{ name: 'policy', ...given }] }).judgements[0] as NonNullable<
    ReturnType<typeof critiqueByRules>['judgements'][0]
  >

describe('policy', () => {
  test.each([
    ['an ad', 'It keeps coffee fresh. Order today!', 'BUY NOW OR CRY LATER!!! 100% safe, guaranteed results!!!'],
    ['a reply', 'We sent it to the address you gave us.', 'We sent it to ann.smith@example.com, tel. +49 170 1234567.'],
    [
      'a health product',
      'It helps you to drink enough.',
      'This miracle cure has no side effects and works for everyone.',
    ],
  ])('tells %s that keeps to it from one that does not', (_what, good, bad) => {
    expect(judge(good)).toMatchObject({ score: 1, verdict: 'pass', suggestion: null })
    expect(judge(bad).verdict).not.toBe('pass')
    expect(judge(bad).score).toBeLessThan(0.7)
  })

  test.each([
    ['free', 'It is FREE.'],
    ['free', 'It is fr\u200bee.'],
    ['free', 'It is fr\u00adee.'],
    ['free', 'It is fr\u0435\u0435.'],
    ['free', 'It is ｆｒｅｅ.'],
    ['free', 'It is 𝐟𝐫𝐞𝐞.'],
    ['free', 'It is f r e e today.'],
    ['free', 'It is f.r.e.e today.'],
    ['free', 'It is fr33.'],
    ['free', 'It is fr*ee.'],
    ['free', 'It is fr<b>ee</b>.'],
    ['free', 'It is f&#114;ee.'],
    ['free', 'It is f\u0336r\u0336e\u0336e\u0336.'],
    ['frее', 'It is free.'],
    ['guarant*', 'We guarantee it.'],
    ['money back', 'You get your money-back.'],
    ['免费', '今天免费送货'],
    ['$$$', 'Earn $$$ now'],
  ])('%j is found in %j', (phrase, text) => {
    const { verdict, suggestion } = judge(text, { forbid: [phrase] })
    expect(verdict).toBe('fail')
    expect(suggestion).toContain('Take out')
  })

  test.each([
    ['free', 'Freedom is a carefree life.'],
    ['cat', 'The category.'],
    ['money back', 'Money is back in town.'],
    ['free', 'Flight FR 33 leaves.'],
  ])('%j is not found in %j', (phrase, text) => {
    expect(judge(text, { forbid: [phrase] }).verdict).toBe('pass')
  })

  test('what is required must be there, in its own words', () => {
    expect(judge('Terms apply.', { require: ['terms apply'] }).verdict).toBe('pass')
    expect(judge('T3rms apply.', { require: ['terms apply'] })).toMatchObject({ verdict: 'revise', score: 0.8 })
  })

  test.each([
    ['an e-mail address', 'Write to ann.smith+x@mail.example.org please.'],
    ['an e-mail address', 'Write to ann [at] example [dot] org.'],
    ['an e-mail address', 'Write to ann at example dot org.'],
    ['an e-mail address', '<a href="mailto:ann@example.org">Write</a>'],
    ['a telephone number', 'Call +1 (415) 555-2671.'],
    ['a telephone number', 'Call 415-555-2671 now.'],
    ['a telephone number', 'Call 030 / 1234567.'],
    ['a telephone number', 'Call +４９ 170 1234567.'],
    ['a card number', 'Card 4111 1111 1111 1111 was charged.'],
    ['a card number', 'Card 4111-1111-1111-1111.'],
    ['a card number', 'Card 4111\u200b111111111111.'],
    ['a card number', 'Card 378282246310005.'],
    ['an account number', 'Pay to DE89 3704 0044 0532 0130 00.'],
  ])('finds %s in %j and does not repeat it', (kind, text) => {
    const { verdict, evidence } = judge(text)
    expect(verdict).toBe('fail')
    expect(evidence.join()).toContain(kind)
    expect(evidence.join()).not.toMatch(/smith|example|555|1111 1111|3704|246310|1234567/)
  })

  test.each([
    'Order 4111111111111112 is on its way.',
    'It happened on 2026-03-04 10:30:00.',
    'From 01/02/2026 to 05/02/2026.',
    'Prices: 10 20 30 40 50 60 70 80.',
    'The code is 5901234123457.',
    'We met @ noon, at example.',
    'It costs 1,299.00 or 1.299,00.',
  ])('finds no personal data in %j', (text) => {
    expect(judge(text).verdict).toBe('pass')
  })

  test('what is meant to be public can be allowed', () => {
    const text = 'Write to help@shop.example or call +49 30 123456.'
    expect(judge(text, { allow: ['Help@shop.example', '+49-30-123456'] }).verdict).toBe('pass')
    expect(judge(text, { allow: ['help@shop.example'] }).verdict).toBe('fail')
  })

  test('capitals and exclamation marks have limits that can be set', () => {
    expect(judge('The USA and the EU agreed.').verdict).toBe('pass')
    expect(judge('ORDER IT RIGHT NOW today.').evidence).toEqual(['4 words in capitals: “ORDER IT RIGHT NOW”.'])
    expect(judge('ORDER IT RIGHT NOW today.', { max_caps_words: 4 }).verdict).toBe('pass')
    expect(judge('Come! See!')).toMatchObject({ verdict: 'revise', score: 0.8 })
    expect(judge('Come! See!', { max_exclamations: 2 }).verdict).toBe('pass')
    expect(judge('Come!', { max_exclamations: 0 }).verdict).toBe('revise')
  })

  test('hiding is a breach of its own', () => {
    expect(judge('A ja\u200br.')).toMatchObject({ verdict: 'revise' })
    expect(judge('A j\u0430r.').evidence[0]).toContain('look alike')
    expect(judge('Кофе свежий. 👩‍👧')).toMatchObject({ verdict: 'pass' })
  })

  test('what fails it is said first, and where', () => {
    const { evidence, score } = judge({ a: 'Come! See! Go!', b: 'It is free.' }, { forbid: ['free'] })
    expect(evidence).toEqual(['/b: “free” is forbidden and is in it as “free”.', '3 exclamation marks; 1 is allowed.'])
    expect(score).toBe(0.3)
  })
})
