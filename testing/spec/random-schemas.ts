/**
 * Schemas for property tests: arbitrary ones, pairs of which one was made from the other by small changes, and values that
 * fit a schema or only just do not. Nothing of it is shipped.
 */
import fc from 'fast-check'
import { withAjv } from '../../packages/myrmex/src/protocol/ajv.ts'
import type { Json, JsonObject } from '../../packages/myrmex/src/protocol/json.ts'
import { changeSchema } from './schema-changes.ts'
import { Sampler } from './schema-sampler.ts'

export type SchemaPair = { readonly narrow: JsonObject; readonly wide: JsonObject }
/** What is wrong with a value; nothing where it is accepted. */
export type Check = (value: Json) => readonly { readonly path: readonly string[]; readonly message: string }[]

/** One of them is a name that every object inherits. */
const NAMES = ['a', 'b', 'c', 'kind', 'constructor']
const KEY_PATTERNS = ['^a', '^x_', 'b$']
const PATTERNS = ['^a', '^a+$', '^[a-z]{2,4}$', 'b']
const FORMATS = ['email', 'date', 'uuid', 'ipv4', 'int32', 'unknown-format']
const VALUES: readonly Json[] = [null, true, false, 0, 1, 1.5, 2, -3, '', 'a', 'ab', 'b', [], [1], {}, { a: 1 }]

const small = fc.integer({ min: -3, max: 12 })
const size = fc.integer({ min: 0, max: 4 })
const some = <T>(keywords: Record<string, fc.Arbitrary<T>>): fc.Arbitrary<JsonObject> =>
  fc.record(keywords, { requiredKeys: [] }) as unknown as fc.Arbitrary<JsonObject>
const values = fc.uniqueArray(fc.constantFrom(...VALUES), {
  minLength: 1,
  maxLength: 4,
  selector: (value) => JSON.stringify(value),
})

const number = some<unknown>({
  minimum: small,
  maximum: small,
  exclusiveMinimum: small,
  multipleOf: fc.constantFrom(1, 2, 3, 4, 0.5, 0.1, 5),
}).chain((rules) => fc.constantFrom('number', 'integer').map((type) => ({ ...rules, type })))
const text = some<unknown>({
  minLength: size,
  maxLength: size,
  pattern: fc.constantFrom(...PATTERNS),
  format: fc.constantFrom(...FORMATS),
}).map((rules) => ({ ...thinned(rules), type: 'string' }))

/** Two rules at a time: with more of them few schemas accept anything. */
const thinned = (rules: JsonObject): JsonObject => Object.fromEntries(Object.entries(rules).slice(0, 2))

const list = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  some<unknown>({
    items: inner,
    prefixItems: fc.array(inner, { minLength: 1, maxLength: 3 }),
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
    contains: inner,
    minContains: fc.integer({ min: 0, max: 2 }),
    maxContains: fc.integer({ min: 0, max: 3 }),
  }).map((rules) => ({ ...rules, type: 'array' }))

const object = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> => {
  const common = some<unknown>({
    properties: fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 3 }),
    required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
  })
  const rare = some<unknown>({
    patternProperties: fc.dictionary(fc.constantFrom(...KEY_PATTERNS), inner, { maxKeys: 2 }),
    propertyNames: text,
    minProperties: size,
    maxProperties: size,
    dependentRequired: fc.dictionary(
      fc.constantFrom(...NAMES),
      fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      { maxKeys: 1 },
    ),
    unevaluatedProperties: fc.boolean(),
  }).map((rules) => Object.fromEntries(Object.entries(rules).slice(0, 1)))
  return fc
    .tuple(common, fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: rare }))
    .map(([rules, more]) => ({ ...rules, ...more, type: 'object' }))
}

const choice = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> => {
  const branches = fc.array(inner, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    branches.map((anyOf) => ({ anyOf })),
    branches.map((anyOf) => ({ anyOf })),
    branches.map((oneOf) => ({ oneOf })),
    branches.map((allOf) => ({ allOf })),
    inner.map((not) => ({ not })),
    some<unknown>(Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, inner]))),
  ) as fc.Arbitrary<JsonObject>
}

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  number,
  text,
  fc.constantFrom<unknown>(
    { type: 'boolean' },
    { type: 'null' },
    {},
    { type: ['string', 'null'] },
    { type: ['integer', 'string'] },
  ),
  values.map((list) => ({ enum: list })),
  fc.constantFrom(...VALUES).map((value) => ({ const: value })),
)

const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 4, arbitrary: object(tie('schema')) },
    { weight: 2, arbitrary: list(tie('schema')) },
    { weight: 2, arbitrary: choice(tie('schema')) },
    { weight: 1, arbitrary: fc.boolean() },
  ),
}))

/** A schema that refers to itself: a tree, or a chain. */
const recursive: fc.Arbitrary<JsonObject> = fc
  .tuple(
    object(scalar),
    fc.constantFrom<JsonObject>(
      { $ref: '#/$defs/tree' },
      { type: 'array', items: { $ref: '#/$defs/tree' } },
      { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] },
    ),
  )
  .map(([node, below]) => ({
    $ref: '#/$defs/tree',
    $defs: { tree: { ...node, properties: { ...(node.properties as JsonObject | undefined), below } } },
  }))

export const anySchema = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 8, arbitrary: schema.filter((one) => typeof one === 'object') as fc.Arbitrary<JsonObject> },
    { weight: 1, arbitrary: recursive },
  )

/** Two schemas, mostly related: one is the other after a few changes, in either order. */
export function schemaPair(): fc.Arbitrary<SchemaPair> {
  const picks = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 3 })
  const related = fc.tuple(anySchema(), picks, scalar, fc.boolean()).map(([one, turns, spare, swapped]): SchemaPair => {
    const other = turns.reduce((now, turn) => changeSchema(now, turn, spare as JsonObject), one)
    return swapped ? { narrow: other, wide: one } : { narrow: one, wide: other }
  })
  const unrelated = fc.tuple(anySchema(), anySchema()).map(([narrow, wide]): SchemaPair => ({ narrow, wide }))
  return fc.oneof({ weight: 9, arbitrary: related }, { weight: 1, arbitrary: unrelated })
}

/** The validator that judges every call, without the filling in of defaults. */
export function compileCheck(schema: JsonObject): Check {
  const validate = withAjv(schema, 'output', (ajv) => ajv.compile(schema))
  if (validate === undefined) throw new Error(`no dialect of ours: ${schema.$schema}`)
  return (value) => {
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => ({
      path: instancePath.split('/').slice(1),
      message,
    }))
  }
}

/** Up to `n` different values that the schema accepts, edges among them. The same seed gives the same values. */
export function samplesOf(schema: JsonObject, n: number, seed: number): Json[] {
  const accepts = compileCheck(schema)
  const sampler = new Sampler(schema, seed)
  const found = new Map<string, Json>()
  for (let turn = 0; turn < n * 4 && found.size < n; turn++) {
    // What comes close to a value that fits often fits too, and then lies at an edge.
    const fitting = sampler.value()
    for (const value of [fitting, sampler.near(fitting), ...(turn < VALUES.length ? [VALUES[turn] as Json] : [])]) {
      if (accepts(value).length === 0) found.set(JSON.stringify(value), value)
    }
  }
  return [...found.values()]
}
