import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ToolError } from './errors.ts'
import { toJson } from './serialise.ts'

test('plain JSON is handed back as it is, without a copy', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(toJson(value)).toBe(value)
    }),
  )
})

test('dates leave as ISO 8601 and URLs as strings, wherever they stand', () => {
  const value = { at: new Date('2024-01-15T10:30:00Z'), in: [{ url: new URL('https://a.example/x') }] }
  expect(toJson(value)).toEqual({ at: '2024-01-15T10:30:00.000Z', in: [{ url: 'https://a.example/x' }] })
  expect(value.at).toBeInstanceOf(Date)
})

const cycle: Record<string, unknown> = { a: {} }
;(cycle.a as Record<string, unknown>).back = cycle

test.each([
  ['a cycle', cycle, '/a/back'],
  ['a bigint', { n: [1n] }, '/n/0'],
  ['a function', { f: () => 1 }, '/f'],
  ['a symbol', { 'a/b': { s: Symbol('x') } }, '/a~1b/s'],
  ['NaN', { n: Number.NaN }, '/n'],
  ['Infinity', [Number.POSITIVE_INFINITY], '/0'],
  ['undefined in a list', [undefined], '/0'],
  ['a Map', { m: new Map() }, '/m'],
  ['a Set', { m: new Set() }, '/m'],
  ['bytes', { b: new Uint8Array(2) }, '/b'],
  ['an invalid date', { d: new Date(Number.NaN) }, '/d'],
])('%s is a SerializationError that names the place', (_what, value, path) => {
  try {
    toJson(value)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError)
    expect((error as ToolError).error_type).toBe('SerializationError')
    expect((error as ToolError).error_details).toMatchObject({ path })
  }
})

test('a property that is undefined counts as absent', () => {
  expect(JSON.stringify(toJson({ a: 1, b: undefined }))).toBe('{"a":1}')
})

test('nesting without end is refused before the stack ends', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(() => toJson(deep)).toThrow(/nesting deeper than/)
})

test('a key named __proto__ stays a key', () => {
  const value = JSON.parse('{"__proto__": {"at": 1}, "d": 1}')
  value.d = new Date(0)
  const plain = toJson(value) as object
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype)
  expect(JSON.stringify(plain)).toBe('{"__proto__":{"at":1},"d":"1970-01-01T00:00:00.000Z"}')
})
