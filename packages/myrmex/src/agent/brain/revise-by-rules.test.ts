import { reviseRequest, WRITE_COPY } from '@myrmex/testing/brain/sample-requests'
import { expect, test } from 'vitest'
import type { Judgement } from '../critic/verdict.ts'
import { reviseByRules } from './revise-by-rules.ts'

const judged = (...judgements: Partial<Judgement>[]) => ({
  verdict: {
    verdict: 'revise' as const,
    score: 0.4,
    summary: '',
    judgements: judgements.map((one) => ({
      criterion: 'clarity',
      score: 0.2,
      verdict: 'revise' as const,
      evidence: [],
      suggestion: null,
      ...one,
    })),
  },
})
const withInput = (properties: object, required: string[] = []) => ({
  tool: {
    ...WRITE_COPY,
    input: { type: 'object', properties: { product_name: {}, access_token: {}, ...properties }, required },
  },
})

test('what failing judgements suggest goes where the tool listens; what passed says nothing', () => {
  expect(reviseByRules(reviseRequest())).toEqual({
    product_name: 'Kaffa',
    access_token: 'tok-8c1f-secret',
    feedback: ['Use whole sentences.'],
  })
})

test('a text takes them one after the other, within its length, under its name or its type_id', () => {
  const two = judged({ suggestion: 'Be brief.' }, { suggestion: 'Name the price.', verdict: 'fail' })
  const text = { type: 'string' }
  expect(reviseByRules(reviseRequest({ ...two, ...withInput({ hints: text }) }))).toMatchObject({
    hints: 'Be brief. Name the price.',
  })
  expect(
    reviseByRules(reviseRequest({ ...two, ...withInput({ more: { ...text, type_id: 'notes', maxLength: 9 } }) })),
  ).toMatchObject({
    more: 'Be brief.',
  })
})

test('what is there already stays, and is not said twice', () => {
  const given = { product_name: 'Kaffa', feedback: ['Shorter.'] }
  const once = reviseByRules(reviseRequest({ arguments: given }))
  expect(once).toEqual({ ...given, feedback: ['Shorter.', 'Use whole sentences.'] })
  expect(reviseByRules(reviseRequest({ arguments: once as typeof given }))).toBeNull()
})

test('keywords that were to be covered are added to the keywords, and only when coverage failed', () => {
  const given = { product_name: 'Kaffa', keywords: ['roast', 'beans'] }
  const covered = judged({ criterion: 'keyword_coverage' })
  expect(reviseByRules(reviseRequest({ ...covered, arguments: given }))).toEqual({
    ...given,
    keywords: ['roast', 'beans', 'coffee'],
  })
  expect(reviseByRules(reviseRequest({ ...judged({}), arguments: given }))).toBeNull()
})

test('a number that the failing criterion names is given to the tool under that name', () => {
  expect(reviseByRules(reviseRequest(judged({ criterion: 'length' })))).toMatchObject({ max_words: 50 })
})

test('what would not fit the tool is not said: null', () => {
  const long = reviseRequest(judged({ criterion: 'length' }))
  const step = { ...long.step, criteria: [{ name: 'length', max_words: 5000 }] }
  expect(reviseByRules({ ...long, step })).toBeNull()
})

test('a tool that does not listen is not called again: null', () => {
  expect(reviseByRules(reviseRequest(withInput({ title: { type: 'string' } })))).toBeNull()
  expect(reviseByRules(reviseRequest(withInput({ feedback: { type: 'string' } }, ['feedback'])))).toBeNull()
  expect(reviseByRules(reviseRequest(withInput({ feedback: { type: 'boolean' } })))).toBeNull()
})
