import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withAjv } from './ajv.ts'
import type { Json, JsonObject } from './json.ts'
import { schemaFaults } from './schema-faults.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

test.each<[JsonObject, RegExp]>([
  [{ type: 'strnig' }, /^\/type must be one of null, boolean, .*, or a list of them, not "strnig"$/],
  [{ type: [] }, /^\/type must be/],
  [{ properties: { a: { type: 'int' } } }, /^\/properties\/a\/type must be/],
  [{ properties: [{ type: 'string' }] }, /^\/properties must be an object with a schema for each name/],
  [{ properties: { a: 'string' } }, /^\/properties\/a must be a schema, not "string"$/],
  [{ required: 'name' }, /^\/required must be a list of different texts, not "name"$/],
  [{ required: ['a', 'a'] }, /^\/required must be a list of different texts/],
  [{ minLength: -1 }, /^\/minLength must be a whole number of at least 0, not -1$/],
  [{ multipleOf: 0 }, /^\/multipleOf must be a number above 0/],
  [{ exclusiveMinimum: true }, /^\/exclusiveMinimum must be a number, not true$/],
  [{ properties: { 'a/b': { pattern: '(' } } }, /^\/properties\/a~1b\/pattern must be a regular expression: /],
  [{ patternProperties: { '[': {} } }, /^\/patternProperties\/\[ must be under a name that is a regular expression/],
  [{ enum: [] }, /^\/enum must be a list of at least one value/],
  [{ anyOf: [] }, /^\/anyOf must be a list of at least one schema/],
  [{ anyOf: [{ type: 'object' }, null] }, /^\/anyOf\/1 must be a schema, not null$/],
  [{ items: [{ type: 'string' }] }, /^\/items is a list, as in draft-07\. Use prefixItems$/],
  [{ not: 5 }, /^\/not must be a schema, not 5$/],
  [{ $ref: '#/$defs/none' }, /^\/\$ref refers to "#\/\$defs\/none", which does not exist$/],
  [{ items: { $ref: 'https://example.com/x.json' } }, /^\/items\/\$ref refers to .* nothing is fetched$/],
  [{ $schema: 'urn:mine' }, /^\/\$schema is the dialect "urn:mine"; supported are/],
  [{ $async: true }, /^\/\$async is not JSON Schema$/],
  [
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    /^the whole applies itself to the same value, so checking it would never end$/,
  ],
  [{ $ref: '#' }, /^the whole applies itself/],
  [{ allOf: [{ $ref: '#' }] }, /^the whole applies itself/],
  [
    { properties: { a: { anyOf: [{ type: 'string' }, { not: { $ref: '#/properties/a' } }] } } },
    /^\/properties\/a applies/,
  ],
  [{ dependentSchemas: { a: { if: { $ref: '#' } } } }, /^the whole applies itself/],
  [{ dependencies: { a: [1] } }, /^\/dependencies\/a must be a list of different texts/],
])('%j is not valid', (schema, fault) => {
  expect(schemaFaults({ ...schema })).toEqual([expect.stringMatching(fault)])
})

test.each<[JsonObject]>([
  [{ properties: { children: { items: { $ref: '#' } } } }],
  [{ allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: { additionalProperties: { $ref: '#' } } } }],
  [{ anyOf: [{ type: 'null' }, { prefixItems: [{ anyOf: [{ $ref: '#' }] }] }] }],
])('%j may contain itself in a part of its value', (schema) => {
  expect(schemaFaults({ ...schema })).toEqual([])
  expect(withAjv({ ...schema }, 'input', (ajv) => ajv.compile({ ...schema }))?.({})).toBeTypeOf('boolean')
})

test('all faults are listed', () => {
  expect(schemaFaults({ type: 'x', required: 1, properties: { a: { minimum: 'low' } } })).toHaveLength(3)
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'x' }]))
  expect(schemaFaults({ properties: many })).toHaveLength(50)
})

test('valid schemas have no faults', () => {
  for (const schema of [
    {},
    { type: ['object', 'null'], title: 'T', description: 'D', default: { a: 1n }, examples: [1], 'x-secret': true },
    { $schema: DRAFT_07, items: [{ type: 'string' }], additionalItems: false, definitions: { a: true } },
    {
      $defs: { a: { $anchor: 'here' } },
      properties: { p: { $ref: '#here' }, q: { $ref: '#/$defs/a' }, r: { $ref: '#' } },
    },
    { $id: 'https://example.com/s', $defs: { a: { $id: 'a.json', type: 'string' } }, items: { $ref: 'a.json' } },
    {
      properties: { type: { type: 'string' }, required: { type: 'boolean' } },
      enum: [{ properties: 5 }],
      const: { type: 7 },
    },
  ])
    expect(schemaFaults(schema as never)).toEqual([])
})

const KEYWORDS =
  'type enum const required properties patternProperties items prefixItems anyOf allOf oneOf not if then else minimum maximum exclusiveMinimum multipleOf minLength maxItems pattern format title description deprecated uniqueItems $ref $defs definitions dependencies dependentRequired dependentSchemas propertyNames contains minContains additionalProperties unevaluatedProperties'.split(
    ' ',
  )
const leaf = fc.constantFrom<Json>(
  ...['string', 'object', 'nothing', '(', '^a$', '#', '#/$defs/a', '#/nowhere', '', true, false, null, 0, 1, 2.5, -1],
  ...[
    [],
    ['a'],
    ['a', 'b'],
    ['a', 'a'],
    ['string', 'null'],
    [1],
    {},
    { a: ['b'] },
    { a: 'b' },
    { a: {} },
    { '(': true },
  ],
)
const { schema: anySchema } = fc.letrec<{ schema: JsonObject; value: Json }>((tie) => ({
  schema: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...KEYWORDS), tie('value')), { maxLength: 3, selector: ([key]) => key })
    .map((members) => Object.fromEntries(members) as JsonObject),
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'properties'), tie('schema'), { maxKeys: 2 }),
  ) as fc.Arbitrary<Json>,
}))

/** Whether Ajv accepts a schema. */
function isUsable(schema: JsonObject): boolean {
  try {
    return (
      withAjv(schema, 'input', (ajv) => ajv.validateSchema(schema) === true && ajv.compile(schema) !== undefined) ===
      true
    )
  } catch {
    return false
  }
}

const runs = { numRuns: propertyRuns(300, 20_000) }

test('a schema has no faults if and only if Ajv accepts it', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const faults = schemaFaults(schema)
      // Ajv accepts it, and then never ends. It has a test of its own.
      fc.pre(!faults.some((fault) => fault.includes('applies itself to the same value')))
      // Ajv does not look at these in parts of a schema that nothing uses.
      fc.pre(
        faults.length === 0 || faults.some((fault) => !/ refers to |\/enum must be|regular expression/.test(fault)),
      )
      expect(faults.length === 0, faults.join('; ')).toBe(isUsable(schema))
    }),
    runs,
  )
})

test('a schema of draft-07 without faults is accepted by Ajv', () => {
  fc.assert(
    fc.property(anySchema, (made) => {
      const schema = { ...made, $schema: DRAFT_07 }
      fc.pre(schemaFaults(schema).length === 0)
      expect(isUsable(schema)).toBe(true)
    }),
    runs,
  )
})
