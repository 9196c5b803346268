import { expect, test } from 'vitest'
import type { ToolView } from '../fleet/tool-view.ts'
import { catalogueOf } from './catalogue.ts'

const tool = (name: string, description: string, more: Partial<ToolView> = {}): ToolView => ({
  agent: 'shop',
  name,
  version: '1.0.0',
  hash: name,
  description,
  input: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { description: { type: 'string', description: 'd'.repeat(300), examples: ['one', 'two'] } },
    required: ['description'],
  },
  output: { type: 'object', properties: { id: { type: 'string', type_id: 'order_id' } } },
  destructive: true,
  idempotent: false,
  undo: false,
  ...more,
})
const none = new Set<string>()
const request = (tools: readonly ToolView[], goal = 'anything') => ({ goal, context: {}, tools })

test('a tool is shown with what a planner needs, its cost and what was learned of it', () => {
  const spend = { type: 'object', properties: { amount: { type: 'number', 'x-cost': true } } }
  const tools = [
    tool('shop.order', 'Orders.'),
    tool('shop.pay', 'Pays.', { input: spend }),
    tool('shop.ship', 'Ships.'),
  ]
  const learned = new Map([['shop.order', { calls: 9, failures: 2, mean_ms: 5 }]])
  const priced = { ...(tools[2] as ToolView), input: { type: 'object', 'x-cost': 3 } }
  const { tools: shown, notes } = catalogueOf(
    { ...request([tools[0] as ToolView, tools[1] as ToolView, priced]), learned },
    none,
  )
  expect(notes).toEqual([])
  expect(shown[0]).toMatchObject({ name: 'shop.order', agent: 'shop', destructive: true, calls: 9, failures: 2 })
  expect(shown[0]?.input).toEqual({ ...tools[0]?.input, $schema: undefined })
  expect(shown[0]?.output).toEqual(tools[0]?.output)
  expect(shown.map(({ cost }) => cost)).toEqual([undefined, ['/amount'], 3])
})

test('descriptions and examples go first, properties never', () => {
  const { tools, notes } = catalogueOf(request([tool('shop.order', 'o'.repeat(5000))]), none, 600)
  expect(notes).toEqual([
    'The tools (1) were more than a model is shown in full: descriptions were cut to a line and those of fields left out.',
  ])
  expect(tools[0]?.description).toBe(`${'o'.repeat(79)}…`)
  expect(tools[0]?.input).toEqual({
    type: 'object',
    properties: { description: { type: 'string' } },
    required: ['description'],
  })
})

test('of too many tools those stay that are needed or like the goal, and the notes count the others', () => {
  const many = Array.from({ length: 500 }, (_, index) => tool(`shop.t${index}`, 'Does something else entirely.'))
  const tools = [...many, tool('shop.brew', 'Brews coffee.'), tool('shop.key', 'Opens.')]
  const catalogue = catalogueOf(request(tools, 'Sell coffee'), new Set(['shop.key']), 10_000)
  const names = catalogue.tools.map(({ name }) => name)
  expect(names).toContain('shop.brew')
  expect(names).toContain('shop.key')
  expect(JSON.stringify(catalogue.tools).length).toBeLessThan(10_001)
  expect(catalogue.notes.at(-1)).toBe(
    `${502 - names.length} of 502 tools were not shown to the model: those least like the goal.`,
  )
})

test('of a tool that nobody has reviewed a model sees only the name', () => {
  const { tools } = catalogueOf(request([tool('far.talk', 'Zebra first.', { isNameOnly: true })]), none)
  expect(tools).toEqual([
    { name: 'far.talk', agent: 'shop', description: expect.stringContaining('review'), destructive: true },
  ])
})
