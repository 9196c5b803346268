/** The context object of a request: any members, and the known ones with their types. Checked wherever a request passes the pipeline. */
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { callTool } from '../server/call-tool.ts'
import { createServer } from '../server/server.ts'
import { resource } from '../tool/resource.ts'
import { tool } from '../tool/tool.ts'
import { contextError, WorkContextSchema } from './work-context.ts'

const show = tool({
  ...toolDefaults,
  name: 'work.show',
  input: z.object({}),
  output: z.object({ context: z.looseObject({}) }),
  run: (_input, { context }) => ({ context }),
})
const server = createServer({
  name: 'work',
  version: '1.0.0',
  tools: [show],
  resources: [resource({ uri: 'notes://one', name: 'one', read: () => 'x' })],
})

const GOOD = [
  {},
  { run: 'r1', step: 's1', agent: 'ops', goal: 'Launch a new coffee brand', locale: 'en-GB' },
  { budget: 5000 },
  { budget: { money: 5000, calls: 20, time: '15m' } },
  { anything: { else: ['is', 'kept'] }, tenant: 7 },
]

const BAD: [unknown, string, string][] = [
  ['text', '', 'must be an object'],
  [null, '', 'must be an object'],
  [[], '', 'must be an object'],
  [{ run: 7 }, '/run', 'must be a string'],
  [{ step: null }, '/step', 'must be a string'],
  [{ goal: ['x'] }, '/goal', 'must be a string'],
  [{ budget: 'much' }, '/budget', ''],
  [{ budget: { money: 'much' } }, '/budget/money', 'must be a number'],
  [{ budget: -1 }, '/budget', 'must be at least 0'],
  [{ budget: { mony: 1 } }, '/budget/mony', 'is not a known property'],
]

test.each(GOOD)('%j fits', async (context) => {
  expect(WorkContextSchema.safeParse(context).success).toBe(true)
  const meta = { 'myrmex/context': context }
  const direct = await callTool(server, { tool_name: 'work.show', arguments: {} }, { meta })
  expect(direct.data).toEqual({ context })
})

describe.each(BAD)('%j does not fit', (context, path, constraint) => {
  const meta = { 'myrmex/context': context }
  const issues = [{ path: `/_meta/myrmex~1context${path}`, constraint: expect.stringContaining(constraint) }]

  test('on the wire it is -32602 with the location', async () => {
    for (const [method, params] of [
      ['tools/call', { name: 'work.show', arguments: {} }],
      ['resources/read', { uri: 'notes://one' }],
    ] as const) {
      const { error } = await modernPeer(server).request(method, { ...params, _meta: meta })
      expect(error).toMatchObject({ code: -32602, data: { error_type: 'ValidationError', issues } })
      expect(error?.message).toMatch(/^_meta\["myrmex\/context"\] is malformed: /)
    }
  })

  test('in process it is a failure with ValidationError', async () => {
    const result = await callTool(server, { tool_name: 'work.show', arguments: {} }, { meta })
    expect(result).toMatchObject({
      status: 'failure',
      error: { error_type: 'ValidationError', error_details: { issues } },
    })
  })
})

test('a request without one is not looked at', () => {
  expect(contextError(undefined)).toBeUndefined()
  expect(contextError({ progressToken: 1 })).toBeUndefined()
})

test('its JSON Schema says the same, for validators in other languages', () => {
  const json = z.toJSONSchema(WorkContextSchema, { io: 'input' })
  expect(json).toMatchObject({
    type: 'object',
    properties: { run: { type: 'string' }, budget: { anyOf: [{ type: 'number' }, { type: 'object' }] } },
  })
})
