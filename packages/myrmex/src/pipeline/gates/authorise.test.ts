import { add, echo, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL, type Principal } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import { Pipeline } from '../pipeline.ts'

const deep = tool({
  ...toolDefaults,
  name: 'math.far.sum',
  input: { type: 'object' },
  output: { type: 'object' },
  run: () => ({}),
})
const pipeline = new Pipeline(new Registry([add, echo, deep]))

const ci = (...scopes: string[]): Principal => ({ id: 'ci', kind: 'bearer', scopes })
const status = async (principal: Principal, name: string, args: object = { a: 1, b: 2 }) => {
  const ended = await pipeline.call(plainCaller('direct', principal), name, args)
  return 'error' in ended && ended.error !== null ? ended.error.error_type : 'ok'
}

test.each<[Principal, boolean]>([
  [LOCAL, true],
  [{ id: 'all', kind: 'bearer' }, true],
  [ci('*'), true],
  [ci('math.*'), true],
  [ci('text.echo', 'math.add'), true],
  [ci(), false],
  [ci('text.*'), false],
  [ci('math.ad'), false],
  [ci('mat.*'), false],
  [ci('add'), false],
  [ci('math_add'), false],
  [ci('MATH.ADD'), false],
])('%j may call math.add: %s', async (principal, may) => {
  // Twice, since the second time the first decision is remembered.
  for (const _time of [1, 2]) expect(await status(principal, 'math.add')).toBe(may ? 'ok' : 'PermissionError')
})

test('what is called by another of its names needs the same scope', async () => {
  for (const name of ['math.add', 'math_add', 'add']) {
    expect(await status(ci('math.add'), name)).toBe('ok')
    expect(await status(ci('text.*'), name)).toBe('PermissionError')
  }
  expect(await status(ci('math.*'), 'math.far.sum')).toBe('ok')
})

test('the refusal names the tool, the principal and the scope that is missing', async () => {
  const ended = await pipeline.call(plainCaller('http', ci('text.*')), 'math.add', { a: 1, b: 2 })
  expect(ended).toMatchObject({
    status: 'failure',
    error: {
      error_type: 'PermissionError',
      error_message:
        'ci may not call math.add: the scope math.add (or math.*) is missing; it has text.*. Ask the operator for it.',
      error_details: { tool: 'math.add', principal: 'ci', missing_scope: 'math.add' },
    },
  })
})

test('a tool called by a tool is called as the same principal', async () => {
  const front = tool({
    ...toolDefaults,
    name: 'front.door',
    input: { type: 'object' },
    output: { type: 'object' },
    run: async (_input, ctx) => ({ ...(await ctx.call('math.add', { a: 1, b: 2 })) }),
  })
  const own = new Pipeline(new Registry([add, front]))
  const through = (...scopes: string[]) => own.call(plainCaller('direct', ci(...scopes)), 'front.door', {})
  expect(await through('front.door')).toMatchObject({ data: { error: { error_type: 'PermissionError' } } })
  expect(await through('front.door', 'math.*')).toMatchObject({ data: { data: { sum: 3 } } })
})
