import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ErrorDetail,
  ErrorDetailSchema,
  type ToolCall,
  ToolCallSchema,
  type ToolResult,
  ToolResultSchema,
} from './envelope.ts'
import { envelopeSchemas } from './envelope-schemas.ts'

const ajv = new Ajv({ strict: false })
const draft7 = Object.fromEntries(
  Object.entries(envelopeSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]),
)

describe('a ToolCall', () => {
  const good = { tool_name: 'file_utility.read_file_content', arguments: { file_path: 'a.txt' } }

  test('is accepted as the specification writes it', () => {
    expect(ToolCallSchema.parse(good)).toEqual(good)
    expect(draft7.ToolCall?.(good)).toBe(true)
  })

  test.each([
    ['no module', { ...good, tool_name: 'read' }],
    ['upper case', { ...good, tool_name: 'File.read' }],
    ['an empty part', { ...good, tool_name: 'a..b' }],
    ['a newline behind the name', { ...good, tool_name: 'a.b\n' }],
    ['no arguments', { tool_name: 'a.b' }],
    ['arguments that are a list', { ...good, arguments: [] }],
    ['an unknown field', { ...good, confirm: true }],
  ])('is refused with %s, by Zod and by JSON Schema alike', (_why, call) => {
    expect(ToolCallSchema.safeParse(call).success).toBe(false)
    expect(draft7.ToolCall?.(call)).toBe(false)
  })
})

describe('a ToolResult', () => {
  const error = { error_type: 'ValidationError', error_message: 'empty', error_details: { parameter: 'prompt' } }

  test.each([
    [{ status: 'success', data: { a: 1 }, error: null, explanation: null }],
    [{ status: 'success' }],
    [{ status: 'success', data: null }],
    [{ status: 'failure', error }],
    [{ status: 'failure', data: null, error, explanation: 'no' }],
    [{ status: 'no_change_needed', data: {} }],
    [{ status: 'partial_success', data: { done: 1 }, error }],
  ])('is accepted: %j', (result) => {
    expect(ToolResultSchema.safeParse(result).success).toBe(true)
    // The specification's schema has no null for `error`, although its own examples do.
    const { error, ...rest } = result as { error?: object | null }
    expect(draft7.ToolResult?.(error === null ? rest : result)).toBe(true)
  })

  test.each([
    ['an unknown status', { status: 'done' }],
    ['a failure without an error', { status: 'failure' }],
    ['a failure with data', { status: 'failure', error, data: {} }],
    ['a success with an error', { status: 'success', error }],
    ['data that is a list', { status: 'success', data: [] }],
    ['an error without a message', { status: 'failure', error: { error_type: 'X' } }],
  ])('is refused with %s', (_why, result) => {
    expect(ToolResultSchema.safeParse(result).success).toBe(false)
  })
})

test.each([
  ['/arguments/__proto__', '{"__proto__":{"admin":true}}', 'must have another name than __proto__'],
  ['/arguments/a/0/__proto__', '{"a":[{"__proto__":1}]}', 'must have another name than __proto__'],
  ['/arguments/a', '{"a":1e999}', 'must be a number that JSON can hold, of at most 1.8e308'],
])('a call whose copy would not be the same is refused: %s', (path, json, message) => {
  const { success, error } = ToolCallSchema.safeParse({ tool_name: 'a.b', arguments: JSON.parse(json) })
  expect(success).toBe(false)
  expect(error?.issues.map((issue) => [`/${issue.path.join('/')}`, issue.message])).toEqual([[path, message]])
  const result = { status: 'failure', error: { error_type: 'X', error_message: 'y', error_details: JSON.parse(json) } }
  expect(ToolResultSchema.safeParse(result).success).toBe(false)
})

test('what the schemas return has every field, and the types of the envelopes', () => {
  const error: ErrorDetail = ErrorDetailSchema.parse({ error_type: 'X', error_message: 'y' })
  const failed: ToolResult = ToolResultSchema.parse({
    status: 'failure',
    error: { error_type: 'X', error_message: 'y' },
  })
  const call: ToolCall = ToolCallSchema.parse({ tool_name: 'a.b', arguments: { a: [1] } })
  expect(error).toEqual({ error_type: 'X', error_message: 'y', error_details: null })
  expect(failed).toEqual({ status: 'failure', data: null, error, explanation: null })
  expect(call.arguments).toEqual({ a: [1] })
})

test('error_details may be an object, a string or null, and nothing else', () => {
  const detail = (error_details: unknown) => ({ error_type: 'X', error_message: 'y', error_details })
  for (const good of [{}, { a: 1 }, 'text', null, undefined]) {
    expect(ErrorDetailSchema.safeParse(detail(good)).success).toBe(true)
  }
  for (const bad of [1, true, [1]]) {
    expect(ErrorDetailSchema.safeParse(detail(bad)).success).toBe(false)
    expect(draft7.ErrorDetail?.(detail(bad))).toBe(false)
  }
})

test('Zod and the draft-07 schemas agree on any call', () => {
  const name = fc.oneof(fc.stringMatching(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/), fc.string())
  const call = fc.record({
    tool_name: name,
    arguments: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
  })
  fc.assert(
    fc.property(call, (value) => {
      // The JSON Schema cannot refuse a member named __proto__ and a number out of range.
      const plain = JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'proto'))
      expect(ToolCallSchema.safeParse(plain).success).toBe(draft7.ToolCall?.(plain))
    }),
  )
})
