/** The schemas of messages, held against the examples of the specification (grammar and vocabulary, sections 2 and 10). */
import { describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import {
  LogMessageSchema,
  paramsError,
  ResourceRequestSchema,
  readParams,
  TaskRequestSchema,
  TaskResponseSchema,
} from './messages.ts'

const task = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'calculate_tax', arguments: { price: 100 } },
}
const response = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '10.00' }] } }
const read = { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'file:///logs/error.txt' } }
const logged = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'Connected to database successfully.' },
}

describe.each<[string, ZodType, object, object[]]>([
  [
    'TaskRequestSchema',
    TaskRequestSchema,
    task,
    [
      { ...task, method: 'tools/list' },
      { ...task, id: null },
      { ...task, jsonrpc: '1.0' },
      { ...task, params: { arguments: {} } },
      { ...task, params: { name: 'a', arguments: [] } },
    ],
  ],
  [
    'TaskResponseSchema',
    TaskResponseSchema,
    response,
    [
      { ...response, result: {} },
      { ...response, result: { content: ['10.00'] } },
    ],
  ],
  [
    'ResourceRequestSchema',
    ResourceRequestSchema,
    read,
    [
      { ...read, params: {} },
      { ...read, params: { uri: 7 } },
    ],
  ],
  [
    'LogMessageSchema',
    LogMessageSchema,
    logged,
    [
      { ...logged, params: { level: 'loud', data: 'x' } },
      { ...logged, params: { level: 'info' } },
    ],
  ],
])('%s', (_name, schema, good, bad) => {
  test('takes the example as it is printed', () => {
    expect(schema.parse(good)).toEqual(good)
  })
  test.each(bad.map((one) => [JSON.stringify(one), one]))('refuses %s', (_text, one) => {
    expect(schema.safeParse(one).success).toBe(false)
  })
})

test('the error of params names every location, and no value of them', () => {
  const { params } = TaskRequestSchema.shape
  expect(paramsError(params, { name: 'a' })).toBeUndefined()
  const error = paramsError(params, { name: 7, arguments: 'hunter2' }, 'tools/call')
  expect(error).toMatchObject({
    code: -32602,
    message: 'tools/call: /name: must be a string; /arguments: must be an object',
    data: { error_type: 'ValidationError', issues: [{ path: '/name' }, { path: '/arguments' }] },
  })
  expect(JSON.stringify(error)).not.toContain('hunter2')
  expect(() => readParams(params, {})).toThrow('/name: is required')
})
