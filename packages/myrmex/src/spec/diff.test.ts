import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from '../protocol/canonical.ts'
import { differenceTexts } from '../tool/difference/tool-differences.ts'
import { hiddenIn } from '../tool/text/hidden-characters.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { CHANGES, type ChangeLevel, compare } from './diff.ts'

const plain: ToolBody = {
  name: 'shop.refund',
  version: '1.0.0',
  description: 'Pays back.',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object', properties: {} },
  errors: {},
  destructive: false,
  idempotent: true,
  security: 'None.',
  examples: [],
}
const taking = (properties: object, more: object = {}): ToolBody =>
  ({ ...plain, inputSchema: { type: 'object', properties, ...more } }) as ToolBody
const giving = (properties: object, more: object = {}): ToolBody =>
  ({ ...plain, outputSchema: { type: 'object', properties, ...more } }) as ToolBody
const string = { type: 'string' }

test('a change says what, where and how much it weighs, the heaviest first', () => {
  const after = { ...taking({ note: string, amount: { type: 'number' } }, { required: ['amount'] }), title: 'Refund' }
  expect(compare(plain, after)).toMatchObject({
    name: 'shop.refund',
    before: '1.0.0',
    after: '1.0.0',
    level: 'major',
    changes: [
      {
        kind: 'parameter-required-added',
        level: 'major',
        where: '/inputSchema/properties/amount',
        text: 'parameter amount added (required number)',
        after: { type: 'number' },
      },
      { kind: 'parameter-added', level: 'minor', where: '/inputSchema/properties/note' },
      { kind: 'title-changed', level: 'patch', where: '/title', text: 'title added: “Refund”' },
    ],
    input: { verdict: 'not contained' },
    output: undefined,
  })
})

test('another name is another tool', () => {
  expect(() => compare(plain, { ...plain, name: 'shop.pay_back' })).toThrow(
    '"shop.refund" and "shop.pay_back" are different tools',
  )
})

test('where nothing can be decided, it says so and why, and counts as breaking', () => {
  const after = taking({ x: { type: 'string', $ref: 'https://example.com/money.json' } })
  const { level, changes } = compare(taking({ x: string }), after)
  expect(level).toBe('major')
  expect(changes.map(({ text }) => text).join('\n')).toMatch(/parameters: cannot decide, treated as breaking: “.*money/)
})

test('where no single keyword explains the break, the whole is reported with its reason', () => {
  const odd = (choice: object) => taking({ x: { oneOf: [{ type: 'string', maxLength: 3 }, choice] } })
  const before = odd({ type: 'string', minLength: 5 })
  const { changes, input } = compare(before, odd({ type: 'string', minLength: 2 }))
  expect(changes.map(({ kind }) => kind)).toEqual(['input-narrowed', 'bound-widened'])
  expect(changes[0]?.text).toMatch(/^parameters: not all that was accepted still is: “/)
  expect(input).toMatchObject({ verdict: 'not contained', witness: { x: expect.any(String) } })
})

test('a removal knows whether the release before announced it', () => {
  const announced = (before: ToolBody, after: ToolBody) =>
    compare(before, after).changes.map((change) => change.announced)
  expect(announced(taking({ x: string }), plain)).toEqual([false])
  expect(announced(taking({ x: { ...string, deprecated: true } }), plain)).toEqual([true])
  expect(announced(giving({ x: { $ref: '#/$defs/A' } }, { $defs: { A: { deprecated: true } } }), plain)).toContain(true)
})

test.each<[string, Partial<ToolBody>, Partial<ToolBody>, ChangeLevel]>([
  ['a flag that is none', {}, { destructive: 'perhaps' as never }, 'major'],
  ['errors that are none', { errors: { A: 'a' } }, { errors: [] as never }, 'major'],
  ['a limit that is none', {}, { limit: 5 as never }, 'major'],
  ['a timeout on one side only', {}, { timeout: 5 }, 'minor'],
  ['a field nobody knows', {}, { colour: 'red' }, 'patch'],
  ['a field called __proto__', {}, JSON.parse('{"__proto__": 1}'), 'patch'],
  ['a task that is said not to be one', {}, { task: false }, 'patch'],
  ['a schema that is none', {}, { inputSchema: 'string' as never }, 'major'],
  ['a schema that takes nothing', {}, { inputSchema: false as never }, 'major'],
])('%s is %s', (_name, before, after, level) => {
  const merge = (changes: object) =>
    Object.fromEntries([...Object.entries(plain), ...Object.entries(changes)]) as ToolBody
  expect(compare(merge(before), merge(after)).level).toBe(level)
})

test('names as keywords and keywords as names confuse nobody', () => {
  for (const name of ['properties', 'items', 'required', 'default', 'x-secret', 'a/b~c']) {
    const properties = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`)
    const kinds = (before: ToolBody, after: ToolBody) => compare(before, after).changes.map(({ kind }) => kind)
    expect(kinds(taking({}), taking(properties)), name).toEqual(['parameter-added'])
    expect(kinds(taking(properties), taking({})), name).toEqual(['parameter-removed'])
    expect(kinds(giving(properties), giving({})), name).toEqual(['output-field-removed'])
  }
})

test('references that multiply without end are not followed without end', () => {
  const $defs: Record<string, object> = { d0: string }
  for (let level = 1; level <= 40; level++) {
    const ref = { $ref: `#/$defs/d${level - 1}` }
    $defs[`d${level}`] = { type: 'object', properties: { a: ref, b: ref } }
  }
  const huge = (more: object) => taking({ x: { $ref: '#/$defs/d40' }, ...more }, { $defs })
  expect(withTimeLimit(5000, () => compare(huge({}), huge({ y: string })))).toMatchObject({
    level: 'major',
    input: { verdict: 'undecided' },
  })
})

test.each([
  ['constructor', 'minor', 'contained'],
  // The validator passes over it, so nobody can say what the new schema accepts.
  ['__proto__', 'major', 'undecided'],
])('an optional parameter called %s is a %s change', (name, level, verdict) => {
  const compared = compare(taking({}), taking(JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`)))
  expect([compared.level, compared.input?.verdict]).toEqual([level, verdict])
})

/** Definitions as nobody would write them, and as somebody might to get a change past a reader. */
const name = fc.constantFrom('a', 'b', '__proto__', 'properties', 'x\u200by')
const value = fc.oneof(
  fc.constantFrom('string', 'number', '#/$defs/a', true, false, 0, 1),
  fc.jsonValue({ maxDepth: 1 }),
)
const record = (of: fc.Arbitrary<unknown>) =>
  fc.uniqueArray(fc.tuple(name, of), { selector: ([key]) => key, maxLength: 3 }).map(Object.fromEntries)
const KEYWORDS = [
  'type',
  'title',
  'required',
  'enum',
  'minimum',
  'default',
  'x-secret',
  'odd',
  '$ref',
  'not',
  'deprecated',
]

function schemaOf(depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return value
  const part = fc.oneof({ weight: 4, arbitrary: schemaOf(depth - 1) }, { weight: 1, arbitrary: value })
  const nested = fc.record(
    {
      properties: fc.oneof(record(part), value),
      $defs: record(part),
      items: part,
      additionalProperties: part,
      anyOf: fc.array(part, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  const flat = fc.dictionary(fc.constantFrom(...KEYWORDS), fc.oneof(value, fc.array(name, { maxLength: 2 })), {
    maxKeys: 4,
  })
  return fc.tuple(flat, nested).map(([one, other]) => ({ ...one, ...other }))
}

const body = fc
  .record(
    {
      version: fc.constantFrom('1.0.0', '2.0.0'),
      inputSchema: fc.oneof({ weight: 4, arbitrary: schemaOf(2) }, { weight: 1, arbitrary: value }),
      outputSchema: fc.oneof({ weight: 4, arbitrary: schemaOf(2) }, { weight: 1, arbitrary: value }),
      errors: value,
      timeout: value,
      limit: value,
      task: value,
      examples: value,
      odd: value,
    },
    { requiredKeys: [] },
  )
  .map((changes) => JSON.parse(canonical({ ...plain, ...changes })) as ToolBody)

test('no difference goes without a change, whatever the definitions look like', () => {
  fc.assert(
    fc.property(body, body, (before, after) => {
      const { changes, level } = compare(before, after)
      expect(changes.length).toBeGreaterThanOrEqual(differenceTexts(before, after).length)
      const sameButVersion = canonical({ ...before, version: '' }) === canonical({ ...after, version: '' })
      expect(level === 'none').toBe(sameButVersion)
      for (const change of changes) {
        expect(change.level).toBe(CHANGES[change.kind].level)
        expect(hiddenIn(change.text)).toEqual([])
      }
    }),
    { numRuns: 100 },
  )
})
