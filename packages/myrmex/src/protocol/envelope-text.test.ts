/** Envelopes to text and back. */
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorDetail, STATUSES, type ToolCall, type ToolResult } from './envelope.ts'
import {
  parseErrorDetail,
  parseToolCall,
  parseToolResult,
  stringifyErrorDetail,
  stringifyToolCall,
  stringifyToolResult,
} from './envelope-text.ts'
import type { ToolError } from './errors.ts'

const thrownBy = (work: () => unknown): ToolError => {
  try {
    work()
  } catch (thrown) {
    return thrown as ToolError
  }
  throw new Error('nothing was thrown')
}

/** As JSON has them: -0 is 0. A member named `__proto__` has a test of its own. */
const object = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'proto')))
const detail: fc.Arbitrary<ErrorDetail> = fc.record({
  error_type: fc.string(),
  error_message: fc.string(),
  error_details: fc.oneof(object, fc.string(), fc.constant(null)),
})
const call: fc.Arbitrary<ToolCall> = fc.record({
  tool_name: fc.stringMatching(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/),
  arguments: object,
})
const result: fc.Arbitrary<ToolResult> = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    data: fc.option(object),
    error: detail,
    explanation: fc.option(fc.string()),
  })
  .map(({ status, data, error, explanation }) => ({
    status,
    data: status === 'failure' ? null : data,
    error: status === 'success' || (status !== 'failure' && data === null) ? null : error,
    explanation,
  }))

describe.each<[string, fc.Arbitrary<object>, (json: string) => object, (value: never, options?: object) => string]>([
  ['a ToolCall', call, parseToolCall, stringifyToolCall],
  ['a ToolResult', result, parseToolResult, stringifyToolResult],
  ['an ErrorDetail', detail, parseErrorDetail, stringifyErrorDetail],
])('%s', (_name, any, parse, stringify) => {
  test('comes back as it was, compact and pretty', () => {
    fc.assert(
      fc.property(any, (value) => {
        const compact = stringify(value as never)
        const pretty = stringify(value as never, { pretty: true })
        expect(parse(compact)).toEqual(value)
        expect(parse(pretty)).toEqual(value)
        expect(compact).toBe(JSON.stringify(value))
        expect(pretty).toBe(JSON.stringify(value, null, 2))
      }),
      { numRuns: propertyRuns(100, 2000) },
    )
  })

  test('of any text is parsed, or refused with ValidationError', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      any.map((value) => JSON.stringify(value).slice(0, -1)),
    )
    fc.assert(
      fc.property(text, (json) => {
        try {
          expect(parse(json)).toBeTypeOf('object')
        } catch (thrown) {
          expect(thrown).toMatchObject({ error_type: 'ValidationError', message: expect.stringMatching(/^Not an? /) })
        }
      }),
      { numRuns: propertyRuns(100, 2000) },
    )
  })
})

test('the fields that a result leaves out are null', () => {
  expect(parseToolResult('{"status":"success"}')).toEqual({
    status: 'success',
    data: null,
    error: null,
    explanation: null,
  })
})

test.each([
  ['/arguments/__proto__', '{"tool_name":"a.b","arguments":{"__proto__":{"admin":true}}}'],
  ['/arguments/list/1/__proto__', '{"tool_name":"a.b","arguments":{"list":[{},{"__proto__":1}]}}'],
  ['/__proto__', '{"tool_name":"a.b","arguments":{},"__proto__":{}}'],
])('a member named __proto__ is refused, not dropped: %s', (path, json) => {
  expect(thrownBy(() => parseToolCall(json))).toMatchObject({
    error_type: 'ValidationError',
    error_details: { issues: [{ path, line: 1, constraint: 'must have another name than __proto__' }] },
  })
})

test.each([
  ['/arguments/x', 2, '{"tool_name":"a.b",\n"arguments":{"x":1e999}}'],
  ['/arguments/x/1/y', 1, '{"tool_name":"a.b","arguments":{"x":[1e308,{"y":-1e999}]}}'],
])('a number that JSON cannot hold is refused where it is: %s', (path, line, json) => {
  const constraint = 'must be a number that JSON can hold, of at most 1.8e308'
  expect(thrownBy(() => parseToolCall(json))).toMatchObject({
    error_type: 'ValidationError',
    error_details: { issues: [{ path, line, constraint }] },
  })
})

test('of members that are there twice, the last counts', () => {
  expect(parseToolCall('{"tool_name":"a.a","tool_name":"a.b","arguments":{"x":1,"x":2}}')).toEqual({
    tool_name: 'a.b',
    arguments: { x: 2 },
  })
})

test('articles and kinds are right in what it says', () => {
  expect(thrownBy(() => parseErrorDetail('[]')).message).toMatch(/^Not an ErrorDetail /)
  for (const [given, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    [5, 'a number'],
    [[], 'an array'],
  ])
    expect(thrownBy(() => parseErrorDetail(given as never)).message).toBe(
      `An ErrorDetail is parsed from a text, not from ${kind}.`,
    )
})

test('an error always has details, null if it has none', () => {
  const json = '{"error_type":"X","error_message":"y"}'
  const error = { error_type: 'X', error_message: 'y', error_details: null }
  expect(parseErrorDetail(json)).toEqual(error)
  expect(parseToolResult(`{"status":"failure","error":${json}}`).error).toEqual(error)
})

describe('an error has the location', () => {
  test('of each issue: pointer, line, column and sentence', () => {
    const error = thrownBy(() => parseToolCall('{\n  "tool_name": "read",\n  "arguments": [],\n  "confirm": true\n}'))
    expect(error).toMatchObject({
      error_type: 'ValidationError',
      error_details: {
        issues: [
          {
            path: '/tool_name',
            line: 2,
            column: 3,
            constraint: 'must match the pattern ^[a-z0-9_]+(\\.[a-z0-9_]+)+$',
            value: 'read',
          },
          { path: '/arguments', line: 3, column: 3, constraint: 'must be an object' },
          {
            path: '/confirm',
            line: 4,
            column: 3,
            constraint: 'is not a known property; known are tool_name, arguments',
          },
        ],
      },
    })
    expect(error.message).toBe(
      'Not a ToolCall (line 2, column 3): /tool_name: must match the pattern ^[a-z0-9_]+(\\.[a-z0-9_]+)+$; got "read"; ' +
        '/arguments: must be an object; got an array; /confirm: is not a known property; known are tool_name, arguments',
    )
  })

  test.each([
    ['{"status": "failure"}', '/error: is required: a failure has an error'],
    ['{"status": "done"}', '/status: must be one of success, failure, no_change_needed, partial_success; got "done"'],
    [
      '{"status": "success", "error": {"error_type": "X", "error_message": "y"}}',
      '/error: must be null or left out: a success has no error',
    ],
    [
      '{"status": "failure", "data": {}, "error": {"error_type": "X", "error_message": "y"}}',
      '/data: must be null or left out: a failure has no data',
    ],
    ['{"status": "failure", "error": {"error_type": "X"}}', '/error/error_message: is required'],
    ['[]', '/: must be an object; got an array'],
  ])('a ToolResult: %s', (json, message) => {
    expect(thrownBy(() => parseToolResult(json)).message).toBe(
      `Not a ToolResult (line 1, column ${column(json, message)}): ${message}`,
    )
  })
  /** Of the member that the issue is about, or of the value that lacks it. */
  const column = (json: string, message: string): number => {
    const [, name = ''] = /^\/(?:\w+\/)*(\w*):/.exec(message) ?? []
    const at = json.indexOf(`"${name}"`)
    if (at !== -1 && name !== '') return at + 1
    return message.startsWith('/error/') ? json.indexOf('"error"') + 1 : 1
  }

  test.each([
    ['{"status": "success",}', 1, 22],
    ['{\n"status"', 2, 9],
    ['', 1, 1],
    ['{"status": "success"} x', 1, 23],
  ])('of a text that is not JSON: %j', (json, line, at) => {
    expect(thrownBy(() => parseToolResult(json))).toMatchObject({
      error_type: 'ValidationError',
      message: `Not a ToolResult (line ${line}, column ${at}): Parse error: not JSON`,
      error_details: { line, column: at },
    })
  })

  test('what is no text is refused', () => {
    for (const given of [undefined, null, 7, {}, Buffer.from('{}')]) {
      expect(thrownBy(() => parseToolCall(given as never))).toMatchObject({ error_type: 'ValidationError' })
    }
  })

  test('a hostile text is refused in bounded time and space', () => {
    const members = Array.from({ length: 600_000 }, (_, n) => `"m${n}":0`).join(',')
    const deep = `{"tool_name":"a.b","arguments":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`
    for (const json of [`{${members}}`, deep, `${'['.repeat(5_000_000)}`]) {
      const error = thrownBy(() => parseToolCall(json))
      expect(error.error_type).toBe('ValidationError')
      expect(error.message.length).toBeLessThan(5000)
    }
  })
})

describe('writing', () => {
  test('refuses what could not be parsed again', () => {
    const bad = { tool_name: 'no_module', arguments: {} }
    expect(thrownBy(() => stringifyToolCall(bad))).toMatchObject({
      error_type: 'ValidationError',
      message: expect.stringMatching(/^Not a ToolCall: \/tool_name: must match/),
    })
    const failure = { status: 'failure', data: null, error: null, explanation: null } as const
    expect(thrownBy(() => stringifyToolResult(failure)).message).toMatch(/a failure has an error/)
  })

  test('a value that JSON cannot hold is a SerializationError with its path', () => {
    const holding = (value: unknown) => ({ tool_name: 'a.b', arguments: { list: [value] } })
    for (const value of [1n, () => {}, Number.NaN, new Map()])
      expect(thrownBy(() => stringifyToolCall(holding(value)))).toMatchObject({
        error_type: 'SerializationError',
        error_details: { path: '/arguments/list/0' },
      })
  })

  test('dates are ISO 8601', () => {
    const at = new Date(Date.UTC(2024, 0, 15, 10, 30))
    expect(stringifyToolCall({ tool_name: 'a.b', arguments: { at } })).toBe(
      '{"tool_name":"a.b","arguments":{"at":"2024-01-15T10:30:00.000Z"}}',
    )
  })
})
