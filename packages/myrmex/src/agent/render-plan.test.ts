import { expect, test } from 'vitest'
import type { Plan } from './plan/plan.ts'
import { renderPlan } from './render-plan.ts'
import { renderVerdict } from './render-verdict.ts'

const step = (id: string, needs: string[], more = {}) => ({
  id,
  agent: 'shop',
  tool: `shop.${id}`,
  arguments: {},
  needs,
  why: `Does ${id}.`,
  ...more,
})
const plan: Plan = {
  goal: 'Sell coffee',
  steps: [
    step('find', []),
    step('price', ['find']),
    step('write', ['find'], { criteria: ['clarity', { name: 'length' }] }),
  ],
  budget: { money: 500, calls: 10, time_ms: 60_000 },
  assumptions: ['People like coffee.'],
  questions: [
    { input: 'country', question: 'Where is it sold?' },
    { input: 'brand', tool: 'shop.write', question: 'What is it called?' },
  ],
}

test('a plan reads as steps with their reasons, what runs together, what it costs and what is open', () => {
  expect(renderPlan(plan, { cost: 120, levels: [['find'], ['price', 'write']] })).toBe(`Goal: Sell coffee

Steps:
  find: shop.find
      Does find.
  price: shop.price (after find)
      Does price.
  write: shop.write (after find)
      Does write.
      judged by clarity, length

Together: price, write

Cost known beforehand: 120
Budget: 500 in money, 10 calls, 60 s

Questions:
  - Where is it sold? (country)
  - What is it called? (brand, for shop.write)

Assumptions:
  - People like coffee.`)
})

test('a plan without steps says why there are none', () => {
  const empty: Plan = { ...plan, steps: [], budget: {}, assumptions: [] }
  expect(renderPlan(empty)).toMatch(
    /^Goal: Sell coffee\n\nNo steps before the questions below are answered\.\n\nQuestions:/,
  )
  expect(renderPlan({ ...empty, questions: [] })).toBe('Goal: Sell coffee\n\nNo steps: nothing is to be done.')
})

test('a verdict reads as the decision, then each criterion with its evidence and what would help', () => {
  const text = renderVerdict({
    verdict: 'revise',
    score: 0.625,
    summary: 'One of two is good enough.',
    judgements: [
      {
        criterion: 'length',
        score: 0.25,
        verdict: 'revise',
        evidence: ['5 words, 20 wanted'],
        suggestion: 'Say more.',
      },
      { criterion: 'charm', score: null, verdict: 'unknown', evidence: ['Nobody measures charm.'], suggestion: null },
    ],
  })
  expect(text).toBe(`revise (63 %): One of two is good enough.
  length: revise (25 %)
      5 words, 20 wanted
      Better: Say more.
  charm: unknown
      Nobody measures charm.`)
})
