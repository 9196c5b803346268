/**
 * Values and names on which code that expects something else breaks: wrong types, edges of numbers, text that is no text, names of
 * Object's own members. Text that JSON.stringify cannot produce (numbers out of range, deep nesting) is put in by `toText`.
 */
import fc from 'fast-check'
import type { SeededRandom } from '../../crash/seeded-random.ts'

export type Json = unknown

/** Drawn once with a fixed seed, so that a case is the same in every run. */
const POOL = { seed: 17, numRuns: 400 }
const codeUnits = fc.array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 40 })
const TEXTS: readonly string[] = fc.sample(codeUnits, POOL).map((units) => String.fromCharCode(...units))
const VALUES: readonly Json[] = fc.sample(fc.jsonValue({ maxDepth: 3 }), POOL)

export const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '',
  '0',
  '-1',
  '\u0000',
  '\ud800',
  '\ufeff',
  'a/b~c',
  '$ref',
  '_meta',
  'id',
  'jsonrpc',
  'method',
  'params',
  'result',
  'error',
]

const ODD_TEXTS = [
  ...ODD_KEYS,
  '../../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  '%00',
  '%',
  '%zz',
  '{id}',
  '\u202e\u200b\u2066',
  '\r\n\r\nHTTP/1.1 200 OK\r\n',
  'null',
  '-0',
  '1e999',
  '2026-02-30T25:61:61Z',
  "'; DROP TABLE trust; --",
  '\ud83d',
  '\udc00\ud800',
]

const NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  1.5,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  1e21,
  1e308,
  -1e308,
  5e-324,
]

/** Written as they are by `toText`: JSON has them, JSON.stringify never does. */
export const RAW_NUMBERS = [
  '1e400',
  '-1e400',
  '1E-400',
  '-0',
  '0e0',
  '123456789012345678901234567890',
  '1.0',
  '9'.repeat(400),
]

/** What `toText` puts in place of such a text. The texts begin with a character that no other generated text has in front. */
const MARK = '\u0007'
export const rawNumber = (index: number): string => `${MARK}raw:${index}`
export const deepValue = (depth: number, isObject: boolean): string => `${MARK}deep:${depth}:${isObject ? 1 : 0}`

const DEPTHS = [10, 50, 100, 200, 500, 1000, 5000]
const LENGTHS = [300, 1000, 5000, 20_000]

/** Any value. Big ones are rare, because a case must be cheap. */
export function oddValue(random: SeededRandom): Json {
  const kind = random.between(0, 99)
  if (kind < 30) return structuredClone(random.pick(VALUES))
  if (kind < 50) return random.pick(ODD_TEXTS)
  if (kind < 60) return random.pick(TEXTS)
  if (kind < 70) return random.pick(NUMBERS)
  if (kind < 75) return rawNumber(random.between(0, RAW_NUMBERS.length - 1))
  if (kind < 85) return structuredClone(random.pick([null, true, false, [], {}, [[]], [null], [{}], '']))
  if (kind < 95) return withMember({}, random.pick(ODD_KEYS), structuredClone(random.pick(VALUES)))
  if (kind < 97) return deepValue(random.pick(DEPTHS), random.often(0.5))
  if (kind < 99)
    return random
      .pick(ODD_TEXTS)
      .padEnd(random.pick(LENGTHS), random.pick(['x', '\u00e9', '\ud83d\ude00', '"', '\\', 'a']))
  return Array.from({ length: random.between(50, 500) }, () => random.between(-5, 5))
}

export const oddText = (random: SeededRandom): string => random.pick(random.often(0.5) ? ODD_TEXTS : TEXTS)

/** `__proto__` becomes a member like any other. */
export function withMember<T extends object>(target: T, key: string, value: Json): T {
  return Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

const MARKED = /"\\u0007(raw|deep):(\d+)(?::(\d))?"/g

/** The JSON text of a generated value. */
export function toText(value: Json): string {
  const text = JSON.stringify(value) ?? 'null'
  if (!text.includes('\\u0007')) return text
  return text.replace(MARKED, (_, kind: string, number: string, isObject: string) => {
    if (kind === 'raw') return RAW_NUMBERS[Number(number)] ?? '0'
    const depth = Number(number)
    return isObject === '1'
      ? `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
      : `${'['.repeat(depth)}0${']'.repeat(depth)}`
  })
}
