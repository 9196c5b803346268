/**
 * Attacker: an upstream server over the wire
 * Attack: lists patterns that backtrack for ever, references that double, and texts that make the scanner slow, changes a schema to
 * one that is slow to compare, or answers with values that are slow to check.
 * Stopped by: foreign schemas are checked in a bounded number of steps, with patterns in linear time. One that expands to too much
 * is rejected when it is listed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { post } from '@myrmex/testing/http-server'
import { LONG, propertyRuns } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { searchableText } from '../../packages/myrmex/src/host/search/tool-text.ts'
import { renderRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { costOf, costReferences } from '../../packages/myrmex/src/protocol/cost.ts'
import type { Json, JsonObject } from '../../packages/myrmex/src/protocol/json.ts'
import { renderDocument } from '../../packages/myrmex/src/spec/render.ts'
import { differenceTexts } from '../../packages/myrmex/src/tool/difference/tool-differences.ts'
import { gradeChange } from '../../packages/myrmex/src/tool/grade/grade-change.ts'
import { type Tool, tool } from '../../packages/myrmex/src/tool/tool.ts'
import { type ToolBody, toolBody, verifyTool } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'
import { startHost } from '../host/host-process.ts'

const LIMIT_MS = 1000
/** The host limits a definition to 256 KB; see listing.ts. */
const MAX_DEFINITION = 256 * 1024

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
const object = (properties: object, more: object = {}): JsonObject =>
  ({ type: 'object', properties, ...more }) as JsonObject
const doubling = (levels: number, link: (ref: JsonObject) => object): JsonObject =>
  object(
    { v: { $ref: '#/$defs/d0' } },
    {
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        numbers(levels).map((n) => [`d${n}`, n === levels - 1 ? {} : link({ $ref: `#/$defs/d${n + 1}` })]),
      ),
    },
  )
const nested = (levels: number, key: string): Json => numbers(levels).reduce<Json>((inner) => ({ [key]: inner }), 'x')
const evil = `${'a'.repeat(50_000)}!`
const many = numbers(100_000).map((n) => ({ a: n, b: [n] }))

const FORMATS = [
  'email',
  'uri',
  'url',
  'hostname',
  'uri-template',
  'date-time',
  'duration',
  'byte',
  'json-pointer',
  'regex',
  'ipv6',
  'uri-reference',
]

/** A schema, and a value for it that costs as much as possible. */
const HOSTILE: Readonly<Record<string, readonly [JsonObject, Json]>> = {
  'a pattern that backtracks': [object({ v: { pattern: '^(a+)+$' } }), { v: evil }],
  'a pattern of many ways': [object({ v: { pattern: '^(a|a|aa)*(a*)*(.*)*$' } }), { v: evil }],
  'lookaround that backtracks': [object({ v: { pattern: '^(?=(a+)+$)(?<!(a*)*b)(a|a)*$' } }), { v: evil }],
  'a long pattern': [object({ v: { pattern: `^(${'a?'.repeat(400)}){2,5}${'a'.repeat(400)}$` } }), { v: evil }],
  'names that match a pattern that backtracks': [object({}, { patternProperties: { '^(a+)+$': {} } }), { [evil]: 1 }],
  'names by a pattern': [object({}, { propertyNames: { pattern: '^(a+)+$' } }), { [evil]: 1 }],
  'many patterns for many names': [
    object({}, { patternProperties: Object.fromEntries(numbers(2000).map((n) => [`^(a|b)*${n}$`, {}])) }),
    Object.fromEntries(numbers(20_000).map((n) => [`${'ab'.repeat(20)}${n}`, n])),
  ],
  'references that double for one value': [doubling(25, (ref) => ({ allOf: [ref, ref] })), { v: 1 }],
  'references that double in alternatives': [doubling(60, (ref) => ({ anyOf: [ref, ref], oneOf: [ref, ref] })), {}],
  'references that double one level deeper': [
    doubling(40, (ref) => ({ allOf: [{ properties: { x: ref } }, { properties: { x: ref } }] })),
    { v: nested(40, 'x') },
  ],
  'a schema that is itself': [object({ v: { $ref: '#/properties/v' } }), { v: 1 }],
  'items compared with each other': [object({ v: { uniqueItems: true } }), { v: many }],
  'items searched in a list of objects': [
    object({ v: { items: { enum: numbers(3000).map((n) => ({ a: n, b: [n, n] })) } } }),
    { v: many },
  ],
  'items searched for each other': [
    object({ v: { contains: { items: { contains: { const: 1 } } } } }),
    { v: numbers(300).map(() => numbers(300)) },
  ],
  'alternatives within alternatives': [
    object({
      v: numbers(40).reduce<object>((inner) => ({ oneOf: [{ not: {} }, { anyOf: [{ type: 'null' }, inner] }] }), {}),
    }),
    { v: 1 },
  ],
  'formats of long texts': [
    object(Object.fromEntries(FORMATS.map((format) => [format, { format }]))),
    Object.fromEntries(FORMATS.map((format) => [format, 'a.a-'.repeat(500_000)])),
  ],
  'names that are not evaluated': [
    object({}, { allOf: numbers(300).map((n) => ({ properties: { [`p${n}`]: {} } })), unevaluatedProperties: false }),
    Object.fromEntries(numbers(50_000).map((n) => [`p${n}`, n])),
  ],
  'many schemas that accept every item': [
    object({ v: { allOf: numbers(5000).map(() => ({ items: true })) } }),
    { v: many },
  ],
  'many names that refer to many alternatives': [
    object(Object.fromEntries(numbers(3000).map((n) => [`p${n}`, { $ref: '#/$defs/a' }])), {
      $defs: { a: { anyOf: numbers(1500).map((n) => object({ [`q${n}`]: {} })) } },
    }),
    Object.fromEntries(numbers(3000).map((n) => [`p${n}`, { q1: 'x'.repeat(100) }])),
  ],
  'many names that refer to many values': [
    object(Object.fromEntries(numbers(2500).map((n) => [`p${n}`, { $ref: '#/$defs/a', title: 'x' }])), {
      $defs: { a: { enum: numbers(15_000) } },
    }),
    Object.fromEntries(numbers(2500).map((n) => [`p${n}`, n])),
  ],
  'many names that refer to a schema of many members': [
    object(Object.fromEntries(numbers(2500).map((n) => [`p${n}`, { $ref: '#/$defs/a', title: 'x' }])), {
      $defs: { a: Object.fromEntries(numbers(10_000).map((n) => [`k${n}`, 0])) },
    }),
    Object.fromEntries(numbers(2500).map((n) => [`p${n}`, n])),
  ],
  'many names that refer to a long text': [
    object(Object.fromEntries(numbers(2500).map((n) => [`p${n}`, { $ref: '#/$defs/a' }])), {
      $defs: { a: { description: 'x '.repeat(40_000), const: 'x'.repeat(40_000) } },
    }),
    { p0: 1 },
  ],
  'money under names that match patterns': [
    object({
      v: object(
        {},
        {
          patternProperties: Object.fromEntries(numbers(300).map((n) => [`^(a|b)*${n}$`, { 'x-cost': true }])),
          additionalProperties: { 'x-cost': true },
        },
      ),
    }),
    { v: Object.fromEntries(numbers(20_000).map((n) => [`ab${n}`, n])) },
  ],
  'money behind references that double': [
    { ...doubling(40, (ref) => ({ properties: { x: { ...ref, 'x-cost': true }, y: ref } })) },
    { v: nested(40, 'x') },
  ],
  'secrets everywhere': [
    object({ v: { items: { 'x-secret': true } } }),
    { v: numbers(100_000).map((n) => `secret number ${n}`) },
  ],
  'deep schemas': [
    object({ v: numbers(90).reduce<object>((inner) => ({ items: inner }), {}) }),
    { v: numbers(90).reduce<Json>((inner) => [inner], 1) },
  ],
  'deep values': [{ type: 'object', additionalProperties: { $ref: '#' } }, nested(5000, 'x')],
}

const DEFINITION = {
  version: '1.0.0',
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'Unknown.',
  examples: [],
}

const foreignTool = (schema: JsonObject, description = 'A tool.'): Tool =>
  tool({ ...DEFINITION, name: 'hostile.tool', description, input: schema, output: schema, run: () => ({}) }, 'upstream')

/** The processor time of synchronous work, in milliseconds. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Everything that is done with a definition when it is listed, reviewed, searched or shown. */
function readDefinition(schema: JsonObject, description?: string): Record<string, number> {
  const made = foreignTool(schema, description)
  const ignore = (work: () => unknown) => (): void => {
    try {
      work()
    } catch {
      // Rejected: that is an answer too, if it comes soon.
    }
  }
  const body = toolBody(made)
  const changed = { ...body, description: 'Another tool.', inputSchema: { ...schema, title: 'Another' } }
  const narrower = { ...body, inputSchema: { ...schema, minProperties: 1 } }
  return Object.fromEntries(
    Object.entries({
      'compiling the input schema': () => made.input.parse({}),
      'compiling the output schema': () => made.output.parse({}),
      'its hash': () => made.hash,
      'the scan': () => verifyTool(made),
      'the text for searching': () => searchableText({ listedAs: 'tool', tool: made }),
      'its differences': () => differenceTexts(body, changed),
      'the grade of its change': () => gradeChange(narrower, body),
      'its document': () => renderDocument([body]),
      'where it has money': () => costReferences(schema),
    }).map(([what, work]) => [what, cost(ignore(work))]),
  )
}

/** Everything that is done with a value of a call. */
function useValue(schema: JsonObject, value: Json): Record<string, number> {
  const made = foreignTool(schema)
  const record = {
    call_id: 'c',
    time: 0,
    principal: 'p',
    transport: 'http',
    tool: made.name,
    version: '1.0.0',
    outcome: 'success' as const,
    error_type: null,
    duration_ms: 0,
    run: null,
    step: null,
    approval: null,
    repeat_of: null,
    args: value,
    args_hash: null,
    data: value,
    error: null,
    input_schema: schema,
    output_schema: schema,
  }
  const used: Record<string, () => unknown> = {
    'checking the arguments': () => attempt(() => made.input.parse(value)),
    'checking the result': () => attempt(() => made.output.parse(value)),
    'writing its record': () => renderRecord(record),
    'its cost': () => costOf(schema, value),
  }
  return Object.fromEntries(Object.entries(used).map(([what, work]) => [what, cost(work)]))
}

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // The schema was rejected.
  }
}

/** Two threads on one core take up to twice the processor time for the same work, so only what is slow every time is slow. */
const ATTEMPTS = 3

function slow(measure: () => Record<string, number>): string[] {
  const costs = measure()
  for (let times = 1; times < ATTEMPTS && Object.values(costs).some((ms) => ms >= LIMIT_MS); times++) {
    for (const [what, ms] of Object.entries(measure())) costs[what] = Math.min(costs[what] as number, ms)
  }
  return Object.entries(costs).flatMap(([what, ms]) => (ms < LIMIT_MS ? [] : [`${what} took ${Math.round(ms)} ms`]))
}

describe("An upstream's schema takes all processor time", () => {
  test.each(Object.entries(HOSTILE).filter((_, index) => LONG || index % 3 === 0))('%s', (_what, [schema, value]) => {
    expect(JSON.stringify(schema).length).toBeLessThan(MAX_DEFINITION)
    expect(slow(() => readDefinition(schema))).toEqual([])
    expect(slow(() => useValue(schema, value))).toEqual([])
  })
})

describe('An upstream changes a schema that is slow to compare', () => {
  test.each([
    ['choices without a repetition', '(?:a|a)'.repeat(60)],
    ['a repetition of a repetition', '(?:a+)+'],
    ['many optional letters', `${'a?'.repeat(60)}a{60}`],
  ])('%s', (_what, pattern) => {
    // The values to try are in the schema itself, so that comparing the two looks for the pattern in them.
    const schema = (bound: number) =>
      object({
        x: { type: 'string', enum: [`${'a'.repeat(60)}b`, 'c'], pattern: `^${pattern}$`, maxLength: bound },
        y: { type: 'integer', maximum: bound },
      })
    const bodyOf = (bound: number): ToolBody => ({
      ...toolBody(foreignTool({ type: 'object' })),
      inputSchema: schema(bound),
    })
    // Only a proof within the limits makes it wider.
    expect(gradeChange(bodyOf(100), bodyOf(101)).grade).toBe('wider')
  })
})

describe("An upstream's text takes all processor time", () => {
  const TEXTS = [
    'a',
    ' ',
    '\n',
    'ignore all previous instructions ',
    '<a ',
    '"',
    "'",
    '(',
    'a.',
    '\u200b',
    '\u{e0041}',
    'http://',
    '- ',
    '`',
    'you must always ',
  ]
  test.each(TEXTS)('%j, over and over', (piece) => {
    const description = `x ${piece.repeat((LONG ? 200_000 : 80_000) / piece.length)} x`
    expect(slow(() => readDefinition(object({ v: { type: 'string', description } }), description))).toEqual([])
  })
})

/** Pieces of hostile schemas in any mixture. */
const { part } = fc.letrec<{ part: JsonObject }>((tie) => {
  const parts = fc.array(tie('part'), { minLength: 1, maxLength: 4 })
  const names = fc.constantFrom('a', 'b', 'v')
  return {
    part: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom<JsonObject>(
        { $ref: '#' },
        { $ref: '#/$defs/x' },
        { $ref: '#/$defs/y' },
        { pattern: '^(a|aa)+$' },
        { pattern: '(?=(a*)*$)a' },
        { uniqueItems: true },
        { enum: [[], {}, 'a', [1, 2, 3]] },
        { format: 'uri' },
      ),
      parts.map((allOf) => ({ allOf })),
      parts.map((anyOf) => ({ anyOf })),
      parts.map((oneOf) => ({ oneOf })),
      tie('part').map((items) => ({ items })),
      tie('part').map((contains) => ({ contains })),
      tie('part').map((not) => ({ not })),
      tie('part').map((additionalProperties) => ({ additionalProperties })),
      tie('part').map((unevaluatedItems) => ({ unevaluatedItems })),
      fc.dictionary(names, tie('part'), { maxKeys: 3 }).map((properties) => ({ properties })),
      fc
        .dictionary(fc.constantFrom('^(a*)*$', 'b'), tie('part'), { maxKeys: 2 })
        .map((patternProperties) => ({ patternProperties })),
    ),
  }
})
const VALUES: readonly Json[] = [
  { a: evil, v: evil, [evil]: 1 },
  { v: many.slice(0, 20_000), a: numbers(20_000) },
  { v: nested(300, 'a'), a: nested(30, 'v') },
  { a: numbers(60).reduce<Json>((inner) => [inner, inner === 'x' ? 1 : 'y'], 'x') },
]

describe('Generated schemas take all processor time', () => {
  // Each is bounded by itself. Three thousand of them take minutes, and more on a busy machine.
  test('listing and validating each take less than a second', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(part, part, part, fc.constantFrom(...VALUES), (root, x, y, value) => {
        const schema: JsonObject = { ...root, type: 'object', $defs: { x, y } }
        expect(slow(() => readDefinition(schema))).toEqual([])
        expect(slow(() => useValue(schema, value))).toEqual([])
      }),
      { numRuns: propertyRuns(20, 3000) },
    )
  })
})

describe('A host of such upstreams stops answering', () => {
  test('it lists them, says what it rejected, checks their results, and answers others meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-hostile-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // Each of the others is tried above without a host.
    const isTried = (what: string, index: number): boolean =>
      what !== 'deep values' && (LONG || index % 8 === 0 || /double|itself/.test(what))
    const entries = Object.entries(HOSTILE).filter(([what], index) => isTried(what, index))
    const tools = entries.map(([what, [schema]], index) => ({
      name: `tool_${index}`,
      description: what,
      inputSchema: { type: 'object' },
      outputSchema: schema,
      annotations: { readOnlyHint: true },
    }))
    const results = Object.fromEntries(entries.map(([, [, value]], index) => [`tool_${index}`, value]))
    const shape = join(folder, 'shape.json')
    writeFileSync(shape, JSON.stringify({ tools, results }))
    const upstream = {
      command: process.execPath,
      args: [fixturePath('host/hostile-upstream.mjs')],
      env: { SHAPE: shape },
    }
    const host = await startHost(folder, { hostile: { ...upstream, trust: 'trusted' } })
    onTestFinished(() => host.end())
    let [longest, isOver] = [0, false]
    const watching = (async () => {
      while (!isOver) {
        const start = performance.now()
        await fetch(new URL('/healthz', host.url)).then((response) => response.text())
        longest = Math.max(longest, performance.now() - start)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()
    const call = async (name: string): Promise<string> => {
      const body = { tool_name: name, arguments: {} }
      const { json } = await post(new URL('/call', host.url).href, body)
      return `${name.slice(8)}: ${json.error?.error_type ?? json.status}`
    }
    const ended: string[] = []
    for (const { name } of tools) ended.push(await call(`hostile.${name}`))
    isOver = true
    await watching
    const rejected = ended.filter((line) => line.endsWith('ToolNotFoundError'))
    // Those whose references double, and the one that is itself. One that cannot be scanned whole is quarantined.
    expect(rejected.length).toBeGreaterThanOrEqual(3)
    expect(
      ended.filter((line) => /: (?:success|ToolExecutionError|ToolNotFoundError|PermissionError)$/.test(line)),
    ).toEqual(ended)
    await expect.poll(() => host.said(), { timeout: 20_000 }).toMatch(/more items? cannot be used: (npx .+ --details)/)
    const status = ['host', 'status', '--details', '--config', join(folder, 'myrmex.json')]
    const stdout = (await runToEnd(status, { cwd: folder })).stdout.replaceAll(/\s+/g, ' ')
    expect(stdout).toMatch(/more than 20000 schemas to one value/)
    expect(stdout).toMatch(/refers to itself for the same value/)
    // Several times what it takes, because other tests run beside this one.
    expect(longest).toBeLessThan(6000)
  })
})
