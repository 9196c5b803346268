import { expect, test } from 'vitest'
import { planByRules } from '../planner.ts'

const common = { agent: 'shop', version: '1.0.0', hash: '', destructive: false, idempotent: true, undo: false }
const sku = (examples?: string[]) => ({ type: 'string', type_id: 'sku', ...(examples && { examples }) })
const check = (examples?: string[]) => ({
  ...common,
  name: 'shop.check_stock',
  description: 'Says how many pieces are in stock.',
  input: { type: 'object', properties: { sku: sku(examples) }, required: ['sku'] },
  output: { type: 'object', properties: { on_hand: { type: 'integer' } }, required: ['on_hand'] },
})
const bestseller = {
  ...common,
  name: 'shop.name_bestseller',
  description: 'Names what sells best.',
  input: { type: 'object', properties: {} },
  output: { type: 'object', properties: { sku: sku() }, required: ['sku'] },
}
const goal = 'How many red chairs do we have in stock?'
const steps = (...tools: ReturnType<typeof check>[]) =>
  planByRules({ goal, context: {}, tools }).steps.map(({ tool, arguments: args }) => [tool, args])

test('an input whose schema shows several words as an example takes the words that nothing else explains', () => {
  expect(steps(check(['chair-red', 'Red Chair']))).toEqual([['shop.check_stock', { sku: 'red chairs' }]])
})

test('it takes them rather than what some other tool happens to give', () => {
  const tools = [check(['chair-red', 'Red Chair']), bestseller as unknown as ReturnType<typeof check>]
  expect(steps(...tools)).toEqual([['shop.check_stock', { sku: 'red chairs' }]])
})

test('an input that shows only codes is asked for', () => {
  expect(steps(check(['chair-red']))).toEqual([['shop.check_stock', {}]])
})
