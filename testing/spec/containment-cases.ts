/** The table of named cases for containment: first schema, second schema, the verdict that is right. Used by tests only. */
import * as z from 'zod'

export type Verdict = 'contained' | 'not contained' | 'undecided'
export type Case = readonly [name: string, narrow: unknown, wide: unknown, verdict: Verdict]

const YES = 'contained'
const NO = 'not contained'
const OPEN = 'undecided'

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })
const closed = (properties: object, more: object = {}): object =>
  object(properties, { additionalProperties: false, ...more })
const text = { type: 'string' }
const whole = { type: 'integer' }
const number = { type: 'number' }
const json = (schema: z.ZodType, io: 'input' | 'output' = 'output'): object => z.toJSONSchema(schema, { io })

/** Written as pairs: an object with a `then` looks like a promise. */
const ifThen = (test: object, then: object, otherwise?: object): object =>
  Object.fromEntries([['if', test], ['then', then], ...(otherwise === undefined ? [] : [['else', otherwise]])])

const tree = (value: object, more: object = {}): object => ({
  $ref: '#/$defs/tree',
  $defs: { tree: object({ value, children: { type: 'array', items: { $ref: '#/$defs/tree' } } }, more) },
})
const chain = (value: object, end: object): object => ({
  $ref: '#/$defs/link',
  $defs: { link: { anyOf: [closed({ value, next: { $ref: '#/$defs/link' } }, { required: ['value', 'next'] }), end] } },
})

/** a is b within x, or has a z; b is a within y */
const WITHIN = {
  a: { anyOf: [object({ x: { $ref: '#/$defs/b' } }, { required: ['x'] }), object({}, { required: ['z'] })] },
  b: object({ y: { $ref: '#/$defs/a' } }, { required: ['y'] }),
}

const Cat = z.object({ kind: z.literal('cat'), lives: z.int().min(0).max(9) })
const Dog = z.object({ kind: z.literal('dog'), name: z.string() })
const Fish = z.object({ kind: z.literal('fish') })
const Order = z.object({
  id: z.uuid(),
  email: z.email().optional(),
  items: z.array(z.object({ sku: z.string().min(1), count: z.int().positive() })).min(1),
})
const draft07 = (schema: object): object => ({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  types: [
    ['everything in everything', {}, true, YES],
    ['nothing in anything', false, text, YES],
    ['everything in nothing', true, false, NO],
    ['nothing in nothing', false, false, YES],
    ['integer in number', whole, number, YES],
    ['number in integer', number, whole, NO],
    ['1.0 is an integer', { const: 1.0 }, whole, YES],
    ['1.5 is none', { const: 1.5 }, whole, NO],
    ['one type in a list of types', text, { type: ['string', 'null'] }, YES],
    ['a list of types in one of them', { type: ['string', 'null'] }, text, NO],
    ['a list of types in another order', { type: ['null', 'integer'] }, { type: ['integer', 'null'] }, YES],
    ['nullable written as a list and as anyOf', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }, YES],
    ['nullable written as anyOf and as a list', { anyOf: [text, { type: 'null' }] }, { type: ['string', 'null'] }, YES],
    ['nullable as OpenAPI writes it', { type: 'string', nullable: true }, { type: ['string', 'null'] }, YES],
    [
      'all types together are everything',
      {},
      { type: ['null', 'boolean', 'number', 'string', 'array', 'object'] },
      YES,
    ],
    ['all types but one are not', {}, { type: ['null', 'boolean', 'number', 'string', 'array'] }, NO],
    [
      'annotations change nothing',
      { ...text, title: 'a', default: 'b', examples: ['c'], 'x-secret': true },
      { ...text, deprecated: true },
      YES,
    ],
    ['rules for other types change nothing', { ...text, minimum: 5 }, { ...text, maxItems: 2 }, YES],
  ],
  'enum and const': [
    ['const in enum', { const: 'a' }, { enum: ['a', 'b'] }, YES],
    ['enum in const', { enum: ['a', 'b'] }, { const: 'a' }, NO],
    ['enum of one in const', { enum: ['a'] }, { const: 'a' }, YES],
    ['enum in another order', { enum: [1, 'a', null] }, { enum: [null, 1, 'a', true] }, YES],
    ['a value taken from enum', { enum: ['a', 'b'] }, { enum: ['a'] }, NO],
    ['enum in the type of its values', { enum: ['a', 'b'] }, text, YES],
    ['enum narrowed by a type beside it', { enum: ['a', 1], type: 'string' }, { const: 'a' }, YES],
    ['booleans are true and false', { type: 'boolean' }, { enum: [false, true] }, YES],
    ['objects are equal whatever the order of keys', { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, YES],
    ['lists are not', { const: [1, 2] }, { const: [2, 1] }, NO],
    ['an object in its description', { const: { a: 1 } }, closed({ a: whole }, { required: ['a'] }), YES],
    ['type in an enum', text, { enum: ['a', 'b'] }, NO],
    ['whole numbers in a range, all listed', { ...whole, minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }, YES],
    ['and one left out', { ...whole, minimum: 1, maximum: 4 }, { enum: [1, 2, 3] }, NO],
  ],
  numbers: [
    ['bounds further apart', { ...number, minimum: 1, maximum: 5 }, { ...number, minimum: 0, maximum: 6 }, YES],
    ['bounds closer together', { ...number, minimum: 0 }, { ...number, minimum: 1 }, NO],
    ['open bound in closed', { ...number, exclusiveMinimum: 0 }, { ...number, minimum: 0 }, YES],
    ['closed bound in open', { ...number, minimum: 0 }, { ...number, exclusiveMinimum: 0 }, NO],
    ['whole numbers above 0 start at 1', { ...whole, exclusiveMinimum: 0 }, { ...whole, minimum: 1 }, YES],
    ['whole numbers from 0.5 start at 1', { ...whole, minimum: 0.5 }, { minimum: 1 }, YES],
    ['no number between', { ...whole, exclusiveMinimum: 0, exclusiveMaximum: 1 }, false, YES],
    ['multiples of 6 in those of 3', { ...number, multipleOf: 6 }, { multipleOf: 3 }, YES],
    ['multiples of 3 in those of 6', { ...number, multipleOf: 3 }, { multipleOf: 6 }, NO],
    ['multiples of 2 are whole', { ...number, multipleOf: 2 }, whole, YES],
    ['multiples of 0.5 need not be', { ...number, multipleOf: 0.5 }, whole, NO],
    ['whole numbers are multiples of 0.5', whole, { multipleOf: 0.5 }, YES],
    ['multiples of 0.2 in those of 0.1', { ...number, multipleOf: 0.2 }, { multipleOf: 0.1 }, YES],
    [
      'multiples of 0.1 need not be multiples of 0.01, since division rounds',
      { ...number, multipleOf: 0.1 },
      { multipleOf: 0.01 },
      NO,
    ],
    [
      'multiples of 2 and of 3 in those of 6, within bounds',
      { ...whole, minimum: 0, maximum: 100, allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
      { multipleOf: 6 },
      YES,
    ],
    ['int32 in integer', { ...number, format: 'int32' }, { ...whole, minimum: -2147483648, maximum: 2147483647 }, YES],
    ['integer in int32', whole, { format: 'int32' }, NO],
    [
      'ranges that cover together',
      { ...whole, minimum: 0, maximum: 10 },
      { anyOf: [{ maximum: 5 }, { minimum: 6 }] },
      YES,
    ],
    [
      'ranges of numbers that leave a gap',
      { ...number, minimum: 0, maximum: 10 },
      { anyOf: [{ maximum: 5 }, { minimum: 6 }] },
      NO,
    ],
  ],
  texts: [
    ['longer in shorter', { ...text, minLength: 2, maxLength: 4 }, { ...text, minLength: 1, maxLength: 5 }, YES],
    ['shorter in longer', { ...text, minLength: 1 }, { ...text, minLength: 2 }, NO],
    ['no length at all', { ...text, minLength: 3, maxLength: 2 }, false, YES],
    ['the empty text is the only one of no length', { ...text, maxLength: 0 }, { const: '' }, YES],
    ['a character beyond 16 bits counts once', { const: '😀' }, { maxLength: 1 }, YES],
    ['equal patterns', { ...text, pattern: '^a' }, { ...text, pattern: '^a' }, YES],
    ['a pattern in none', { ...text, pattern: '^a' }, text, YES],
    ['none in a pattern', text, { ...text, pattern: '^a' }, NO],
    ['other patterns, told apart by a text', { ...text, pattern: '^[a-z]+$' }, { ...text, pattern: '^[a-c]+$' }, NO],
    ['other patterns that nothing tells apart', { ...text, pattern: '^a$' }, { ...text, pattern: '^(a|b)$' }, OPEN],
    ['listed texts in a pattern', { enum: ['ab', 'ac'] }, { pattern: '^a' }, YES],
    ['the length that a pattern has', { ...text, pattern: '^[A-Z]{3}$' }, { ...text, minLength: 3, maxLength: 3 }, YES],
    ['a pattern with no end has none', { ...text, pattern: '^[A-Z]{3}' }, { ...text, maxLength: 3 }, NO],
    ['equal formats', { ...text, format: 'email' }, { ...text, format: 'email' }, YES],
    ['a format in none', { ...text, format: 'date' }, text, YES],
    ['none in a format', text, { ...text, format: 'date' }, NO],
    ['one format in another', { ...text, format: 'date' }, { ...text, format: 'email' }, NO],
    ['a format that is not known is none', text, { ...text, format: 'colour' }, YES],
    ['a listed text in a format', { const: '2024-02-29' }, { format: 'date' }, YES],
    ['a day that does not exist', { const: '2023-02-29' }, { format: 'date' }, NO],
  ],
  objects: [
    ['closed in open', closed({ a: text }), object({ a: text }), YES],
    ['open in closed', object({ a: text }), closed({ a: text }), NO],
    ['an optional member added to a closed object', closed({ a: text }), closed({ a: text, b: whole }), YES],
    [
      'an optional member added to an open object, whose values could be anything',
      object({ a: text }),
      object({ a: text, b: whole }),
      NO,
    ],
    ['an optional member of any kind added to an open object', object({ a: text }), object({ a: text, b: {} }), YES],
    ['a member taken from an open object', object({ a: text, b: whole }), object({ a: text }), YES],
    ['a member taken from a closed object', closed({ a: text, b: whole }), closed({ a: text }), NO],
    ['required in optional', object({ a: text }, { required: ['a'] }), object({ a: text }), YES],
    ['optional in required', object({ a: text }), object({ a: text }, { required: ['a'] }), NO],
    ['a member that may not be is optional', closed({ a: false, b: text }), closed({ b: text }), YES],
    ['a member required and forbidden', closed({}, { required: ['a'] }), false, YES],
    [
      'other members of a type',
      object({}, { additionalProperties: whole }),
      object({}, { additionalProperties: number }),
      YES,
    ],
    [
      'other members of a narrower type',
      object({}, { additionalProperties: number }),
      object({}, { additionalProperties: whole }),
      NO,
    ],
    [
      'a named member within the rule for others',
      closed({ a: whole }),
      object({}, { additionalProperties: number }),
      YES,
    ],
    ['patterns for keys', { patternProperties: { '^x-': whole } }, { patternProperties: { '^x-': number } }, YES],
    [
      'patterns for keys that overlap',
      { type: 'object', patternProperties: { '^a': number, b$: whole } },
      object({ ab: whole, ac: number }),
      YES,
    ],
    [
      'and do not where it matters',
      { type: 'object', patternProperties: { '^a': number, b$: whole } },
      object({ ac: whole }),
      NO,
    ],
    [
      'a pattern beside closed members',
      { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false },
      object({}, { additionalProperties: false }),
      NO,
    ],
    ['names that are listed', { type: 'object', propertyNames: { enum: ['a', 'b'] } }, closed({ a: {}, b: {} }), YES],
    ['closed members in names that are listed', closed({ a: text }), { propertyNames: { enum: ['a', 'b'] } }, YES],
    ['names of a length', { type: 'object', propertyNames: { maxLength: 2 } }, { propertyNames: { maxLength: 1 } }, NO],
    ['as many members as are required', object({}, { required: ['a', 'b'] }), { minProperties: 2 }, YES],
    ['no more members than there are names', closed({ a: text, b: text }), { maxProperties: 2 }, YES],
    ['more members than allowed', object({ a: text }), { maxProperties: 2 }, NO],
    [
      'unevaluatedProperties with allOf',
      { allOf: [{ properties: { a: text } }], properties: { b: whole }, unevaluatedProperties: false },
      closed({ a: text, b: whole }),
      NO,
    ],
    [
      'the same with a type',
      { type: 'object', allOf: [object({ a: text })], properties: { b: whole }, unevaluatedProperties: false },
      closed({ a: text, b: whole }),
      YES,
    ],
    [
      'unevaluatedProperties through a reference',
      { $ref: '#/$defs/a', unevaluatedProperties: false, $defs: { a: object({ a: text }) } },
      closed({ a: text }),
      YES,
    ],
    [
      'one member needs another',
      object({}, { dependentRequired: { a: ['b'] }, required: ['a'] }),
      object({}, { required: ['b'] }),
      YES,
    ],
    ['a need dropped', object({}, { dependentRequired: { a: ['b'] } }), object({}), YES],
    ['a need added', object({}), object({}, { dependentRequired: { a: ['b'] } }), NO],
    [
      'a schema that depends on a member',
      { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
      { dependentRequired: { a: ['b'] } },
      YES,
    ],
    [
      'a name that every object inherits',
      object({ toString: text }),
      object({ toString: { type: ['string', 'null'] } }),
      YES,
    ],
  ],
  lists: [
    ['items of a narrower type', { type: 'array', items: whole }, { type: 'array', items: number }, YES],
    ['items of a wider type', { type: 'array', items: number }, { type: 'array', items: whole }, NO],
    [
      'a tuple in a list',
      { type: 'array', prefixItems: [whole, number], items: false },
      { type: 'array', items: number },
      YES,
    ],
    [
      'a list in a tuple',
      { type: 'array', items: number },
      { type: 'array', prefixItems: [number, number], items: false },
      NO,
    ],
    [
      'a short list in a tuple',
      { type: 'array', items: number, maxItems: 2 },
      { type: 'array', prefixItems: [number, number], items: false },
      YES,
    ],
    [
      'a tuple whose places may be missing',
      { type: 'array', prefixItems: [text], items: false },
      { type: 'array', minItems: 1 },
      NO,
    ],
    ['a place that nothing fits ends the list', { type: 'array', prefixItems: [text, false] }, { maxItems: 1 }, YES],
    ['items of no kind leave the empty list', { type: 'array', items: false }, { const: [] }, YES],
    ['fewer items', { type: 'array', minItems: 2, maxItems: 3 }, { type: 'array', minItems: 1 }, YES],
    ['unique in any', { type: 'array', uniqueItems: true }, { type: 'array' }, YES],
    ['any in unique', { type: 'array', items: text }, { type: 'array', uniqueItems: true }, NO],
    ['one item is unique', { type: 'array', maxItems: 1 }, { uniqueItems: true }, YES],
    [
      'there are two different booleans',
      { type: 'array', items: { type: 'boolean' }, uniqueItems: true },
      { maxItems: 2 },
      YES,
    ],
    ['and two may be there', { type: 'array', items: { type: 'boolean' }, uniqueItems: true }, { maxItems: 1 }, NO],
    [
      'a tuple of different constants is unique',
      { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: false },
      { uniqueItems: true },
      YES,
    ],
    ['contains a narrower thing', { type: 'array', contains: { const: 1 } }, { contains: whole }, YES],
    ['contains a wider thing', { type: 'array', contains: whole }, { contains: { const: 1 } }, NO],
    ['what is contained means one item at least', { type: 'array', contains: whole }, { minItems: 1 }, YES],
    ['two contained in one', { type: 'array', contains: whole, minContains: 2 }, { contains: whole }, YES],
    [
      'at most two contained',
      { type: 'array', contains: whole, maxContains: 2 },
      { contains: whole, maxContains: 1 },
      NO,
    ],
    ['a list that contains none of a kind', { type: 'array', not: { contains: text } }, { items: { not: text } }, YES],
    ['items all of a kind contain it', { type: 'array', items: whole, minItems: 1 }, { contains: number }, YES],
  ],
  'joined schemas': [
    ['allOf in its parts', { allOf: [{ minimum: 1 }, { maximum: 5 }] }, { minimum: 0 }, YES],
    ['parts in allOf', { minimum: 1 }, { allOf: [{ minimum: 1 }, { maximum: 5 }] }, NO],
    ['a branch in anyOf', text, { anyOf: [text, whole] }, YES],
    ['anyOf in a branch', { anyOf: [text, whole] }, text, NO],
    [
      'anyOf that covers by constants',
      { type: 'object', properties: { a: { enum: [1, 2] } }, required: ['a'] },
      { anyOf: [object({ a: { const: 1 } }), object({ a: { const: 2 } })] },
      YES,
    ],
    ['oneOf in anyOf', { oneOf: [text, whole] }, { anyOf: [text, whole] }, YES],
    ['anyOf in oneOf where branches overlap', { anyOf: [whole, number] }, { oneOf: [whole, number] }, NO],
    ['anyOf in oneOf where they do not', { anyOf: [whole, text] }, { oneOf: [text, whole] }, YES],
    ['not a type', { not: text }, { type: ['null', 'boolean', 'number', 'array', 'object'] }, YES],
    ['not not', { not: { not: text } }, text, YES],
    ['not of what is out of reach', whole, { not: text }, YES],
    ['not of what is within reach', whole, { not: { const: 3 } }, NO],
    ['if and then', ifThen(text, { minLength: 1 }), { minLength: 1 }, YES],
    [
      'if as the choice that it is',
      ifThen(text, { minLength: 1 }, whole),
      { anyOf: [{ type: 'string', minLength: 1 }, whole] },
      YES,
    ],
    ['else forgotten', ifThen(text, { minLength: 1 }), { anyOf: [{ type: 'string', minLength: 1 }, whole] }, NO],
    ['a contradiction in everything', { allOf: [text, whole] }, { const: 1 }, YES],
    [
      'unevaluatedProperties beside a choice',
      { anyOf: [object({ a: text }), object({ b: text })], unevaluatedProperties: false },
      { not: { required: ['c'] } },
      OPEN,
    ],
  ],
  references: [
    ['a reference in what it leads to', { $ref: '#/$defs/a', $defs: { a: whole } }, number, YES],
    ['rules beside a reference count', { $ref: '#/$defs/a', minimum: 1, $defs: { a: whole } }, { minimum: 1 }, YES],
    ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here', type: 'integer' } } }, number, YES],
    ['a tree in a wider tree', tree(whole), tree(number), YES],
    ['a tree in a narrower tree', tree(number), tree(whole), NO],
    ['a tree in one with a member more required', tree(whole), tree(whole, { required: ['value'] }), NO],
    [
      'a chain in a chain with more ends',
      chain(whole, { type: 'null' }),
      chain(number, { type: ['null', 'boolean'] }),
      YES,
    ],
    ['a chain that never ends has no values', chain(whole, false as unknown as object), { const: 1 }, YES],
    [
      'two trees that refer to each other',
      {
        $ref: '#/$defs/a',
        $defs: { a: closed({ b: { $ref: '#/$defs/b' } }), b: closed({ a: { $ref: '#/$defs/a' } }) },
      },
      { type: 'object' },
      YES,
    ],
    [
      'what is empty only within itself is not empty elsewhere, asked the other way round',
      object({ p: { $ref: '#/$defs/a' }, q: { $ref: '#/$defs/b' } }, { required: ['q', 'p'], $defs: WITHIN }),
      { required: ['r'] },
      NO,
    ],
    [
      'what is empty only within itself is not empty elsewhere',
      object({ p: { $ref: '#/$defs/a' }, q: { $ref: '#/$defs/b' } }, { required: ['p', 'q'], $defs: WITHIN }),
      { required: ['r'] },
      NO,
    ],
    ['a reference out of the schema', { $ref: 'other.json' }, text, OPEN],
    ['$dynamicRef', { $dynamicRef: '#a' }, text, OPEN],
  ],
  'draft-07': [
    ['definitions', draft07({ $ref: '#/definitions/a', definitions: { a: whole } }), number, YES],
    [
      'a tuple written as items',
      draft07({ type: 'array', items: [whole, text], additionalItems: false }),
      { type: 'array', prefixItems: [number, text], items: false },
      YES,
    ],
    [
      'and the rest of it',
      draft07({ type: 'array', items: [whole], additionalItems: text }),
      { type: 'array', prefixItems: [whole], items: whole },
      NO,
    ],
    [
      'prefixItems says nothing there',
      draft07({ type: 'array', prefixItems: [whole] }),
      { type: 'array', prefixItems: [whole] },
      NO,
    ],
    [
      'dependencies',
      draft07({ type: 'object', dependencies: { a: ['b'], c: { required: ['d'] } } }),
      { dependentRequired: { a: ['b'], c: ['d'] } },
      YES,
    ],
    ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, {}, OPEN],
  ],
  Zod: [
    ['an order in itself with a field more', json(Order), json(Order.extend({ note: z.string().optional() })), YES],
    ['an order with a field required', json(Order), json(Order.required()), NO],
    [
      'an order with a bound loosened',
      json(Order),
      json(Order.extend({ items: z.array(z.object({ sku: z.string(), count: z.int() })) })),
      YES,
    ],
    [
      'a union of two in a union of three',
      json(z.discriminatedUnion('kind', [Cat, Dog])),
      json(z.discriminatedUnion('kind', [Dog, Fish, Cat])),
      YES,
    ],
    [
      'a union of three in a union of two',
      json(z.discriminatedUnion('kind', [Cat, Dog, Fish])),
      json(z.discriminatedUnion('kind', [Cat, Dog])),
      NO,
    ],
    [
      'a union with one branch narrowed',
      json(z.discriminatedUnion('kind', [Cat, Dog])),
      json(z.discriminatedUnion('kind', [Cat.extend({ lives: z.int().min(1).max(9) }), Dog])),
      NO,
    ],
    [
      'a union in one with discriminated branches merged',
      json(z.discriminatedUnion('kind', [Fish, Dog])),
      json(z.union([Dog, z.object({ kind: z.enum(['fish', 'bird']) })])),
      YES,
    ],
    [
      'an optional field in a nullish one',
      json(z.object({ a: z.string().optional() })),
      json(z.object({ a: z.string().nullish() })),
      YES,
    ],
    [
      'a nullable field in a plain one',
      json(z.object({ a: z.string().nullable() })),
      json(z.object({ a: z.string() })),
      NO,
    ],
    [
      'a default makes the input optional',
      json(z.object({ a: z.int().default(1) }), 'input'),
      json(z.object({ a: z.int() }), 'input'),
      NO,
    ],
    ['and the output is always there', json(z.object({ a: z.int().default(1) })), json(z.object({ a: z.int() })), YES],
    ['strict in loose', json(z.strictObject({ a: z.string() })), json(z.looseObject({ a: z.string() })), YES],
    ['loose in strict', json(z.looseObject({ a: z.string() })), json(z.strictObject({ a: z.string() })), NO],
    ['an enum with a value more', json(z.enum(['a', 'b'])), json(z.enum(['a', 'b', 'c'])), YES],
    ['literals in an enum', json(z.literal(['a', 'b'])), json(z.enum(['b', 'a'])), YES],
    ['an email in a text', json(z.email()), json(z.string()), YES],
    ['a text in an email', json(z.string()), json(z.email()), NO],
    ['a UUID in an email', json(z.uuid()), json(z.email()), NO],
    ['a date and time in itself, described', json(z.iso.datetime()), json(z.iso.datetime().describe('when')), YES],
    ['an address with a port in a web address', json(z.url()), json(z.string().min(1)), YES],
    [
      'a record of listed keys in an object',
      json(z.record(z.enum(['a', 'b']), z.number())),
      json(z.object({ a: z.number(), b: z.number() })),
      YES,
    ],
    ['an object in a record', json(z.object({ a: z.int() })), json(z.record(z.string(), z.number())), YES],
    ['a tuple in a list', json(z.tuple([z.string(), z.string()])), json(z.array(z.string())), YES],
    ['a recursive category', json(category(z.string().min(1))), json(category(z.string())), YES],
    ['and the other way round', json(category(z.string())), json(category(z.string().min(1))), NO],
    ['a small integer in a number', json(z.int32()), json(z.number()), YES],
    [
      'an intersection in one of its parts',
      json(z.intersection(z.looseObject({ a: z.string() }), z.looseObject({ b: z.int() }))),
      json(z.looseObject({ b: z.number() })),
      YES,
    ],
  ],
}

function category(name: z.ZodString): z.ZodType {
  const one: z.ZodType = z.object({
    name,
    get below() {
      return z.array(one)
    },
  })
  return one
}
