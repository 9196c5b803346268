/** Changes as authors make them, each with the level it asks for and the name it gets. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { plain } from '../../../../../test/tools.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type ToolDefinition, tool } from '../../tool/tool.ts'
import { type Body, bodyOf } from '../../tool/verify.ts'
import { CHANGES, type ChangeKind, compare, type Level } from '../diff.ts'

type Changes = Partial<Omit<ToolDefinition, 'input' | 'output'>> & { input?: object; output?: object }

const base = { ...plain, name: 'shop.refund', input: z.object({}), output: z.object({}), run: () => ({}) }
const body = (changes: Changes): Body => bodyOf(tool({ ...base, ...changes } as ToolDefinition))

/** One parameter, or one output field, as Zod has it. */
const takes = (x: z.ZodType): Changes => ({ input: z.object({ x }) })
const gives = (x: z.ZodType): Changes => ({ output: z.object({ x }) })
/** The same in JSON Schema. */
const parameter = (x: JsonObject | boolean, more: JsonObject = {}): Changes => ({
  input: { type: 'object', properties: { x }, ...more },
})
const field = (x: JsonObject | boolean, more: JsonObject = {}): Changes => ({
  output: { type: 'object', properties: { x }, required: ['x'], ...more },
})
const inputOf = (more: JsonObject): Changes => ({ input: { type: 'object', ...more } })
const outputOf = (more: JsonObject): Changes => ({ output: { type: 'object', ...more } })

const number = { type: 'number' }
const string = { type: 'string' }
const node = z.object({
  name: z.string(),
  get below() {
    return z.array(node).optional()
  },
})
const deeperNode = z.object({
  name: z.string().max(5),
  get below() {
    return z.array(deeperNode).optional()
  },
})

const byCard = z.object({ card: z.string() })
const byCheque = z.object({ cheque: z.number() })
const inCash = z.object({ cash: z.boolean() })

type Case = [name: string, before: Changes, after: Changes, level: Level, kinds: ChangeKind[]]

const PARAMETERS: Case[] = [
  ['a required parameter added', { input: z.object({}) }, takes(z.string()), 'major', ['parameter-required-added']],
  ['an optional parameter added', { input: z.object({}) }, takes(z.string().optional()), 'minor', ['parameter-added']],
  [
    'a parameter with a default added',
    { input: z.object({}) },
    takes(z.string().default('eur')),
    'minor',
    ['parameter-added'],
  ],
  [
    'an optional parameter added to a closed object',
    { input: z.strictObject({}) },
    { input: z.strictObject({ x: z.string().optional() }) },
    'minor',
    ['parameter-added'],
  ],
  [
    'an optional parameter added to a loose object',
    { input: z.looseObject({ y: z.string() }) },
    { input: z.looseObject({ y: z.string(), x: z.string().optional() }) },
    'minor',
    ['parameter-added'],
  ],
  [
    'a parameter named where any were taken',
    inputOf({}),
    parameter(string),
    'major',
    ['input-narrowed', 'parameter-added'],
  ],
  [
    'a parameter named among others of one type',
    inputOf({ properties: {}, additionalProperties: number }),
    parameter(string, { additionalProperties: number }),
    'major',
    ['input-narrowed', 'parameter-added'],
  ],
  ['a parameter removed', takes(z.string()), { input: z.object({}) }, 'major', ['parameter-removed']],
  [
    'an optional parameter removed from an open object',
    takes(z.string().optional()),
    { input: z.object({}) },
    'major',
    ['parameter-removed'],
  ],
  [
    'a parameter removed from a closed object',
    { input: z.strictObject({ x: z.string().optional() }) },
    { input: z.strictObject({}) },
    'major',
    ['parameter-removed'],
  ],
  [
    'a parameter renamed',
    takes(z.string()),
    { input: z.object({ y: z.string() }) },
    'major',
    ['parameter-removed', 'parameter-required-added'],
  ],
  [
    'a parameter that becomes required',
    takes(z.string().optional()),
    takes(z.string()),
    'major',
    ['parameter-now-required'],
  ],
  [
    'a parameter that becomes optional',
    takes(z.string()),
    takes(z.string().optional()),
    'minor',
    ['parameter-optional'],
  ],
  [
    'a required parameter that gets a default',
    takes(z.number()),
    takes(z.number().default(1)),
    'minor',
    ['parameter-optional', 'default-added'],
  ],
  [
    'required parameters in another order',
    inputOf({ properties: { x: string, y: string }, required: ['x', 'y'] }),
    inputOf({ properties: { x: string, y: string }, required: ['y', 'x'] }),
    'patch',
    ['schema-rewritten'],
  ],
  [
    'other parameters refused',
    { input: z.object({}) },
    { input: z.strictObject({}) },
    'major',
    ['other-parameters-refused'],
  ],
  [
    'other parameters taken',
    { input: z.strictObject({}) },
    { input: z.object({}) },
    'minor',
    ['other-parameters-taken'],
  ],
  [
    'open said in another way',
    inputOf({ properties: {} }),
    inputOf({ properties: {}, additionalProperties: true }),
    'patch',
    ['schema-rewritten'],
  ],
  [
    'a parameter deep inside that is required',
    takes(z.object({ to: z.object({}) })),
    takes(z.object({ to: z.object({ city: z.string() }) })),
    'major',
    ['parameter-required-added'],
  ],
  [
    'a parameter deep inside that is optional',
    takes(z.array(z.object({ a: z.string() }))),
    takes(z.array(z.object({ a: z.string(), b: z.string().optional() }))),
    'minor',
    ['parameter-added'],
  ],
  [
    'a parameter deep inside that is gone',
    takes(z.array(z.object({ a: z.string(), b: z.string().optional() }))),
    takes(z.array(z.object({ a: z.string() }))),
    'major',
    ['parameter-removed'],
  ],
  [
    'a parameter that moved into allOf',
    inputOf({ properties: { x: string } }),
    inputOf({ allOf: [{ properties: { x: string } }] }),
    'patch',
    ['schema-rewritten', 'schema-rewritten'],
  ],
  [
    'a parameter of which a shared schema loses one',
    inputOf({ properties: { x: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'object', properties: { a: string } } } }),
    inputOf({ properties: { x: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'object', properties: {} } } }),
    'major',
    ['parameter-removed'],
  ],
  [
    'a reference to a schema that has one less',
    inputOf({
      properties: { x: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'object', properties: { a: string } }, B: { type: 'object', properties: {} } },
    }),
    inputOf({
      properties: { x: { $ref: '#/$defs/B' } },
      $defs: { A: { type: 'object', properties: { a: string } }, B: { type: 'object', properties: {} } },
    }),
    'major',
    ['parameter-removed', 'input-widened'],
  ],
  ['a recursive schema that stays', { input: node }, { input: node, title: 'Tree' }, 'patch', ['title-changed']],
  ['a recursive schema that is narrowed', { input: node }, { input: deeperNode }, 'major', ['bound-narrowed']],
]

const VALUES: Case[] = [
  ['a type changed', takes(z.string()), takes(z.number()), 'major', ['parameter-type-changed']],
  [
    'a type narrowed',
    takes(z.union([z.string(), z.number()])),
    takes(z.string()),
    'major',
    ['parameter-type-narrowed'],
  ],
  [
    'a type narrowed to integers',
    parameter(number),
    parameter({ type: 'integer' }),
    'major',
    ['parameter-type-narrowed'],
  ],
  [
    'a type widened from integers',
    parameter({ type: 'integer' }),
    parameter(number),
    'minor',
    ['parameter-type-widened'],
  ],
  ['null taken too', parameter(string), parameter({ type: ['string', 'null'] }), 'minor', ['parameter-type-widened']],
  ['null taken too, in Zod', takes(z.string()), takes(z.string().nullable()), 'minor', ['parameter-type-widened']],
  ['null refused', parameter({ type: ['string', 'null'] }), parameter(string), 'major', ['parameter-type-narrowed']],
  ['any type taken', parameter(string), parameter({}), 'minor', ['parameter-type-widened']],
  ['a type said where there was none', parameter({}), parameter(string), 'major', ['parameter-type-narrowed']],
  [
    'types in another order',
    parameter({ type: ['string', 'null'] }),
    parameter({ type: ['null', 'string'] }),
    'patch',
    ['schema-rewritten'],
  ],
  ['a maximum lowered', takes(z.number().max(100)), takes(z.number().max(50)), 'major', ['bound-narrowed']],
  ['a maximum raised', takes(z.number().max(50)), takes(z.number().max(100)), 'minor', ['bound-widened']],
  ['a minimum raised', takes(z.number().min(0)), takes(z.number().min(1)), 'major', ['bound-narrowed']],
  ['a minimum removed', takes(z.number().min(0)), takes(z.number()), 'minor', ['bound-widened']],
  ['a bound added', takes(z.string()), takes(z.string().max(80)), 'major', ['bound-narrowed']],
  ['a length allowed to be longer', takes(z.string().max(80)), takes(z.string().max(120)), 'minor', ['bound-widened']],
  [
    'a bound that becomes exclusive',
    takes(z.number().min(0)),
    takes(z.number().positive()),
    'major',
    ['bound-narrowed', 'bound-widened'],
  ],
  [
    'a bound written in another way',
    parameter({ type: 'integer', minimum: 1 }),
    parameter({ type: 'integer', exclusiveMinimum: 0 }),
    'patch',
    ['schema-rewritten', 'schema-rewritten'],
  ],
  [
    'fewer elements allowed',
    takes(z.array(z.string()).max(10)),
    takes(z.array(z.string()).max(5)),
    'major',
    ['bound-narrowed'],
  ],
  [
    'elements that must differ',
    parameter({ type: 'array', items: string }),
    parameter({ type: 'array', items: string, uniqueItems: true }),
    'major',
    ['bound-narrowed'],
  ],
  [
    'multiples that are finer',
    parameter({ type: 'number', multipleOf: 10 }),
    parameter({ type: 'number', multipleOf: 5 }),
    'minor',
    ['bound-widened'],
  ],
  [
    'multiples that are coarser',
    parameter({ type: 'number', multipleOf: 5 }),
    parameter({ type: 'number', multipleOf: 10 }),
    'major',
    ['bound-narrowed'],
  ],
  ['an enum value removed', takes(z.enum(['eur', 'usd'])), takes(z.enum(['eur'])), 'major', ['enum-value-removed']],
  ['an enum value added', takes(z.enum(['eur'])), takes(z.enum(['eur', 'usd'])), 'minor', ['enum-value-added']],
  [
    'an enum value replaced',
    takes(z.enum(['eur', 'usd'])),
    takes(z.enum(['eur', 'gbp'])),
    'major',
    ['enum-value-removed', 'enum-value-added'],
  ],
  [
    'an enum in another order',
    takes(z.enum(['eur', 'usd'])),
    takes(z.enum(['usd', 'eur'])),
    'patch',
    ['schema-rewritten'],
  ],
  ['an enum where any text was taken', takes(z.string()), takes(z.enum(['eur'])), 'major', ['enum-value-removed']],
  ['any text where there was an enum', takes(z.enum(['eur'])), takes(z.string()), 'minor', ['enum-value-added']],
  [
    'one value where there were two',
    parameter({ enum: ['a', 'b'] }),
    parameter({ const: 'a' }),
    'major',
    ['enum-value-removed', 'enum-value-added'],
  ],
  ['a pattern added', takes(z.string()), takes(z.string().regex(/^[a-z]+$/)), 'major', ['form-narrowed']],
  ['a pattern removed', takes(z.string().regex(/^[a-z]+$/)), takes(z.string()), 'minor', ['form-widened']],
  ['a format added', parameter(string), parameter({ type: 'string', format: 'date' }), 'major', ['form-narrowed']],
  ['a format removed', parameter({ type: 'string', format: 'date' }), parameter(string), 'minor', ['form-widened']],
  [
    'a choice removed',
    takes(z.union([byCard, byCheque, inCash])),
    takes(z.union([byCard, byCheque])),
    'major',
    ['choice-removed', 'parameter-removed'],
  ],
  [
    'a choice added',
    takes(z.union([byCard, byCheque])),
    takes(z.union([byCard, byCheque, inCash])),
    'minor',
    ['choice-added'],
  ],
  [
    'a bound narrowed in a choice that another choice covers',
    parameter({ anyOf: [string, { type: 'string', maxLength: 9 }] }),
    parameter({ anyOf: [string, { type: 'string', maxLength: 5 }] }),
    'patch',
    ['schema-rewritten'],
  ],
  [
    'elements of another type',
    takes(z.array(z.string())),
    takes(z.array(z.number())),
    'major',
    ['parameter-type-changed'],
  ],
  [
    'elements of any type',
    parameter({ type: 'array', items: string }),
    parameter({ type: 'array' }),
    'minor',
    ['input-widened'],
  ],
  [
    'elements of one type',
    parameter({ type: 'array' }),
    parameter({ type: 'array', items: string }),
    'major',
    ['input-narrowed'],
  ],
  [
    'a rule on what goes with what',
    inputOf({ properties: { a: string, b: string } }),
    inputOf({ properties: { a: string, b: string }, dependentRequired: { a: ['b'] } }),
    'major',
    ['input-narrowed'],
  ],
  [
    'a rule more through allOf',
    inputOf({ properties: { a: string } }),
    inputOf({ properties: { a: string }, allOf: [{ required: ['a'] }] }),
    'major',
    ['input-narrowed'],
  ],
  [
    'a schema inlined',
    inputOf({ properties: { x: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } }),
    inputOf({ properties: { x: string } }),
    'patch',
    ['schema-rewritten', 'schema-rewritten', 'schema-rewritten'],
  ],
  [
    'values of a record narrowed',
    takes(z.record(z.string(), z.union([z.string(), z.number()]))),
    takes(z.record(z.string(), z.string())),
    'major',
    ['parameter-type-narrowed'],
  ],
  [
    'what nobody can decide',
    parameter({ type: 'string' }),
    parameter({ type: 'string', $ref: 'https://example.com/other.json' }),
    'major',
    ['input-undecided', 'input-undecided'],
  ],
]

const DEFAULTS: Case[] = [
  ['a default changed', takes(z.number().default(1)), takes(z.number().default(2)), 'major', ['default-changed']],
  ['a default added', takes(z.number().optional()), takes(z.number().default(2)), 'minor', ['default-added']],
  ['a default removed', takes(z.number().default(1)), takes(z.number().optional()), 'major', ['default-removed']],
  [
    'a default that moved with its schema',
    inputOf({ properties: { x: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'number', default: 1 } } }),
    inputOf({ properties: { x: { type: 'number', default: 1 } } }),
    'patch',
    ['schema-rewritten', 'schema-rewritten', 'schema-rewritten', 'schema-rewritten'],
  ],
  [
    'a default that changed with a reference',
    inputOf({
      properties: { x: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'number', default: 1 }, B: { type: 'number', default: 2 } },
    }),
    inputOf({
      properties: { x: { $ref: '#/$defs/B' } },
      $defs: { A: { type: 'number', default: 1 }, B: { type: 'number', default: 2 } },
    }),
    'major',
    ['default-changed', 'schema-rewritten'],
  ],
  [
    'a default of an output field',
    field({ type: 'number', default: 1 }),
    field({ type: 'number', default: 2 }),
    'patch',
    ['output-default-changed'],
  ],
]

const OUTPUT: Case[] = [
  ['an output field added', { output: z.object({}) }, gives(z.string()), 'minor', ['output-field-added']],
  [
    'an output field added to an open object',
    outputOf({ properties: {} }),
    outputOf({ properties: { x: string } }),
    'minor',
    ['output-field-added'],
  ],
  [
    'an optional output field added',
    { output: z.object({}) },
    gives(z.string().optional()),
    'minor',
    ['output-field-added'],
  ],
  [
    'an output field added deep inside',
    gives(z.array(z.object({ a: z.string() }))),
    gives(z.array(z.object({ a: z.string(), b: z.string() }))),
    'minor',
    ['output-field-added'],
  ],
  ['an output field removed', gives(z.string()), { output: z.object({}) }, 'major', ['output-field-removed']],
  [
    'an optional output field removed',
    gives(z.string().optional()),
    { output: z.object({}) },
    'major',
    ['output-field-removed'],
  ],
  [
    'an optional output field removed from an open object',
    outputOf({ properties: { x: string } }),
    outputOf({ properties: {} }),
    'major',
    ['output-field-removed'],
  ],
  [
    'an output field made optional',
    gives(z.string()),
    gives(z.string().optional()),
    'major',
    ['output-field-optional'],
  ],
  [
    'an output field made required',
    gives(z.string().optional()),
    gives(z.string()),
    'minor',
    ['output-field-required'],
  ],
  ['an output type widened', field(string), field({ type: ['string', 'null'] }), 'major', ['output-type-widened']],
  ['an output type narrowed', field({ type: ['string', 'null'] }), field(string), 'minor', ['output-type-narrowed']],
  ['an output type changed', gives(z.string()), gives(z.number()), 'major', ['output-type-changed']],
  ['an output bound widened', gives(z.number().max(10)), gives(z.number().max(20)), 'major', ['output-bound-widened']],
  [
    'an output bound narrowed',
    gives(z.number().max(20)),
    gives(z.number().max(10)),
    'minor',
    ['output-bound-narrowed'],
  ],
  [
    'an output enum value added',
    gives(z.enum(['open'])),
    gives(z.enum(['open', 'shut'])),
    'major',
    ['output-enum-value-added'],
  ],
  [
    'an output enum value removed',
    gives(z.enum(['open', 'shut'])),
    gives(z.enum(['open'])),
    'minor',
    ['output-enum-value-removed'],
  ],
  [
    'an output format promised',
    field(string),
    field({ type: 'string', format: 'date' }),
    'minor',
    ['output-form-narrowed'],
  ],
  [
    'an output format no longer promised',
    field({ type: 'string', format: 'date' }),
    field(string),
    'major',
    ['output-form-widened'],
  ],
  [
    'an output choice added',
    gives(z.union([byCard, byCheque])),
    gives(z.union([byCard, byCheque, inCash])),
    'major',
    ['output-choice-added'],
  ],
  [
    'an output choice removed',
    gives(z.union([byCard, byCheque, inCash])),
    gives(z.union([byCard, byCheque])),
    'minor',
    ['output-choice-removed'],
  ],
  [
    'an output opened',
    { output: z.object({ a: z.string() }) },
    { output: z.looseObject({ a: z.string() }) },
    'minor',
    ['output-others-possible'],
  ],
  [
    'an output closed',
    { output: z.looseObject({ a: z.string() }) },
    { output: z.object({ a: z.string() }) },
    'minor',
    ['output-others-excluded'],
  ],
  [
    'an output map that has values of another type',
    field({ type: 'object', additionalProperties: number }),
    field({ type: 'object', additionalProperties: { type: ['number', 'string'] } }),
    'major',
    ['output-type-widened'],
  ],
  [
    'data where there was none',
    { output: z.null() },
    { output: z.object({}) },
    'major',
    ['output-widened', 'output-type-changed', 'output-others-excluded'],
  ],
  [
    'a field of one choice that comes in the other',
    gives(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])),
    gives(z.union([z.object({ a: z.string(), b: z.number() }), z.object({ b: z.string() })])),
    'major',
    ['output-widened'],
  ],
]

const BEHAVIOUR: Case[] = [
  ['nothing at all', {}, {}, 'none', []],
  ['only the version', {}, { version: '1.0.1' }, 'none', ['version-changed']],
  ['it becomes destructive', {}, { destructive: true }, 'major', ['destructive-on']],
  ['it is no longer destructive', { destructive: true }, {}, 'minor', ['destructive-off']],
  ['it is no longer idempotent', {}, { idempotent: false }, 'major', ['idempotent-off']],
  ['it becomes idempotent', { idempotent: false }, {}, 'minor', ['idempotent-on']],
  ['an error type added', {}, { errors: { Full: 'when it is full' } }, 'minor', ['error-type-added']],
  ['an error type removed', { errors: { Full: 'when it is full' } }, {}, 'minor', ['error-type-removed']],
  [
    'the condition of an error in other words',
    { errors: { Full: 'full' } },
    { errors: { Full: 'no room' } },
    'patch',
    ['error-condition'],
  ],
  ['it may run as a task', {}, { task: true }, 'minor', ['task-allowed']],
  ['it must run as a task', {}, { task: 'required' }, 'major', ['task-required']],
  ['it must run as a task and might before', { task: true }, { task: 'required' }, 'major', ['task-required']],
  ['it need not run as a task any more', { task: 'required' }, { task: true }, 'minor', ['task-optional']],
  ['it runs as a task no more', { task: true }, {}, 'major', ['task-refused']],
  ['a shorter timeout', {}, { timeout: 1000 }, 'minor', ['timeout-shortened']],
  ['a longer timeout', {}, { timeout: 60_000 }, 'patch', ['timeout-lengthened']],
  ['a limit added', {}, { limit: { calls: 5, per_ms: 1000 } }, 'minor', ['limit-tightened']],
  [
    'a limit tightened',
    { limit: { calls: 5, per_ms: 1000 } },
    { limit: { calls: 5, per_ms: 2000 } },
    'minor',
    ['limit-tightened'],
  ],
  [
    'a limit loosened',
    { limit: { calls: 5, per_ms: 1000 } },
    { limit: { calls: 9, per_ms: 1000 } },
    'patch',
    ['limit-loosened'],
  ],
  ['a limit removed', { limit: { calls: 5, per_ms: 1000 } }, {}, 'patch', ['limit-loosened']],
  ['how long the definition may be kept', {}, { cacheTtl: 10 }, 'patch', ['cache-ttl']],
  ['a deprecation', {}, { deprecatedIn: '1.1.0', replacedBy: 'shop.pay_back' }, 'minor', ['deprecated', 'replaced-by']],
  ['a deprecation withdrawn', { deprecatedIn: '1.0.0' }, {}, 'patch', ['undeprecated']],
  [
    'a parameter deprecated',
    parameter(string),
    parameter({ type: 'string', deprecated: true }),
    'minor',
    ['parameter-deprecated'],
  ],
  [
    'an output field deprecated',
    field(string),
    field({ type: 'string', deprecated: true }),
    'minor',
    ['output-field-deprecated'],
  ],
  [
    'a parameter that is no longer deprecated',
    parameter({ type: 'string', deprecated: true }),
    parameter(string),
    'patch',
    ['deprecation-withdrawn'],
  ],
  [
    'a parameter that becomes secret',
    parameter(string),
    parameter({ type: 'string', 'x-secret': true }),
    'patch',
    ['secret-on'],
  ],
  [
    'a parameter that is no longer secret',
    parameter({ type: 'string', 'x-secret': true }),
    parameter(string),
    'major',
    ['secret-off'],
  ],
  [
    'a parameter that must stand in a header',
    parameter(string),
    parameter({ type: 'string', 'x-mcp-header': 'Region' }),
    'major',
    ['header-changed'],
  ],
  [
    'an encoding',
    parameter({ type: 'string', contentEncoding: 'base64' }),
    parameter({ type: 'string', contentEncoding: 'base16' }),
    'major',
    ['content-changed'],
  ],
  ['a description', {}, { description: 'Pays back.' }, 'patch', ['description-changed']],
  ['a title', {}, { title: 'Refund' }, 'patch', ['title-changed']],
  ['the words on security', {}, { security: 'Needs a scope.' }, 'patch', ['security-changed']],
  ['an example', {}, { examples: [{ arguments: {} }] }, 'patch', ['examples-changed']],
  [
    'the description of a parameter',
    takes(z.string()),
    takes(z.string().describe('How much.')),
    'patch',
    ['schema-words'],
  ],
  [
    'examples in a schema',
    parameter(string),
    parameter({ type: 'string', examples: ['a'] }),
    'patch',
    ['schema-words'],
  ],
  [
    'a keyword nobody knows',
    parameter(string),
    parameter({ type: 'string', 'x-order': 1, type_id: 7 }),
    'patch',
    ['schema-metadata', 'schema-metadata'],
  ],
]

test.each([...PARAMETERS, ...VALUES, ...DEFAULTS, ...OUTPUT, ...BEHAVIOUR])(
  '%s',
  (_name, before, after, level, kinds) => {
    const comparison = compare(body(before), body(after))
    expect(comparison.changes.map(({ kind }) => kind)).toEqual(kinds)
    expect(comparison.level).toBe(level)
  },
)

test('the table has a case for nearly every kind of change, and a reason for all of them', () => {
  const seen = new Set([...PARAMETERS, ...VALUES, ...DEFAULTS, ...OUTPUT, ...BEHAVIOUR].flatMap((one) => one[4]))
  const unseen = Object.keys(CHANGES).filter((kind) => !seen.has(kind as ChangeKind))
  expect(unseen).toEqual([
    'header-removed',
    'output-undecided',
    'output-narrowed',
    'malformed',
    'timeout-changed',
    'metadata',
  ])
  for (const { reason } of Object.values(CHANGES)) expect(reason).toMatch(/^[A-Z].*\.$/)
})
