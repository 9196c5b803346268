import vm from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ToolError } from './errors.ts'
import { isJson, toJson } from './serialise.ts'

/** The error that converting a value throws. */
function refusal(convert: () => unknown): ToolError {
  try {
    convert()
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ToolError)
    return thrown as ToolError
  }
  return expect.unreachable()
}

test('plain JSON is handed back as it is, without a copy', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      fc.pre(!JSON.stringify(value).includes('__proto__'))
      expect(isJson(value)).toBe(true)
      expect(toJson(value)).toBe(value)
    }),
  )
})

test('a value that is accepted without a copy is what JSON.parse reads from its own text', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (value) => {
      fc.pre(isJson(value))
      const text = JSON.stringify(value)
      expect(JSON.stringify(JSON.parse(text))).toBe(text)
    }),
  )
})

test('dates leave as ISO 8601 and URLs as strings, wherever they are', () => {
  const value = { at: new Date('2024-01-15T10:30:00Z'), in: [{ url: new URL('https://a.example/x') }] }
  expect(toJson(value)).toEqual({ at: '2024-01-15T10:30:00.000Z', in: [{ url: 'https://a.example/x' }] })
  expect(value.at).toBeInstanceOf(Date)
})

class Money {
  amount = 5
  toJSON(): object {
    return { euros: this.amount, at: new Date(0) }
  }
}

test('an object with toJSON leaves as what that returns', () => {
  const own = { toJSON: () => ['x'] }
  expect(toJson({ price: new Money(), own })).toEqual({
    price: { euros: 5, at: '1970-01-01T00:00:00.000Z' },
    own: ['x'],
  })
})

test('objects without a prototype, of another realm, and arrays of a class of their own are plain', () => {
  const bare = Object.assign(Object.create(null), { a: [1] })
  expect(toJson({ bare })).toEqual({ bare: { a: [1] } })
  expect(toJson(vm.runInNewContext('({ a: [{ b: 1 }] })'))).toEqual({ a: [{ b: 1 }] })
  class Rows extends Array<number> {}
  expect(JSON.stringify(toJson({ rows: Rows.from([1, 2]) }))).toBe('{"rows":[1,2]}')
})

test('a property that is undefined counts as absent', () => {
  expect(JSON.stringify(toJson({ a: 1, b: undefined, c: new Date(0) }))).toBe('{"a":1,"c":"1970-01-01T00:00:00.000Z"}')
})

const cycle: Record<string, unknown> = { a: {} }
;(cycle.a as Record<string, unknown>).back = cycle
class Point {
  x = 1
}
class Endless {
  toJSON(): unknown {
    return this
  }
}
const sparse: unknown[] = [1]
sparse[2] = 3

describe('is a SerializationError that names its location:', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['a cycle', cycle, '/a/back', /a cycle/],
    ['a bigint', { n: [1n] }, '/n/0', /a bigint .*text/],
    ['a function', { f: () => 1 }, '/f', /a function/],
    ['a class', { f: Point }, '/f', /a function/],
    ['a symbol', { 'a/b': { s: Symbol('x') } }, '/a~1b/s', /a symbol/],
    ['NaN', { n: Number.NaN }, '/n', /the number NaN/],
    ['Infinity', [Number.POSITIVE_INFINITY], '/0', /the number Infinity/],
    ['undefined as a whole', undefined, '', /undefined/],
    ['undefined in a list', [undefined], '/0', /undefined/],
    ['a hole in a list', { list: sparse }, '/list/1', /undefined/],
    ['a Map', { m: new Map() }, '/m', /a Map .*Object\.fromEntries/],
    ['a Set', { m: new Set() }, '/m', /a Set .*\[\.\.\.set\]/],
    ['a WeakMap', { m: new WeakMap() }, '/m', /a WeakMap/],
    ['a WeakSet', { m: new WeakSet() }, '/m', /a WeakSet/],
    ['a WeakRef', { m: new WeakRef({}) }, '/m', /a WeakRef/],
    ['bytes', { b: new Uint8Array(2) }, '/b', /a Uint8Array .*base64/],
    ['a Buffer', { b: Buffer.from('x') }, '/b', /a Buffer .*base64/],
    ['an ArrayBuffer', { b: new ArrayBuffer(2) }, '/b', /an ArrayBuffer .*base64/],
    ['a DataView', { b: new DataView(new ArrayBuffer(2)) }, '/b', /a DataView/],
    ['an invalid date', { d: new Date(Number.NaN) }, '/d', /an invalid date/],
    ['a Promise', { later: Promise.resolve(1) }, '/later', /a Promise .*await/],
    ['another thenable', { later: Object.fromEntries([['then', () => {}]]) }, '/later', /a Promise .*await/],
    ['an Error', { why: new TypeError('secret text') }, '/why', /a TypeError .*[Tt]hrow it/],
    ['an Error with toJSON', { why: Object.assign(new Error('x'), { toJSON: () => ({}) }) }, '/why', /an Error/],
    ['a RegExp', { r: /x/ }, '/r', /a RegExp/],
    ['an instance of a class', { at: [new Point()] }, '/at/0', /an instance of Point .*plain object/],
    ['a boxed number', { n: new Number(1) }, '/n', /an instance of Number/],
    ['an iterator', { i: [1].values() }, '/i', /an instance of Iterator/],
    ['an object whose prototype is an object', { o: Object.create({ a: 1 }) }, '/o', /an instance of/],
    ['toJSON that returns its own object', { e: new Endless() }, '/e', /an instance of Endless/],
    ['toJSON that returns nothing', [{ toJSON: () => undefined }], '/0', /undefined/],
    ['a member __proto__', JSON.parse('{"a":[{"__proto__":{"x":1}}]}'), '/a/0/__proto__', /"__proto__" .*Rename/],
    ['such a member without a value', JSON.parse('{"__proto__":null}'), '/__proto__', /"__proto__"/],
  ])('%s', (_what, value, path, message) => {
    expect(isJson(value)).toBe(false)
    const error = refusal(() => toJson(value))
    expect(error.error_type).toBe('SerializationError')
    expect(error.error_details).toMatchObject({ path })
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('secret text')
  })
})

test('nothing of a secret is in the path of a value that JSON cannot hold', () => {
  const error = refusal(() => toJson({ card: { '4111-1111': 1n } }, { secrets: new Set(['card']) }))
  expect(JSON.stringify([error.message, error.error_details])).not.toContain('4111')
  expect(error.error_details).toMatchObject({ path: '/card' })
})

test('a result that is nested without end is refused before the stack ends', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(refusal(() => toJson(deep)).message).toMatch(/more than 500 levels/)
})

describe('arguments', () => {
  test('may have any depth, because JSON.parse has no limit', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(toJson(deep, { what: 'arguments' })).toBe(deep)
    const far = JSON.parse(`${'['.repeat(100_000)}1e400${']'.repeat(100_000)}`)
    expect(refusal(() => toJson(far, { what: 'arguments' })).message).toMatch(/Infinity/)
  })

  test('that throw when they are read are refused', () => {
    const hostile = [
      { toJSON: () => expect.unreachable() },
      {
        get a() {
          return expect.unreachable()
        },
      },
      new Proxy({}, { ownKeys: () => expect.unreachable() }),
    ]
    for (const value of hostile) {
      const error = refusal(() => toJson({ value }, { what: 'arguments' }))
      expect(error.error_type).toBe('SerializationError')
      expect(error.error_details).toMatchObject({ path: expect.stringMatching(/^\/value/) })
    }
  })

  test('are to be converted before they are sent, results before they are returned', () => {
    expect(refusal(() => toJson({ a: new Point() }, { what: 'arguments' })).message).toMatch(/Send a plain object/)
    expect(refusal(() => toJson({ a: new Point() })).message).toMatch(/Return a plain object/)
  })
})
