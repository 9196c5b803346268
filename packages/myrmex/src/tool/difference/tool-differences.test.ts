import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from '../../protocol/canonical.ts'
import { hiddenIn } from '../text/hidden-characters.ts'
import { differenceTexts } from './tool-differences.ts'

const input = (schema: object) => ({ inputSchema: schema })
const parameter = (schema: object, name = 'amount') => input({ type: 'object', properties: { [name]: schema } })
const LONG =
  'Pays an order back to the customer, in whole or in part, and writes the reason into the books of the shop.'

test.each<[string, object, object, string[]]>([
  [
    'a short text is shown whole',
    { description: 'Adds.' },
    { description: 'Adds two numbers.' },
    ['description changed: “Adds.” → “Adds two numbers.”'],
  ],
  [
    'of a long text only what changed, with a few words around it',
    { description: LONG },
    { description: LONG.replace('writes the reason into', 'sends a copy of') },
    [
      'description changed: “… whole or in part, and writes the reason into the books of the shop.” → “… whole or in part, and sends a copy of the books of the shop.”',
    ],
  ],
  [
    'a very long addition is cut and says so',
    { security: 'None.' },
    { security: `None.${' x'.repeat(200)}` },
    [`security changed: “None.” → “None.${' x'.repeat(77)} … (245 more characters)”`],
  ],
  ['a title comes', {}, { title: 'Refund' }, ['title added: “Refund”']],
  ['a title goes', { title: 'Refund' }, {}, ['title removed (was “Refund”)']],
  [
    'it becomes destructive',
    { destructive: false },
    { destructive: true },
    ['now says it changes state (destructive: false → true)'],
  ],
  [
    'it stops being idempotent',
    { idempotent: true },
    { idempotent: false },
    ['now says that calling it again may change more (idempotent: true → false)'],
  ],
  [
    'it stops being keyed',
    { keyed: true },
    {},
    ['no longer says that calling it again with the same key changes nothing further (keyed: true → false)'],
  ],
  ['it can be undone', {}, { undo: true }, ['now says that what it did can be undone (undo: false → true)']],
  ['a timeout', { timeout: 30000 }, { timeout: 60000 }, ['timeout 30000 ms → 60000 ms']],
  ['a limit', {}, { limit: { calls: 5, per_ms: 1000 } }, ['limit nothing → 5 calls per 1000 ms']],
  ['a version', { version: '1.0.0' }, { version: '1.1.0' }, ['version 1.0.0 → 1.1.0']],
  [
    'errors',
    { errors: { A: 'a', B: 'b' } },
    { errors: { A: 'x', FullError: 'when it is full' } },
    [
      'error type A: condition changed: “a” → “x”',
      'error type B removed',
      'error type FullError added: “when it is full”',
    ],
  ],
  [
    'a bound that is raised and one that is lowered',
    parameter({ type: 'number', minimum: 5, maximum: 100 }),
    parameter({ type: 'number', minimum: 1, maximum: 1000 }),
    ['parameter amount: minimum lowered from 5 to 1', 'parameter amount: maximum raised from 100 to 1000'],
  ],
  [
    'a bound in place of the one that every safe integer has',
    parameter({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    parameter({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: 10 }),
    ['parameter amount: minimum removed (was 0)', 'parameter amount: maximum added: 10'],
  ],
  [
    'a bound that is gone',
    parameter({ type: 'number', maximum: 100 }),
    parameter({ type: 'number' }),
    ['parameter amount: maximum removed (was 100)'],
  ],
  [
    'a parameter that is new',
    input({ type: 'object', properties: {} }),
    input({ type: 'object', properties: { note: { type: 'string', description: 'For the books.' } } }),
    ['parameter note added (optional string): “For the books.”'],
  ],
  [
    'a parameter that is new and required',
    input({ type: 'object', properties: {} }),
    input({ type: 'object', properties: { ids: { type: 'array', items: { type: 'string' } } }, required: ['ids'] }),
    ['parameter ids added (required list of string)'],
  ],
  [
    'a parameter that is no longer required, and one that is',
    input({ type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } }, required: ['x'] }),
    input({ type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } }, required: ['y'] }),
    ['parameter x is no longer required', 'parameter y is now required'],
  ],
  [
    'an empty list beside another change',
    parameter({ type: 'object' }),
    parameter({ type: 'object', properties: {}, required: [], title: 'x' }),
    [
      'parameter amount: properties added: {}',
      'parameter amount: required added: []',
      'parameter amount: title added: “x”',
    ],
  ],
  [
    'an output field that is gone',
    { outputSchema: { properties: { total: { type: 'number' } }, required: ['total'] } },
    { outputSchema: { properties: {}, required: [] } },
    ['output field total removed (was required number)'],
  ],
  [
    'a type',
    parameter({ type: 'string' }),
    parameter({ type: ['string', 'null'] }),
    ['parameter amount: type string → string or null'],
  ],
  [
    'values of an enum',
    parameter({ enum: ['eur', 'usd'] }),
    parameter({ enum: ['eur', 'gbp'] }),
    ['parameter amount: allowed values added: “gbp”', 'parameter amount: allowed values removed: “usd”'],
  ],
  [
    'an enum in another order',
    parameter({ enum: ['eur', 'usd'] }),
    parameter({ enum: ['usd', 'eur'] }),
    ['parameter amount: allowed values in another order or number'],
  ],
  [
    'something deep inside',
    parameter({ type: 'array', items: { type: 'object', properties: { to: { type: 'string', maxLength: 5 } } } }),
    parameter({ type: 'array', items: { type: 'object', properties: { to: { type: 'string', maxLength: 9 } } } }),
    ['parameter amount[].to: maxLength raised from 5 to 9'],
  ],
  [
    'a choice',
    parameter({ anyOf: [{ type: 'string' }, { type: 'number' }] }),
    parameter({ anyOf: [{ type: 'string' }, { type: 'boolean' }] }),
    ['parameter amount anyOf[2]: type number → boolean'],
  ],
  [
    'other properties',
    input({ type: 'object', additionalProperties: false }),
    input({ type: 'object' }),
    ['parameters: other properties are now taken (additionalProperties: false → nothing)'],
  ],
  [
    'a secret that is one no longer',
    parameter({ type: 'string', 'x-secret': true }),
    parameter({ type: 'string' }),
    ['parameter amount is no longer secret (x-secret: true → nothing)'],
  ],
  [
    'a shared schema',
    input({ $defs: { Money: { type: 'number', maximum: 1 } } }),
    input({ $defs: { Money: { type: 'number', maximum: 2 } } }),
    ['parameter #Money: maximum raised from 1 to 2'],
  ],
  [
    'an example put in front',
    { examples: [{ title: 'One', arguments: {} }] },
    { examples: [{ arguments: { x: 1 } }, { title: 'One', arguments: {} }] },
    ['example without a title added: {"arguments":{"x":1}}'],
  ],
  [
    'what has no words of its own is named by its place',
    input({ if: { minProperties: 1 }, else: { required: ['a'] } }),
    input({ if: { minProperties: 2 } }),
    ['parameters: minProperties of if: 1 → 2', 'parameters: else removed (was {"required":["a"]})'],
  ],
  ['a field nobody knows', { odd: { a: [1] } }, { odd: { a: [2] } }, ['item 1 of a of odd: 1 → 2']],
  [
    'hidden characters',
    { description: 'Adds.' },
    { description: 'Adds.\u200b\u{e0041}\n' },
    ['description changed: “Adds.” → “Adds.\\u{200b}\\u{e0041}\\n”'],
  ],
  [
    'a text that pretends to have shown a hidden character',
    { description: 'a\u200bb' },
    { description: 'a\\u{200b}b' },
    ['description changed: “a\\u{200b}b” → “a\\\\u{200b}b”'],
  ],
  [
    'letters that look alike',
    { title: 'order' },
    { title: 'оrder' },
    ['title changed: “order” → “оrder” (they look alike: U+006F → U+043E)'],
  ],
  [
    'a name made to break the line',
    input({ properties: {} }),
    input({ properties: { 'a\nb': { type: 'string' } } }),
    ['parameter “a\\nb” added (optional string)'],
  ],
])('%s', (_name, before, after, expected) => {
  expect(differenceTexts(before, after)).toEqual(expected)
})

/** Definitions as they might be, and as nobody would write them. */
const names = fc.constantFrom('a', 'b', '__proto__', 'x\u200by')
const words = fc.oneof(fc.constantFrom('a', 'b', 'string', 'о', 'o'), fc.jsonValue({ maxDepth: 1 }))
const numbers = fc.oneof(fc.integer({ min: 0, max: 2 }), words)
const record = (value: fc.Arbitrary<unknown>) =>
  fc.uniqueArray(fc.tuple(names, value), { selector: ([name]) => name, maxLength: 3 }).map(Object.fromEntries)

function schemaOf(depth: number): fc.Arbitrary<unknown> {
  const part =
    depth === 0 ? words : fc.oneof({ weight: 4, arbitrary: schemaOf(depth - 1) }, { weight: 1, arbitrary: words })
  const keywords = fc.record({
    type: words,
    description: words,
    properties: fc.oneof(record(part), words),
    required: fc.oneof(fc.array(names, { maxLength: 3 }), words),
    enum: fc.oneof(fc.array(words, { maxLength: 3 }), words),
    minimum: numbers,
    default: words,
    items: part,
    additionalProperties: fc.oneof(fc.boolean(), part),
    anyOf: fc.oneof(fc.array(part, { maxLength: 2 }), words),
    $defs: fc.oneof(record(part), words),
    'x-secret': fc.oneof(fc.boolean(), words),
    odd: words,
  })
  const some = fc.subarray(['type', 'description', 'properties', 'required', 'enum', 'minimum', 'default', 'items'])
  const more = fc.subarray(['additionalProperties', 'anyOf', '$defs', 'x-secret', 'odd'])
  return fc
    .tuple(keywords, some, more)
    .map(([all, ...kept]) => Object.fromEntries(Object.entries(all).filter(([key]) => kept.flat().includes(key))))
}
const schema = schemaOf(2)

const body = fc.record(
  {
    name: fc.string(),
    version: fc.oneof(fc.constantFrom('1.0.0', '2.0.0'), fc.jsonValue()),
    description: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 50 }), fc.jsonValue()),
    inputSchema: fc.oneof(schema, fc.jsonValue()),
    outputSchema: fc.oneof(schema, fc.jsonValue()),
    errors: fc.oneof(fc.dictionary(fc.string({ maxLength: 3 }), fc.string()), fc.jsonValue()),
    destructive: fc.oneof(fc.boolean(), fc.jsonValue()),
    examples: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }), fc.jsonValue()),
    timeout: fc.oneof(fc.nat(2), fc.jsonValue()),
    limit: fc.oneof(fc.record({ calls: fc.nat(2), per_ms: fc.nat(2) }), fc.jsonValue()),
    odd: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

const plainJson = (value: unknown): object => JSON.parse(canonical(value))

/** Silent only where there is nothing to tell, and every line is one line that shows all it holds. */
function holds(before: object, after: object): void {
  const lines = differenceTexts(before, after)
  expect(lines.length > 0).toBe(canonical(before) !== canonical(after))
  for (const line of lines) {
    expect(hiddenIn(line)).toEqual([])
    expect(line).not.toMatch(/[\n\r\t]/)
    expect(line.length).toBeLessThan(3000)
  }
}

test('no difference goes untold, whatever the definitions look like', () => {
  fc.assert(
    fc.property(body, body, (before, after) => holds(plainJson(before), plainJson(after))),
    { numRuns: 100 },
  )
})

test('nor does a single one, wherever it is', () => {
  fc.assert(
    fc.property(schema, schema, (before, after) => {
      const wrap = (part: unknown) => plainJson({ inputSchema: { properties: { a: { anyOf: [{ items: part }] } } } })
      holds(wrap(before), wrap(after))
    }),
    { numRuns: 200 },
  )
})

const listed = (annotations: object | undefined, more: object = {}) => ({
  listing: { name: 'get_it', description: 'as it stands here', ...(annotations && { annotations }) },
  destructive: (annotations as { readOnlyHint?: boolean } | undefined)?.readOnlyHint !== true,
  ...more,
})

test.each<[string, object, object, string[]]>([
  [
    'hints',
    listed({ openWorldHint: true, destructiveHint: false }),
    listed({ openWorldHint: false, title: 'It' }),
    [
      'its server now says that it reaches no other system (openWorldHint: true → false)',
      'its server no longer says whether it deletes or overwrites something (destructiveHint: false → nothing)',
      'title of annotations added: “It”',
    ],
  ],
  [
    'a server that takes back that a tool only reads',
    listed({ readOnlyHint: true }),
    listed(undefined),
    [
      'now says it changes state (destructive: false → true)',
      'its server no longer says whether it changes state (readOnlyHint: true → nothing)',
    ],
  ],
  [
    'a pattern of the operator, and that it is gone again',
    listed(undefined),
    listed(undefined, { destructive: false }),
    ['myrmex.json now says that it changes nothing (destructive: true → false)'],
  ],
  [
    'the pattern that is gone again',
    listed(undefined, { destructive: false }),
    listed(undefined),
    [
      'myrmex.json no longer decides about it, and by the word of its server it changes state (destructive: false → true)',
    ],
  ],
  [
    'a field that the definition repeats has one line',
    listed({}, { title: undefined }),
    { ...listed({}, { title: 'It' }), listing: { ...listed({}).listing, title: 'as it stands here' } },
    ['title added: “It”'],
  ],
  [
    'a field that only its server writes in another way',
    listed({}, { outputSchema: { type: 'object' } }),
    {
      ...listed({}, { outputSchema: { type: 'object' } }),
      listing: { ...listed({}).listing, outputSchema: 'as it stands here' },
    },
    ['its server now lists output fields'],
  ],
  [
    'metadata and icons',
    listed({}),
    { ...listed({}), listing: { ...listed({}).listing, _meta: { ui: { resourceUri: 'ui://a' } }, icons: [] } },
    ['_meta added: {"ui":{"resourceUri":"ui://a"}}', 'icons added: []'],
  ],
  ['no hints and an empty object', listed({}), listed(undefined), ['its server lists its hints in another way']],
])('of what a server lists: %s', (_name, before, after, expected) => {
  expect(differenceTexts(before, after)).toEqual(expected)
})
