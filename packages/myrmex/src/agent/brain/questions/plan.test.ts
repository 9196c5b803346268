import { FIND, GOOD_PLAN, NEGOTIATE, planRequest, TOOLS } from '@myrmex/testing/brain/sample-requests'
import { expect, test } from 'vitest'
import { planByRules } from '../../planner/planner.ts'
import type { PlanRequest } from '../brain.ts'
import { planQuestion } from './plan.ts'

const asked = (request: PlanRequest) => planQuestion(request, planByRules(request))
const shown = (data: string, name: string) =>
  JSON.parse(new RegExp(`<data name="${name}">\n(.*)\n`).exec(data)?.[1] ?? '')

test('a budget that the rules find among what is known counts, and is shown', () => {
  const request = planRequest()
  const { data, read } = asked({ ...request, context: { known: { ...request.context.known, budget: 50 } } })
  expect(shown(data, 'context').budget).toEqual({ money: 50 })
  expect(read(GOOD_PLAN)).toMatchObject({ ok: true, value: { budget: { money: 50 }, goal: request.goal } })
})

test('of many tools those stay in view that the rules would use', () => {
  const others = Array.from({ length: 400 }, (_, index) => ({
    ...FIND,
    name: `price.negotiate_product_${index}`,
    description: 'Negotiate a price for a product.',
    output: { type: 'object', properties: { [`x${index}`]: { type: 'string' } } },
  }))
  const { data, notes } = asked(planRequest([...others, FIND, NEGOTIATE]))
  const names = shown(data, 'tools').map(({ name }: { name: string }) => name)
  expect(names.length).toBeLessThan(402)
  expect(names).toContain(FIND.name)
  expect(names).toContain(NEGOTIATE.name)
  expect(notes.at(-1)).toMatch(/of 402 tools were not shown/)
})

test('a secret that is known by its semantic type is hidden too', () => {
  const tool = {
    ...FIND,
    input: { type: 'object', properties: { pass: { type: 'string', 'x-secret': true, type_id: 'shop_password' } } },
  }
  const known = { shop_password: 'open sesame', product_id: 'p1' }
  const { data, read } = asked({ goal: 'Find suppliers', context: { known }, tools: [tool] })
  expect(data).not.toContain('sesame')
  expect(shown(data, 'context').known).toEqual({ shop_password: '[secret]', product_id: 'p1' })
  const steps = [{ ...GOOD_PLAN.steps[0], arguments: { pass: '[secret]' } }]
  expect(read({ ...GOOD_PLAN, steps })).toMatchObject({ value: { steps: [{ arguments: { pass: 'open sesame' } }] } })
})

test('a secret inside an argument is hidden under every name that a planner would take for it', () => {
  const pin = { type: 'number', 'x-secret': true, type_id: 'shop_pin' }
  const card = { type: 'object', properties: { pin, holder: { type: 'string' } } }
  const tool = { ...FIND, input: { type: 'object', properties: { card, product_id: { type: 'string' } } } }
  const known = { shop_pin: 4711, 'Card PIN': 4712, card: { pin: 4713, holder: 'ada' }, product_id: 'p1' }
  const { data } = asked({ goal: 'Find suppliers', context: { known }, tools: [tool] })
  expect(shown(data, 'context').known).toEqual({
    shop_pin: '[secret]',
    'Card PIN': '[secret]',
    card: { pin: '[secret]', holder: 'ada' },
    product_id: 'p1',
  })
})

test('a value that is too long is cut, and a note says so', () => {
  const goal = 'Negotiate '.repeat(10_000)
  const { data, notes } = asked({ goal, context: {}, tools: TOOLS })
  expect(data.length).toBeLessThan(60_000)
  expect(data).toContain('<data name="goal, cut off">')
  expect(notes).toEqual(['The model was shown the first 40000 of 100002 characters of the goal.'])
})
