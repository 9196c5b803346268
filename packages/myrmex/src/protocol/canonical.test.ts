import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from './canonical.ts'

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
