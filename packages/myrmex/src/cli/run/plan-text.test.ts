/** The cost that the printed plan shows of the calls that change something. */
import { step } from '@myrmex/testing/fleet/local-fleet'
import { expect, test } from 'vitest'
import type { ToolView } from '../../agent/fleet/tool-view.ts'
import type { Step } from '../../agent/plan/plan.ts'
import { planText } from './plan-text.ts'

const campaign: ToolView = {
  agent: 'ads',
  name: 'ads.start',
  version: '1.0.0',
  hash: '',
  description: 'Starts a campaign.',
  input: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      budget: { type: 'number', default: 25, 'x-cost': { times: 'days' } },
      days: { type: 'integer', default: 2 },
    },
  },
  output: undefined,
  destructive: true,
  idempotent: false,
  undo: true,
}

const printed = (...steps: Step[]): string =>
  planText(
    { goal: 'advertise', steps, budget: {}, assumptions: [], questions: [] },
    { by: 'rules' },
    new Map([['ads.start', campaign]]),
  )

test('a step shows the cost of a default that it leaves out', () => {
  expect(printed(step('a', 'ads.start', { title: 'Aroma' }))).toContain('a: ads.start  may cost 50, can be undone')
  expect(printed(step('a', 'ads.start', { budget: 3 }))).toContain('a: ads.start  may cost 6, can be undone')
})

test('many calls of one tool show what they may cost together', () => {
  const steps = Array.from({ length: 30 }, (_, n) => step(`s${n}`, 'ads.start', { title: `Aroma ${n}` }))
  expect(printed(...steps)).toContain('30 calls, may cost 1500, can be undone')
})

test('the cost of calls that take an amount from an earlier step is open', () => {
  const args = { budget: { $from: 'x', path: '/n' } }
  expect(printed(step('a', 'ads.start', args))).toContain('a: ads.start  cost depends on an earlier step')
})
