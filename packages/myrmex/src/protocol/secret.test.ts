/** Nothing of a secret is left, however secrets overlap and are written. */
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { redact, SecretFilter, scrub, secretNames, secretTexts, TooManySecrets } from './secret.ts'

describe('texts that are secret', () => {
  test.each<[string, string[], string, string]>([
    ['one inside the other, the short one first', ['hunter2', 'my-hunter2-key'], 'x my-hunter2-key y', 'x [secret] y'],
    ['one inside the other, the long one first', ['my-hunter2-key', 'hunter2'], 'x my-hunter2-key y', 'x [secret] y'],
    ['that overlap', ['abcdef', 'defghi'], 'x abcdefghi y', 'x [secret] y'],
    ['that overlap, the longer second', ['abcdef', 'defghijkl'], 'x abcdefghijkl y', 'x [secret] y'],
    ['that overlap themselves', ['abab'], 'x ababab y', 'x [secret] y'],
    ['that overlap themselves many times', ['aabaab'], 'x aabaabaabaaab y', 'x [secret]aaab y'],
    ['that overlap themselves in two ways', ['aabaa'], 'x aabaabaaabaa y', 'x [secret] y'],
    ['one after the other', ['abcd', 'efgh'], 'abcdefgh', '[secret][secret]'],
    ['the same one twice', ['abcd'], 'abcdabcd', '[secret][secret]'],
    ['that are long', ['abc'.repeat(100)], `x ${'abc'.repeat(101)}`, 'x [secret]'],
    ['that are part of the replacement', ['secret', 'hunter2'], 'a hunter2 secret', 'a [secret] [secret]'],
    ['that are the replacement', ['[secret]'], 'a [secret] b', 'a [secret] b'],
    ['that are too short to be looked for', ['abc'], 'abc', 'abc'],
    ['in JSON', ['a"b\\c/é'], JSON.stringify({ p: 'a"b\\c/é' }), '{"p":"[secret]"}'],
    ['in JSON with escaped slashes', ['a/b/c'], '{"p":"a\\/b\\/c"}', '{"p":"[secret]"}'],
    ['in JSON of ASCII', ['naïve-ключ'], '{"p":"na\\u00efve-\\u043a\\u043b\\u044e\\u0447"}', '{"p":"[secret]"}'],
    ['in JSON in JSON', ['a"b/cd'], JSON.stringify(JSON.stringify('a"b/cd')), '"\\"[secret]\\""'],
    ['in a path', ['a b/c?d'], '/x/a%20b%2Fc%3Fd/y', '/x/[secret]/y'],
    ['in a path, in small letters', ['a b/c?d'], '/x/a%20b%2fc%3fd/y', '/x/[secret]/y'],
    ['in a form', ["a b!'c"], 'p=a+b%21%27c&q', 'p=[secret]&q'],
    ['of several lines, by line', ['-----BEGIN-----\nMIIEvQIBADANBg\n-----END-----'], 'MIIEvQIBADANBg', '[secret]'],
  ])('%s', (_how, texts, text, clean) => {
    expect(new SecretFilter(new Set(), texts).text(text)).toBe(clean)
  })

  test('are found in time that does not grow with the length of a secret', () => {
    const text = 'a'.repeat(300_000)
    // Each took minutes or longer.
    for (const secret of [text.slice(1), `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`])
      expect(new SecretFilter(new Set(), [secret]).text(text)).toMatch(/^(\[secret\]|a+)$/)
  })

  test('are not looked for above the limit, and nothing is returned then', () => {
    const many = Array.from({ length: 300 }, (_, n) => `secret-${n}`)
    expect(() => new SecretFilter(new Set(), many, 100_000)).toThrow(TooManySecrets)
    expect(() => new SecretFilter(new Set(), ['x\n'.repeat(3) + 'line of a secret\n'.repeat(300)], 100_000)).toThrow(
      TooManySecrets,
    )
    const filter = new SecretFilter(new Set(), ['hunter2/7'], 100_000)
    expect(filter.value(['hunter2/7', 'x'.repeat(1000)])).toEqual(['[secret]', 'x'.repeat(1000)])
    // The limit is for each value.
    for (let times = 0; times < 100; times++) expect(filter.text('a hunter2/7')).toBe('a [secret]')
    expect(() => filter.value('x'.repeat(100_000))).toThrow(TooManySecrets)
    expect(() => filter.value(Array.from({ length: 2000 }, () => ''))).toThrow(TooManySecrets)
  })

  const OTHERS = Array.from({ length: 20 }, (_, n) => `no ${n}`)
  const piece = fc.string({ minLength: 4, maxLength: 8, unit: fc.constantFrom('a', 'b', '"', '/', ' ', 'é') })

  test('leave nothing of themselves, whatever their order', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.array(piece, { maxLength: 6 }),
        (texts, around) => {
          const text = [
            ...around,
            ...texts,
            ...texts.map((one) => JSON.stringify(one)),
            ...texts.map(encodeURIComponent),
          ].join('')
          const clean = new SecretFilter(new Set(), texts).text(text)
          const rest = clean.replaceAll('[secret]', '\n')
          for (const one of texts) expect(rest.includes(one)).toBe(false)
          expect(new SecretFilter(new Set(), texts.toReversed()).text(text)).toBe(clean)
          // So many that they are looked up by how they begin.
          expect(new SecretFilter(new Set(), [...OTHERS, ...texts]).text(text)).toBe(clean)
        },
      ),
      { numRuns: propertyRuns(300, 5000) },
    )
  })

  test('are removed from names and numbers too, and a value without any comes back as it is', () => {
    expect(scrub({ 'x-1234': [1234, 12345, '1234'] }, ['1234'])).toEqual({
      'x-[secret]': ['[secret]', 12345, '[secret]'],
    })
    const value = { a: [1, { b: 'c' }] }
    expect(scrub(value, ['hunter2'])).toBe(value)
    expect(redact(value, new Set(['pin']))).toBe(value)
  })
})

describe('values of any shape', () => {
  const deep = (inside: string, depth = 50_000): unknown =>
    JSON.parse(`${'['.repeat(depth)}${inside}${']'.repeat(depth)}`)

  test('nested to any depth give up their secrets', () => {
    expect(secretTexts({ pin: deep('"hunter2"') }, new Set(['pin']))).toEqual(['hunter2'])
    expect(JSON.stringify(redact({ a: 1, pin: deep('"hunter2"') }, new Set(['pin'])))).toBe('{"a":1,"pin":"[secret]"}')
    expect(JSON.stringify(scrub({ a: 1, b: deep('"hunter2"') }, ['hunter2']))).not.toContain('hunter2')
    expect(JSON.stringify(redact({ a: 1, b: deep('{"pin":"hunter2"}') }, new Set(['pin'])))).not.toContain('hunter2')
  })

  test('that contain themselves end', () => {
    const cycle: Record<string, unknown> = { pin: 'hunter2', name: 'hunter2' }
    cycle.one = cycle
    cycle.two = [cycle, cycle]
    expect(secretTexts(cycle, new Set(['pin']))).toEqual(['hunter2'])
    expect(new SecretFilter(new Set(['pin']), ['hunter2']).value(cycle)).toEqual({
      pin: '[secret]',
      name: '[secret]',
      one: '[secret]',
      two: ['[secret]', '[secret]'],
    })
  })

  test('with names of every kind keep them', () => {
    const value = JSON.parse('{"__proto__":{"pin":"hunter2"},"constructor":1}')
    expect(JSON.stringify(redact(value, new Set(['pin'])))).toBe('{"__proto__":{"pin":"[secret]"},"constructor":1}')
  })
})

test('secrets of a schema are found below any depth', () => {
  const depth = 3000
  const secret = '{"properties":{"pin":{"x-secret":true}}}'
  const schema = JSON.parse(`${'{"not":'.repeat(depth)}${secret}${'}'.repeat(depth)}`) as JsonObject
  expect([...secretNames(schema)]).toEqual(['pin'])
})
