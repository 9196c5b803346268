/** Document 3: API specification. */
import {
  type ErrorDetail,
  ErrorDetailSchema,
  parseErrorDetail,
  parseToolCall,
  parseToolResult,
  type ToolCall,
  ToolCallSchema,
  type ToolResult,
  ToolResultSchema,
} from 'myrmex'
import { describe, expect, test } from 'vitest'

describe('§1 MCPErrorDetail (ErrorDetail)', () => {
  test('error_type and error_message are strings and required', () => {
    expect(ErrorDetailSchema.safeParse({ error_type: 'X', error_message: 'm' }).success).toBe(true)
    expect(ErrorDetailSchema.safeParse({ error_type: 7, error_message: 'm' }).success).toBe(false)
    expect(ErrorDetailSchema.safeParse({ error_type: 'X' }).success).toBe(false)
  })

  test('error_details is optional: an object or a text', () => {
    const accepts = (error_details: unknown) =>
      ErrorDetailSchema.safeParse({ error_type: 'X', error_message: 'm', error_details }).success
    expect([undefined, null, { path: '/a' }, 'more'].map(accepts)).toEqual([true, true, true, true])
    expect(accepts(7)).toBe(false)
  })

  test('the example is accepted', () => {
    const example: ErrorDetail = {
      error_type: 'ResourceNotFound',
      error_message: 'The requested resource could not be located.',
      error_details: { resource_id: 'xyz-123' },
    }
    expect(parseErrorDetail(JSON.stringify(example))).toEqual(example)
  })
})

describe('§2 MCPToolCall (ToolCall)', () => {
  test('tool_name and arguments are required', () => {
    expect(ToolCallSchema.safeParse({ tool_name: 'a.b' }).success).toBe(false)
    expect(ToolCallSchema.safeParse({ arguments: {} }).success).toBe(false)
  })

  test('arguments takes any fields: each tool has its own', () => {
    const args = { text: 'a', list: [1, { deep: null }], flag: true }
    expect(ToolCallSchema.parse({ tool_name: 'a.b', arguments: args }).arguments).toEqual(args)
  })

  test('fields beside these two are refused, as the schema of the technical overview says', () => {
    expect(ToolCallSchema.safeParse({ tool_name: 'a.b', arguments: {}, extra: 1 }).success).toBe(false)
  })

  test('the example is accepted', () => {
    const example: ToolCall = {
      tool_name: 'file_utility.read_file_content',
      arguments: { file_path: '/path/to/file.txt', max_chars: 1024 },
    }
    expect(parseToolCall(JSON.stringify(example))).toEqual(example)
  })
})

describe('§3 MCPToolResult (ToolResult)', () => {
  test('status is required', () => {
    expect(ToolResultSchema.safeParse({ data: { a: 1 } }).success).toBe(false)
  })

  test('data, error and explanation are optional, and null by default', () => {
    expect(parseToolResult('{"status":"success"}')).toEqual({
      status: 'success',
      data: null,
      error: null,
      explanation: null,
    })
  })

  test('check_error_if_failed: a failure without an error is refused', () => {
    expect(() => parseToolResult('{"status":"failure"}')).toThrow(/error/)
  })

  test('check_data_if_success: a failure with data is refused', () => {
    const error = { error_type: 'X', error_message: 'm' }
    expect(ToolResultSchema.safeParse({ status: 'failure', error, data: { a: 1 } }).success).toBe(false)
    expect(ToolResultSchema.safeParse({ status: 'failure', error, data: null }).success).toBe(true)
  })

  test('a success has no error', () => {
    const error = { error_type: 'X', error_message: 'm' }
    expect(ToolResultSchema.safeParse({ status: 'success', data: {}, error }).success).toBe(false)
  })

  test('the data takes any fields: each tool has its own', () => {
    const data = { anything: [{ deep: true }] }
    expect(ToolResultSchema.parse({ status: 'success', data }).data).toEqual(data)
  })

  test('the example of a success is accepted', () => {
    const example: ToolResult = {
      status: 'success',
      data: { file_content: 'Hello World' },
      error: null,
      explanation: 'Read file successfully.',
    }
    expect(parseToolResult(JSON.stringify(example))).toEqual(example)
  })

  test('the example of a failure is accepted', () => {
    const error = { error_type: 'FileNotFound', error_message: 'The target file was not found.' }
    expect(parseToolResult(JSON.stringify({ status: 'failure', error }))).toMatchObject({ status: 'failure', error })
  })
})
