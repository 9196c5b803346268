/** References are found at any depth, and resolved from own properties only; where that fails, the reason says how far it went. */
import { describe, expect, test } from 'vitest'
import { type JsonObject, pointer } from '../../protocol/json.ts'
import { findReferences, referenceMistake, resolveReferences } from './reference.ts'

const ref = (path: string, $from = 's1'): { $from: string; path: string } => ({ $from, path })

const referencesIn = (args: unknown): object[] =>
  [...findReferences(args)]
    .filter(({ value }) => referenceMistake(value) === undefined)
    .map(({ path, value }) => ({ at: pointer(path), ref: value }))

describe('findReferences', () => {
  test('finds every reference, in the order of the arguments, with a pointer to it', () => {
    const args = { a: ref('/x'), b: [1, { 'c/d': ref('', 's2') }], e: { f: { g: [ref('/y/0')] } }, h: 'text' }
    expect(referencesIn(args)).toEqual([
      { at: '/a', ref: ref('/x') },
      { at: '/b/1/c~1d', ref: ref('', 's2') },
      { at: '/e/f/g/0', ref: ref('/y/0') },
    ])
  })

  test('does not look into what is no reference but has $from', () => {
    expect(referencesIn({ a: { $from: 's1', path: '', more: ref('/x') }, b: { $from: ref('/x'), path: '' } })).toEqual(
      [],
    )
  })

  test('ends on arguments that contain themselves', () => {
    const args: Record<string, unknown> = { a: ref('/x') }
    args.self = args
    expect(referencesIn(args).length).toBeGreaterThan(0)
  })
})

describe('resolve', () => {
  const results: Record<string, unknown> = {
    s1: { list: [{ id: 'x' }, { id: 'y' }], none: null, 'a/b': { '~': 3 }, empty: [], '': 'no name' },
    s2: null,
  }
  const dataOf = (step: string): unknown => results[step]
  const resolved = (args: JsonObject): unknown => {
    const found = resolveReferences(args, dataOf)
    return found.ok ? found.value : found.why
  }

  test.each([
    ['a member', '/list/1/id', 'y'],
    ['all of it', '', results.s1],
    ['names that a pointer escapes', '/a~1b/~0', 3],
    ['null', '/none', null],
    ['a name that is empty', '/', 'no name'],
  ])('gives %s', (_, path, value) => {
    expect(resolved({ a: { deep: [ref(path)] } })).toEqual({ a: { deep: [value] } })
  })

  test('leaves everything else as it is, and what was given untouched', () => {
    const args = JSON.parse('{"a": [1, {"b": null}], "__proto__": {"c": 1}}') as JsonObject
    const before = JSON.stringify(args)
    const value = resolved(args)
    expect(JSON.stringify(value)).toBe(before)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('does not take what a result holds for a reference', () => {
    results.s3 = { looks: ref('/list') }
    expect(resolved({ a: ref('/looks', 's3') })).toEqual({ a: ref('/list') })
  })

  test.each([
    ['no such step', ref('/x', 's9'), 'step s9 has no result'],
    ['a step without data', ref('/x', 's2'), 'the result of s2 has no /x: it is null, which has nothing inside'],
    [
      'a member that is missing',
      ref('/list/0/name'),
      'the result of s1 has no /list/0/name: /list/0 is an object without "name"',
    ],
    [
      'an index too large',
      ref('/list/2/id'),
      'the result of s1 has no /list/2/id: /list is a list of 2, so there is no 2',
    ],
    [
      'an item of an empty list',
      ref('/empty/0'),
      'the result of s1 has no /empty/0: /empty is an empty list, so there is no 0',
    ],
    [
      'the end of a list',
      ref('/list/-'),
      'the result of s1 has no /list/-: /list is a list of 2, and - names the place after the last',
    ],
    [
      'an index written oddly',
      ref('/list/01'),
      'the result of s1 has no /list/01: /list is a list of 2, and "01" is no index',
    ],
    [
      'the length of a list',
      ref('/list/length'),
      'the result of s1 has no /list/length: /list is a list of 2, and "length" is no index',
    ],
    ['an inherited name', ref('/__proto__'), 'the result of s1 has no /__proto__: it is an object without "__proto__"'],
    [
      'an inherited function',
      ref('/list/0/constructor'),
      'the result of s1 has no /list/0/constructor: /list/0 is an object without "constructor"',
    ],
    [
      'the inside of a text',
      ref('/list/0/id/0'),
      'the result of s1 has no /list/0/id/0: /list/0/id is a string, which has nothing inside',
    ],
    ['a path that is no pointer', ref('list'), 'path "list" is no JSON pointer: it must begin with /'],
    ['a tilde that escapes nothing', ref('/~2'), 'path "/~2" is no JSON pointer: ~ stands only in ~0 and ~1'],
    ['no path', { $from: 's1' }, 'path is missing: a JSON pointer into the result, or "" for all of it'],
    ['a step that is a number', { $from: 3, path: '' }, '$from must be the id of a step, not 3'],
    [
      'more than a reference',
      { ...ref(''), or: 1 },
      'a reference has $from and path and nothing else, and here is also "or"',
    ],
  ])('says why there is nothing: %s', (_, bad, why) => {
    expect(resolveReferences({ a: [bad] }, dataOf)).toEqual({ ok: false, at: '/a/0', ref: bad, why })
  })
})
