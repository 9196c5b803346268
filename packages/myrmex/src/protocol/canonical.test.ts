import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical, whyUnwritable } from './canonical.ts'

test('is what RFC 8785 says, judged by the package that everybody uses', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(canonical(value)).toBe(canonicalize(value))
    }),
    { numRuns: 1000 },
  )
})

test('does not depend on the order of keys or the form of numbers, and on everything else', () => {
  const text = (json: string) => canonical(JSON.parse(json))
  expect(text('{"b":1.0,"a":[1e0,-0]}')).toBe(text('{"a":[1,0],"b":1}'))
  expect(text('{"10":1,"9":2}')).toBe('{"10":1,"9":2}')
  for (const [one, other] of [
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', '{}'],
    ['[1,2]', '[2,1]'],
    ['{"a":"\\u00e9"}', '{"a":"e\\u0301"}'],
    ['{"a":1}', '{"A":1}'],
  ] as const)
    expect(text(one)).not.toBe(text(other))
})

test('leaves out what JSON leaves out', () => {
  expect(canonical({ b: undefined, a: () => 1, c: new Date(0) })).toBe('{"c":"1970-01-01T00:00:00.000Z"}')
})

test('writes any depth, and what is deep as what is not', () => {
  for (const [open, inside, close] of [
    ['[', '', ']'],
    ['{"b":1,"a":', '{"z":1,"y":[2]}', '}'],
    ['[1,{"z":"\\u2028","a":', '[]', '},2]'],
  ] as const) {
    for (const depth of [30, 63, 64, 65, 66, 130, 500])
      expect(canonical(JSON.parse(`${open.repeat(depth)}${inside}${close.repeat(depth)}`))).toBe(
        canonicalize(JSON.parse(`${open.repeat(depth)}${inside}${close.repeat(depth)}`)),
      )
  }
  const deepest = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(canonical(JSON.parse(deepest)) === deepest).toBe(true)
})

test('writes the holes of a list, and refuses a value that contains itself', () => {
  expect(canonical({ b: 1, a: new Array(2) })).toBe('{"a":[null,null],"b":1}')
  const cycle: Record<string, unknown> = { b: 1 }
  cycle.a = { cycle }
  expect(() => canonical(cycle)).toThrow(TypeError)
})

test('says of a value why its text would be that of another, or none', () => {
  expect(whyUnwritable({ a: ['x', 1, null, true, { b: undefined }] })).toBeUndefined()
  expect(whyUnwritable(JSON.parse(`${'['.repeat(100_000)}1e400${']'.repeat(100_000)}`))).toMatch(/too large/)
  expect(whyUnwritable([1n])).toMatch(/BigInt/)
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(whyUnwritable(cycle)).toMatch(/more than can be recorded/)
  // The largest that HTTP accepts.
  expect(whyUnwritable(['\u0001'.repeat(16 * 1024 * 1024)])).toBeUndefined()
  expect(whyUnwritable(new Array(8 * 1024 * 1024).fill(1))).toBeUndefined()
})
