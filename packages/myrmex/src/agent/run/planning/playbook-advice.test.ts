/** Playbooks: the first one that knows a goal is used. A request with `want` needs none. */
import { expect, test } from 'vitest'
import type { PlanRequest } from '../../brain/brain.ts'
import { playbook } from '../../playbook.ts'
import { playbookAdvice } from './playbook-advice.ts'

const request = (goal: string, context: PlanRequest['context'] = {}): PlanRequest => ({ goal, context, tools: [] })
const silent = playbook({ name: 'silent', description: 'none', plan: () => undefined })
const hints = playbook({
  name: 'hints',
  description: 'all',
  plan: ({ goal }) => (goal === '' ? undefined : { want: ['shop.sell'], known: { price: 5, colour: 'red' } }),
})
const whole = { goal: 'g', steps: [], budget: {}, assumptions: [], questions: [] }

test('a hint is planned by, and what the owner said counts for more', async () => {
  const advice = await playbookAdvice([silent, hints], request('sell', { known: { price: 9 } }))
  expect(advice?.request?.context).toMatchObject({ want: ['shop.sell'], known: { price: 9, colour: 'red' } })
  expect(advice?.notes[0]).toContain('the playbook hints')
})

test('a whole plan is taken as it is', async () => {
  const book = playbook({ name: 'whole', description: 'all', plan: async () => whole })
  expect(await playbookAdvice([book, hints], request('sell'))).toMatchObject({ by: 'the playbook whole', plan: whole })
})

test('nobody is asked where it is said what is wanted, and nothing comes of playbooks that do not know the goal', async () => {
  expect(await playbookAdvice([hints], request('sell', { want: ['shop.buy'] }))).toBeUndefined()
  expect(await playbookAdvice([silent, hints], request(''))).toBeUndefined()
})

test('a playbook without a name, a description or a plan is refused', () => {
  expect(() => playbook({ name: '', description: 'x', plan: () => undefined })).toThrow('name')
  expect(() => playbook({ name: 'x', description: 'x', plan: undefined as never })).toThrow('plan')
})
