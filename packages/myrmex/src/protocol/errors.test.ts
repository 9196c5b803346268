import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  CODE,
  ERROR_CATALOGUE,
  ERROR_TYPES,
  errorTypesWhere,
  httpStatusOf,
  RpcError,
  ToolError,
  toErrorDetail,
} from './errors.ts'

test('a ToolError speaks for itself when its type is declared or of the catalogue', () => {
  const detail = toErrorDetail(new ToolError('FullError', 'It is full.', { room: 0 }), 'c1', new Set(['FullError']))
  expect(detail).toEqual({ error_type: 'FullError', error_message: 'It is full.', error_details: { room: 0 } })
  expect(toErrorDetail(new ToolError('PermissionError', 'no'), 'c1', new Set()).error_type).toBe('PermissionError')
})

test('a type nobody declared becomes ToolExecutionError and keeps its words', () => {
  const detail = toErrorDetail(new ToolError('OddError', 'Something odd.'), 'c1', new Set())
  expect(detail).toMatchObject({ error_type: 'ToolExecutionError', error_message: 'Something odd.' })
})

test.each([
  [new Error('password=hunter2')],
  [new TypeError('secret')],
  ['a string'],
  [undefined],
  [null],
  [{ toString: () => 'leak' }],
  [Object.create(null)],
])('anything else thrown is a ToolExecutionError with a reference and nothing of its text', (thrown) => {
  const detail = toErrorDetail(thrown, 'call-7', new Set())
  expect(detail.error_type).toBe('ToolExecutionError')
  expect(detail.error_details).toEqual({ call_id: 'call-7' })
  expect(JSON.stringify(detail)).not.toMatch(/hunter2|secret|leak/)
})

test('codes stay where the protocol put them', () => {
  expect(CODE).toEqual({
    parse: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internal: -32603,
    resourceNotFound: -32002,
    headerMismatch: -32020,
    missingCapability: -32021,
    unsupportedVersion: -32022,
  })
})

test('every type of the specification is in the catalogue', () => {
  for (const type of [
    'ValidationError',
    'FileNotFoundError',
    'AuthenticationError',
    'ResourceNotFound',
    'ToolExecutionError',
    'ApiLimitExceeded',
    'TimeoutError',
    'PermissionError',
    'TransportError',
    'ToolNotFoundError',
    'SchemaError',
    'SerializationError',
    'RegistrationError',
  ]) {
    expect(ERROR_TYPES).toHaveProperty(type)
  }
})

test('an RpcError keeps the error_type in its data', () => {
  const error = new RpcError(CODE.invalidParams, 'Unknown tool: x', { error_type: 'ToolNotFoundError' })
  expect(toErrorDetail(error, 'c').error_type).toBe('ToolNotFoundError')
})

test('a misspelled type of ours does not compile, and a tool may declare its own', () => {
  // @ts-expect-error: not in the catalogue
  expect(ToolError.of('TimoutError', 'late').error_type).toBe('TimoutError')
  expect(ToolError.of('TimeoutError', 'late', { ms: 1 })).toMatchObject({
    error_type: 'TimeoutError',
    error_details: { ms: 1 },
  })
  expect(new ToolError('UnknownSkuError', 'No such SKU.').error_type).toBe('UnknownSkuError')
})

test('no file of ours names an error type outside the catalogue', async () => {
  const src = new URL('..', import.meta.url)
  for await (const file of glob('**/*.ts', { cwd: fileURLToPath(src), exclude: ['**/*.test.ts'] })) {
    const text = (await readFile(new URL(file, src), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(text, file).not.toMatch(/new ToolError\(\s*['"`]/)
  }
})

test('lists of error types are filters over the catalogue', () => {
  expect([...errorTypesWhere('retryable')]).toEqual([
    'ApiLimitExceeded',
    'UnavailableError',
    'TimeoutError',
    'ToolExecutionError',
    'TransportError',
  ])
  expect([...errorTypesWhere('unhealthy')]).toEqual([
    'SerializationError',
    'UnavailableError',
    'TimeoutError',
    'ToolExecutionError',
    'TransportError',
  ])
  expect([...errorTypesWhere('mayHaveEffect')]).toEqual([
    'SerializationError',
    'UnavailableError',
    'TimeoutError',
    'CancelledError',
    'ToolExecutionError',
    'TransportError',
  ])
  expect([...errorTypesWhere('common')]).toEqual([
    'SchemaError',
    'PermissionError',
    'ApiLimitExceeded',
    'UnavailableError',
    'TimeoutError',
    'ToolExecutionError',
  ])
  expect([...errorTypesWhere('notACall')]).toEqual(['ValidationError', 'ToolNotFoundError'])
  expect(httpStatusOf('UnknownSkuError')).toBeUndefined()
  expect(Object.keys(ERROR_CATALOGUE).map(httpStatusOf)).toEqual(
    Object.values(ERROR_CATALOGUE).map(({ httpStatus }) => httpStatus),
  )
})
