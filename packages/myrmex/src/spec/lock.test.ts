import { toolDefaults } from '@myrmex/testing/sample-tools'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../protocol/errors.ts'
import { type ToolDefinition, tool } from '../tool/tool.ts'
import { type ToolBody, toolBody } from '../tool/verify/verify-tool.ts'
import {
  addReleases,
  checkLock,
  checkVersions,
  EMPTY_LOCK,
  hashOf,
  type Lock,
  type PresentTool,
  readLock,
  writeLock,
} from './lock.ts'

type Changes = Partial<Omit<ToolDefinition, 'input' | 'output'>> & { input?: object; output?: object }

const base = { ...toolDefaults, name: 'shop.refund', input: z.object({}), output: z.object({}), run: () => ({}) }
const made = (changes: Changes) => tool({ ...base, ...changes } as ToolDefinition)
const body = (changes: Changes = {}): ToolBody => toolBody(made(changes))
const present = (changes: Changes = {}, file = 'tools/shop.tools.ts'): PresentTool => ({ body: body(changes), file })
const everything = () => true
const takes = (x: z.ZodType): Changes => ({ input: z.object({ x }) })

/** One after the other, as they were released. */
const released = (...releases: Changes[]): Lock =>
  releases.reduce<Lock>((lock, release) => addReleases(lock, [present(release)]), EMPTY_LOCK)

/** Put in whatever the rules say, for a lock that somebody else wrote. */
const forced = (...releases: Changes[]): Lock => ({
  tools: new Map(
    releases.map((release) => {
      const { name } = body(release)
      const versions = releases
        .map((one) => body(one))
        .filter((one) => one.name === name)
        .map((definition) => [definition.version, { hash: hashOf(definition), definition }] as const)
      return [name, { file: 'tools/shop.tools.ts', versions: new Map(versions) }]
    }),
  ),
})

test('a lock file holds every released definition with its hash', () => {
  const lock = released({ version: '1.0.0' }, { version: '1.0.1', title: 'Refund' })
  const text = writeLock(lock)
  const value = JSON.parse(text)
  expect(Object.keys(value)).toEqual(['lockfileVersion', 'tools'])
  expect(value.lockfileVersion).toBe(1)
  expect(value.tools['shop.refund'].file).toBe('tools/shop.tools.ts')
  expect(Object.keys(value.tools['shop.refund'].versions)).toEqual(['1.0.0', '1.0.1'])
  expect(value.tools['shop.refund'].versions['1.0.1']).toEqual({
    hash: made({ version: '1.0.1', title: 'Refund' }).hash,
    definition: body({ version: '1.0.1', title: 'Refund' }),
  })
  expect(text.endsWith('}\n')).toBe(true)
  expect(text).toContain('\n  "tools": {\n    "shop.refund": {\n      "file"')
})

test('versions are in their order, not in that of the alphabet', () => {
  const versions = ['1.10.0', '1.9.0', '2.0.0', '2.0.0-rc.1', '1.9.0+b', '1.9.0+a']
  const [tool] = Object.values(JSON.parse(writeLock(forced(...versions.map((version) => ({ version }))))).tools)
  const order = ['1.9.0', '1.9.0+a', '1.9.0+b', '1.10.0', '2.0.0-rc.1', '2.0.0']
  expect(Object.keys((tool as { versions: object }).versions)).toEqual(order)
})

const anyBody = fc
  .record({
    name: fc.constantFrom('a.b', 'a.c', 'b.a', 'proto.__proto__', 'x.constructor'),
    version: fc
      .tuple(fc.nat(3), fc.nat(12), fc.constantFrom('', '-rc.1', '-rc.2', '+b'))
      .map(([a, b, c]) => `${a}.${b}.0${c}`),
    description: fc.string({ unit: 'binary' }),
    inputSchema: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', '1', 'type')), fc.jsonValue()),
    errors: fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
  })
  .map((changes) => JSON.parse(JSON.stringify({ ...body(), ...changes })) as ToolBody)

const lockOf = (bodies: readonly ToolBody[]): Lock => {
  const tools = new Map<string, { file: string; versions: Map<string, { hash: string; definition: ToolBody }> }>()
  for (const definition of bodies) {
    const entry = tools.get(definition.name) ?? { file: `tools/${definition.name}`, versions: new Map() }
    entry.versions.set(definition.version, { hash: hashOf(definition), definition })
    tools.set(definition.name, entry)
  }
  return { tools }
}

test('a written lock is read again, whatever order its tools came in', () => {
  const bodies = fc.uniqueArray(anyBody, { maxLength: 6, selector: ({ name, version }) => `${name} ${version}` })
  const shuffled = bodies.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  const reversed = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(reversed)
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, reversed(item)])
        .reverse(),
    )
  }
  fc.assert(
    fc.property(shuffled, ([some, others]) => {
      const text = writeLock(lockOf(some))
      expect(readLock(text)).toEqual(lockOf(some))
      expect(writeLock(readLock(text))).toBe(text)
      expect(writeLock(lockOf(others.map((one) => reversed(one) as ToolBody)))).toBe(text)
      expect(readLock(text.replaceAll('\n', '\r\n'))).toEqual(lockOf(some))
      expect(readLock(`\ufeff${JSON.stringify(JSON.parse(text))}`)).toEqual(lockOf(some))
    }),
    { numRuns: 100 },
  )
})

const good = writeLock(released({ version: '1.0.0' }))

test.each<[string, string, string | RegExp]>([
  ['nothing at all', ' \n', 'l:1:1: is empty. Take the file back from version control.'],
  ['half a file', good.slice(0, 200), /^l:\d+:\d+: not JSON: “.*”\. Take/],
  ['a list', '[]', 'l:1:1: the lock file: must be an object with lockfileVersion and tools.'],
  [
    'a newer form',
    '{\n  "lockfileVersion": 2, "packages": {}\n}',
    'l:2:3: “/lockfileVersion”: was written by a newer Myrmex: this one reads lockfileVersion 1, the file has 2. Update Myrmex.',
  ],
  ['no version', '{ "tools": {} }', 'l:1:1: the lock file: lockfileVersion is missing.'],
  ['an odd version', good.replace('": 1,', '": "1",'), /“\/lockfileVersion”: must be 1/],
  ['tools that are none', '{ "lockfileVersion": 1, "tools": [] }', /“\/tools”: must be an object of tools/],
  [
    'a field too many',
    good.replace('"file"', '"note": 1, "file"'),
    /l:5:7: “\/tools\/shop.refund\/note”: does not belong here/,
  ],
  [
    'a definition that was changed',
    good.replace('For tests.', 'For all.'),
    /^l:8:11: .*\/hash”: the definition is not the one that/,
  ],
  ['another hash', good.replace(/"hash": "./, '"hash": "x'), /^l:8:11: .*\/hash”: the definition is not the one that/],
  [
    'another name',
    good.replace('"shop.refund": {', '"shop.buy": {'),
    /the definition is of “shop.refund”, not of “shop.buy”/,
  ],
  ['another version', good.replace('"1.0.0": {', '"1.0.1": {'), /the definition has version “1.0.0”/],
  [
    'a path of one machine',
    good.replace('tools/shop', '/home/tools/shop'),
    /\/file”: must be a path relative to the lock file/,
  ],
  [
    'a path of one system',
    good.replace('tools/shop', 'tools\\\\shop'),
    /\/file”: must be a path relative to the lock file/,
  ],
  [
    'no release',
    '{"lockfileVersion":1,"tools":{"a.b":{"file":"a","versions":{}}}}',
    /must be an object of at least one release/,
  ],
  [
    'a tool called __proto__',
    '{"lockfileVersion":1,"tools":{"__proto__":{"file":"a"}}}',
    /“\/tools\/__proto__”: versions is missing/,
  ],
  ['a field that is missing', good.replace(/"destructive": false,/, ''), /\/definition\/destructive”: /],
  [
    'a name that stands twice',
    good.replace('"file"', '"file": "a",\n      "file"'),
    /^l:6:7: .*\/file”: is there twice/,
  ],
  [
    'a merge that was not finished',
    good.replace('      "file"', '<<<<<<< HEAD\n      "file"'),
    /^l:5:1: a merge conflict was left here\. Keep the entries of both sides/,
  ],
  [
    'a nest without end',
    `{"lockfileVersion":1,"tools":\n${'['.repeat(100_000)}`,
    'l:2:1: is nested deeper than 200 levels',
  ],
])('%s is refused with its line', (_name, text, message) => {
  expect(() => readLock(text, 'l')).toThrow(message)
  expect(checkLock(text).lock).toBeUndefined()
})

test('a lock of a thousand releases is read within a moment, and a text of megabytes harms nobody', () => {
  const bodies = Array.from({ length: 1000 }, (_, index) => body({ version: `1.${index}.0` }))
  const text = writeLock(lockOf(bodies))
  expect(withTimeLimit(2500, () => readLock(text)).tools.get('shop.refund')?.versions.size).toBe(1000)
  for (const text of ['x'.repeat(10_000_000), '\\n'.repeat(3_000_000)]) {
    const long = good.replace('For tests.', () => text)
    withTimeLimit(5000, () => expect(() => readLock(long)).toThrow('the definition is not the one'))
  }
})

const told = (lock: Lock, now: PresentTool[], options = {}) =>
  checkVersions(lock, now, everything, options).map(({ rule, severity }) => `${severity} ${rule}`)

test('what is released and has not changed has nothing to answer for', () => {
  expect(told(released({ version: '1.0.0' }), [present()], { locked: true })).toEqual([])
})

test('a release that was changed is refused, with what changed and the version that would do', () => {
  const lock = released({ version: '1.0.0' })
  const [finding] = checkVersions(lock, [present(takes(z.string()))], everything)
  expect(finding).toMatchObject({
    rule: 'changed-release',
    severity: 'error',
    tool: 'shop.refund',
    version: '1.0.0',
    message:
      'shop.refund 1.0.0 is released and was changed (major): parameter x added (required string). ' +
      'Take the change back, or give it a version of its own: 2.0.0 would do.',
    comparison: { level: 'major' },
  })
})

test('the version that would do is none that is taken', () => {
  const lock = released(
    { version: '1.0.0' },
    { version: '1.0.1', title: 'A' },
    { version: '1.1.0', ...takes(z.string().optional()) },
  )
  const [finding] = checkVersions(lock, [present({ version: '1.0.0', title: 'B' })], everything)
  // 1.0.1 is taken, and against 1.1.0 it lacks a parameter.
  expect(finding?.message).toContain('2.0.0 would do')
})

test('a step that is too small is refused with the version that would do', () => {
  const lock = released({ version: '1.2.0' })
  const now = present({ version: '1.2.1', ...takes(z.string().optional()) })
  const findings = checkVersions(lock, [now], everything)
  expect(findings.map(({ rule }) => rule)).toEqual(['unreleased', 'bump-too-small'])
  expect(findings[1]).toMatchObject({
    severity: 'error',
    message:
      'shop.refund: 1.2.0 → 1.2.1 is too small a step. The changes need more than a patch: 1.3.0 would do. ' +
      'Changed since 1.2.0 (minor): parameter x added (optional string).',
  })
  expect(told(lock, [present({ version: '1.3.0', ...takes(z.string().optional()) })])).toEqual(['note unreleased'])
})

test('a step is held against the highest release below it, whatever is above', () => {
  const lock = released({ version: '1.0.0', ...takes(z.string()) }, { version: '2.0.0', migration: 'Pass nothing.' })
  const fix = { version: '1.0.1', title: 'Mended', ...takes(z.string()) }
  expect(told(lock, [present(fix), present({ version: '2.0.0', migration: 'Pass nothing.' })])).toEqual([
    'note unreleased',
  ])
  expect(told(lock, [present({ ...fix, ...takes(z.number()) })])).toEqual(['note unreleased', 'error bump-too-small'])
})

test('a prerelease in between does not let a breaking change through', () => {
  const lock = released({ version: '1.0.0' }, { version: '1.1.0-rc.1' })
  expect(told(lock, [present({ version: '1.1.0', ...takes(z.string()) })])).toContain('error bump-too-small')
  expect(told(lock, [present({ version: '1.1.0', ...takes(z.string().optional()) })])).toEqual(['note unreleased'])
})

test('a major version that breaks callers says what they have to do', () => {
  const lock = released({ version: '1.0.0', ...takes(z.string()) }, { version: '1.1.0', ...takes(z.string()) })
  const broken = { version: '2.0.0', ...takes(z.number()) }
  expect(told(lock, [present(broken)])).toEqual(['note unreleased', 'error migration-missing'])
  const [, finding] = checkVersions(lock, [present(broken)], everything)
  expect(finding?.message).toBe(
    'shop.refund 2.0.0 breaks callers of 1.1.0 and does not say what they have to do: parameter x: type string → number. ' +
      "Add migration: '…' to the definition.",
  )
  expect(() => addReleases(lock, [present(broken)])).toThrow('migration-missing')
  expect(told(lock, [present({ ...broken, migration: 'Pass numbers.' })])).toEqual(['note unreleased'])
  // Nothing breaks; a release that is out stays as it is; below 1.0.0 and before a first release nothing was promised.
  expect(told(lock, [present({ version: '2.0.0', ...takes(z.string()) })])).toEqual(['note unreleased'])
  expect(told(forced({ version: '1.0.0', ...takes(z.string()) }, broken), [present(broken)])).toEqual([])
  expect(
    told(released({ version: '0.1.0', ...takes(z.string()) }), [present({ ...broken, version: '0.2.0' })]),
  ).toEqual(['note unreleased'])
  expect(told(released({ version: '1.0.0-rc.1', ...takes(z.string()) }), [present(broken)])).toEqual([
    'note unreleased',
  ])
})

test('a version below all releases is refused as lowered', () => {
  const [, finding] = checkVersions(released({ version: '1.0.0' }), [present({ version: '0.9.0' })], everything)
  expect(finding?.message).toContain('The version was lowered from 1.0.0 to 0.9.0')
})

test('what is not released is a note, and an error where everything must be', () => {
  expect(told(EMPTY_LOCK, [present()])).toEqual(['note unreleased'])
  expect(told(EMPTY_LOCK, [present()], { locked: true })).toEqual(['error unreleased'])
})

test('one version that is defined twice is refused, in the same way or not', () => {
  expect(told(EMPTY_LOCK, [present(), present()])).toContain('error defined-twice')
  expect(told(EMPTY_LOCK, [present(), present({ title: 'x' })])).toContain('error defined-twice')
})

test.each<[string, Changes[], string]>([
  ['that no release announced', [{ version: '1.0.0' }], 'error removed-unannounced'],
  [
    'that a minor version announced',
    [{ version: '1.0.0' }, { version: '1.1.0', deprecatedIn: '1.1.0' }],
    'note removed',
  ],
  [
    'that only a patch announced',
    [{ version: '1.0.0' }, { version: '1.0.1', deprecatedIn: '1.0.1' }],
    'error removed-unannounced',
  ],
  ['that was announced from the first', [{ version: '1.0.0', deprecatedIn: '1.0.0' }], 'note removed'],
  [
    'whose announcement was withdrawn',
    [{ version: '1.0.0' }, { version: '1.1.0', deprecatedIn: '1.1.0' }, { version: '1.1.1' }],
    'error removed-unannounced',
  ],
  [
    'that only a prerelease announced',
    [{ version: '1.0.0' }, { version: '1.1.0-rc.1', deprecatedIn: '1.1.0-rc.1' }],
    'error removed-unannounced',
  ],
  ['that was only a prerelease', [{ version: '1.0.0-rc.1' }], 'note removed'],
  [
    'below 1.0.0 that was announced',
    [{ version: '0.1.0' }, { version: '0.1.1', deprecatedIn: '0.1.1' }],
    'note removed',
  ],
])('a tool that is gone %s', (_name, releases, finding) => {
  expect(told(forced(...releases), [])).toEqual([finding])
})

test('the error about an early removal says what to do', () => {
  const [finding] = checkVersions(released({ version: '1.2.3' }), [], everything)
  expect(finding?.message).toBe(
    'shop.refund is gone (last released as 1.2.3), and no release announced it. Put it back as 1.3.0 with ' +
      "deprecatedIn: '1.3.0', release that, and remove it afterwards.",
  )
})

test('a tool in a file that was not looked at is not gone', () => {
  expect(checkVersions(released({ version: '1.0.0' }), [], (file) => file !== 'tools/shop.tools.ts')).toEqual([])
})

test.each<[string, string[]]>([
  ['1.0.0', []],
  ['0.9.0', []],
  ['1.1.0', ['error deprecated-in-odd']],
  ['soon', ['error deprecated-in-odd']],
])('deprecatedIn %s in version 1.0.0', (deprecatedIn, expected) => {
  const now = { body: { ...body(), deprecatedIn }, file: 'tools' }
  expect(told(EMPTY_LOCK, [now]).filter((one) => !one.includes('unreleased'))).toEqual(expected)
})

test('replacedBy names a tool that there is or was', () => {
  const named = (replacedBy: string) =>
    told(released({ name: 'shop.buy' }), [present({ deprecatedIn: '1.0.0', replacedBy })])
  expect(named('shop.buy')).not.toContain('note replaced-by-unknown')
  expect(named('shop.refund')).not.toContain('note replaced-by-unknown')
  expect(named('shop.nothing')).toContain('note replaced-by-unknown')
})

test('a parameter or a field that goes without having been marked before is noted', () => {
  const marked = (more: object) => ({ input: { type: 'object', properties: { x: { type: 'string', ...more } } } })
  const gone = present({ version: '2.0.0', migration: 'Pass nothing.' })
  expect(told(released({ version: '1.0.0', ...marked({}) }), [gone])).toContain('note parameter-removed-unannounced')
  const announced = released({ version: '1.0.0', ...marked({}) }, { version: '1.1.0', ...marked({ deprecated: true }) })
  expect(told(announced, [gone])).toEqual(['note unreleased'])
  expect(told(released({ version: '1.0.0', output: z.object({ y: z.string() }) }), [gone])).toContain(
    'note parameter-removed-unannounced',
  )
})

test('releasing adds what is new, keeps what is there, and follows a file that moved', () => {
  const lock = released({ version: '1.0.0' })
  const more = addReleases(lock, [
    present({ version: '1.1.0', ...takes(z.string().optional()) }, 'moved/shop.tools.ts'),
    present({ version: '1.0.0' }, 'tools/shop.tools.ts'),
    present({ name: 'shop.buy' }),
  ])
  expect([...more.tools.keys()].sort()).toEqual(['shop.buy', 'shop.refund'])
  expect([...(more.tools.get('shop.refund')?.versions.keys() ?? [])]).toEqual(['1.0.0', '1.1.0'])
  expect(more.tools.get('shop.refund')?.file).toBe('moved/shop.tools.ts')
  expect([...lock.tools.keys()]).toEqual(['shop.refund'])
  expect(writeLock(addReleases(more, []))).toBe(writeLock(more))
})

test('several new versions of one tool are held against each other', () => {
  const both = [present({ version: '1.0.1', ...takes(z.string()) }), present({ version: '1.0.0' })]
  expect(told(EMPTY_LOCK, both)).toEqual(['note unreleased', 'note unreleased', 'error bump-too-small'])
})

test('nothing is released if anything is wrong', () => {
  const lock = released({ version: '1.0.0' })
  const release = () => addReleases(lock, [present({ title: 'x' }), present({ name: 'shop.buy' })])
  expect(release).toThrow(ToolError)
  expect(release).toThrow(
    /^Nothing was released:\nchanged-release: shop.refund 1.0.0 is released and was changed \(patch\)/,
  )
  expect(() => addReleases(lock, [], everything)).toThrow('removed-unannounced')
})
