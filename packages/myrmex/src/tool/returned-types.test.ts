/**
 * What `run` and `dryRun` may return, as TypeScript sees it: literals keep their types without `as const`, for every kind of schema,
 * and data of another form is an error. The type check of the repository is the test; each tool here is also called once.
 */

import { toolDefaults } from '@myrmex/testing/sample-tools'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../client/connect.ts'
import { createServer } from '../server/server.ts'
import { answer, partial, unchanged } from './answer.ts'
import { type Tool, tool } from './tool.ts'

const input = z.object({ a: z.boolean() })
const kinds = z.object({ k: z.enum(['a', 'b']) })
const shapes = z.discriminatedUnion('shape', [
  z.object({ shape: z.literal('circle'), radius: z.number() }),
  z.object({
    shape: z.literal('path'),
    points: z.array(z.tuple([z.number(), z.number()])),
    tags: z.array(z.enum(['x', 'y'])),
  }),
])
const common = { ...toolDefaults, input }

const tools = {
  expression: tool({ ...common, name: 'kind.expression', output: kinds, run: ({ a }) => ({ k: a ? 'a' : 'b' }) }),
  later: tool({ ...common, name: 'kind.later', output: kinds, run: async ({ a }) => ({ k: a ? 'a' : 'b' }) }),
  noParameters: tool({ ...common, name: 'kind.no_parameters', output: kinds, run: () => ({ k: 'a' }) }),
  method: tool({
    ...common,
    name: 'kind.method',
    output: kinds,
    run({ a }) {
      if (a) return { k: 'a' }
      return { k: 'b' }
    },
  }),
  block: tool({
    ...common,
    name: 'kind.block',
    output: kinds,
    run: ({ a }) => {
      if (a) return { k: 'a' }
      return { k: 'b' }
    },
  }),
  laterBlock: tool({
    ...common,
    name: 'kind.later_block',
    output: kinds,
    run: async ({ a }) => {
      await Promise.resolve()
      if (a) return answer({ k: 'a' }, { explanation: 'Yes.' })
      return { k: 'b' }
    },
  }),
  sometimesLater: tool({
    ...common,
    name: 'kind.sometimes_later',
    output: kinds,
    run: ({ a }) => (a ? { k: 'a' } : Promise.resolve({ k: 'b' as const })),
  }),
  answered: tool({
    ...common,
    name: 'kind.answered',
    output: kinds,
    run: ({ a }) => (a ? partial({ k: 'a' }, { explanation: 'Half.' }) : unchanged({ k: 'b' })),
  }),
  union: tool({
    ...common,
    name: 'kind.union',
    output: shapes,
    run: ({ a }) => (a ? { shape: 'circle', radius: 1 } : { shape: 'path', points: [[1, 2]], tags: ['x'] }),
  }),
  answeredUnion: tool({
    ...common,
    name: 'kind.answered_union',
    output: shapes,
    run: async ({ a }) => {
      if (a) return answer({ shape: 'circle', radius: 1 })
      return answer({ shape: 'path', points: [[1, 2]], tags: [] })
    },
  }),
  dryRun: tool({
    ...common,
    name: 'kind.dry_run',
    output: kinds,
    dryRun: () => ({ k: 'a' }),
    run: ({ a }) => ({ k: a ? 'a' : 'b' }),
  }),
  dates: tool({
    ...common,
    name: 'kind.dates',
    output: z.object({
      at: z.date(),
      rest: z.record(z.string(), z.unknown()),
      n: z.literal(5),
      by: z.string().brand('By'),
    }),
    run: () => ({ at: new Date(0), rest: { list: [1] }, n: 5, by: z.string().brand('By').parse('x') }),
  }),
  arktype: tool({
    ...common,
    name: 'kind.arktype',
    output: type({ k: "'a'|'b'", list: "('x'|'y')[]" }),
    run: ({ a }) => ({ k: a ? 'a' : 'b', list: ['x'] }),
  }),
  valibot: tool({
    ...common,
    name: 'kind.valibot',
    output: toStandardJsonSchema(v.object({ k: v.picklist(['a', 'b']), list: v.array(v.picklist(['x', 'y'])) })),
    run: ({ a }) => ({ k: a ? 'a' : 'b', list: ['x'] }),
  }),
  plain: tool({
    ...common,
    name: 'kind.plain',
    output: { type: 'object', properties: { k: { enum: ['a', 'b'] } } },
    run: ({ a }) => ({ k: a ? 'a' : 'b', list: ['x'] }),
  }),
  text: tool({ ...common, name: 'kind.text', output: 'text', run: ({ a }) => (a ? answer('a') : 'b') }),
  nothing: tool({ ...common, name: 'kind.nothing', output: z.null(), run: () => {} }),
  nothingLater: tool({ ...common, name: 'kind.nothing_later', output: z.null(), run: async () => {} }),
  fails: tool({
    ...common,
    name: 'kind.fails',
    output: kinds,
    run: ({ a }) => {
      if (a) return { k: 'a' }
      throw new Error('none')
    },
  }),
}

const wrong = { ...common, name: 'kind.wrong' }
const ofWrongTypes = () => [
  // @ts-expect-error: not one of the choices
  tool({ ...wrong, output: kinds, run: () => ({ k: 'c' }) }),
  // @ts-expect-error: any text
  tool({ ...wrong, output: kinds, run: () => ({ k: String(1) }) }),
  // @ts-expect-error: a missing field
  tool({ ...wrong, output: kinds, run: () => ({}) }),
  // @ts-expect-error: later, and not one of the choices
  tool({ ...wrong, output: kinds, run: async () => ({ k: 'c' }) }),
  // @ts-expect-error: an answer with other data
  tool({ ...wrong, output: kinds, run: () => answer({ k: 'c' }) }),
  // @ts-expect-error: one of two answers
  tool({ ...wrong, output: kinds, run: async ({ a }) => (a ? partial({ k: 'a' }) : unchanged({ k: 5 })) }),
  // @ts-expect-error: nothing
  tool({ ...wrong, output: kinds, run: () => {} }),
  // @ts-expect-error: null
  tool({ ...wrong, output: kinds, run: () => null }),
  // @ts-expect-error: a mixture of two choices
  tool({ ...wrong, output: shapes, run: () => ({ shape: 'circle', tags: ['x'] }) }),
  // @ts-expect-error: an item that is not one of the choices
  tool({ ...wrong, output: shapes, run: () => ({ shape: 'path', points: [], tags: ['z'] }) }),
  // @ts-expect-error: a list of another length
  tool({ ...wrong, output: shapes, run: () => ({ shape: 'path', points: [[1]], tags: [] }) }),
  // @ts-expect-error: a dry run that returns something else
  tool({ ...wrong, output: kinds, dryRun: () => ({ k: 'c' }), run: () => ({ k: 'a' }) }),
  // @ts-expect-error: no text
  tool({ ...wrong, output: 'text', run: () => ({ text: 'a' }) }),
  // @ts-expect-error: data of a tool without data
  tool({ ...wrong, output: z.null(), run: () => ({ k: 'a' }) }),
  // @ts-expect-error: not an object, for plain JSON Schema
  tool({ ...wrong, output: { type: 'object' }, run: () => 5 }),
  // @ts-expect-error: ArkType
  tool({ ...wrong, output: type({ k: "'a'|'b'" }), run: () => ({ k: 'c' }) }),
  // @ts-expect-error: a text is no date
  tool({ ...wrong, output: z.object({ at: z.date() }), run: () => ({ at: 'today' }) }),
]

test('literals that a tool returns keep their types, and its callers see those of the schema', async () => {
  expect(ofWrongTypes).toBeTypeOf('function')
  expectTypeOf(tools.expression).toEqualTypeOf<Tool<{ a: boolean }, { k: 'a' | 'b' }>>()
  expectTypeOf(tools.laterBlock).toEqualTypeOf<Tool<{ a: boolean }, { k: 'a' | 'b' }>>()
  expectTypeOf(tools.nothing).toEqualTypeOf<Tool<{ a: boolean }, null>>()
  const connection = await connect(createServer({ name: 'test', version: '1.0.0', tools: Object.values(tools) }))
  const { data } = await connection.call(tools.union, { a: false })
  if (data?.shape === 'path') expectTypeOf(data.tags).toEqualTypeOf<('x' | 'y')[]>()
  expect(data).toEqual({ shape: 'path', points: [[1, 2]], tags: ['x'] })
  for (const each of Object.values(tools)) {
    const { status, error } = await connection.call(each.name, { a: true })
    expect(status, `${each.name}: ${error?.error_message}`).not.toBe('failure')
  }
  await connection.close()
})
