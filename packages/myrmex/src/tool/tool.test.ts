import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import type { ToolError } from '../protocol/errors.ts'
import { visibleDefinition } from './hash.ts'
import { tool } from './tool.ts'

const itself: { type: 'object'; properties: Record<string, unknown> } = { type: 'object', properties: {} }
itself.properties.me = itself

const good = { ...toolDefaults, name: 'a.b', input: z.object({ n: z.number() }), output: z.object({}), run: () => ({}) }

test('a definition becomes a frozen tool with a hash', () => {
  const made = tool(good)
  expect(made).toMatchObject({ name: 'a.b', module: 'a', timeout: 30_000, cacheTtl: 300 })
  expect(made.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(Object.isFrozen(made)).toBe(true)
})

test('run is typed by the schemas', () => {
  tool({
    ...toolDefaults,
    name: 'a.typed',
    input: z.object({ n: z.number().default(1), s: z.string().optional() }),
    output: z.object({ ok: z.boolean() }),
    run: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ n: number; s?: string | undefined }>()
      return { ok: true }
    },
  })
})

test.each([
  ['a name without a module', { name: 'b' }, /module\.tool/],
  ['a name in upper case', { name: 'A.b' }, /module\.tool/],
  ['the name under which plans are approved', { name: 'run.plan' }, /reserved/],
  ['no semantic version', { version: '1.0' }, /semantic version/],
  ['no description', { description: ' ' }, /description/],
  ['no security', { security: undefined }, /security/],
  ['destructive left open', { destructive: undefined }, /destructive is required/],
  ['keyed that is no answer', { keyed: 'yes' }, /keyed must be true or false/],
  ['an undo that does nothing', { undo: true }, /undo must be a function/],
  ['idempotent left open', { idempotent: 'yes' }, /idempotent is required/],
  ['no input schema', { input: undefined }, /input schema is missing/],
  ['no output schema', { output: undefined }, /output schema is missing/],
  ['an input that is no object', { input: z.string() }, /type object/],
  [
    'null for an output schema',
    { output: null },
    /output must be a schema, 'text' for a text, or z\.null\(\) for a tool without data, not null/,
  ],
  ['a misspelled output', { output: 'txt' }, /'text' for a text, .*not "txt"/],
  [
    'a codec as output',
    {
      output: z.object({
        d: z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: String }),
      }),
    },
    /output schema has a codec \(z\.codec or z\.stringbool\) at \/d\. .* Use .*z\.date\(\)/,
  ],
  [
    'a codec within an output',
    { output: z.object({ l: z.array(z.stringbool().optional()) }) },
    /a codec .* at \/l\/\*/,
  ],
  ['an output that is a list', { output: z.array(z.string()) }, /type object or null.*\{ items: \[…\] \}/],
  ['an output that is a text', { output: z.string() }, /output: 'text'/],
  ['an output that is a number', { output: { type: 'number' } }, /\{ value: … \}/],
  ['a choice with null', { output: z.object({}).nullable() }, /Every choice must be an object/],
  ['a choice as input', { input: z.union([z.object({}), z.object({ n: z.number() })]) }, /anyOf at its root/],
  ['a field nobody knows', { destuctive: true }, /"destuctive" is not a known field\. Did you mean destructive\?/],
  [
    'a field of something else',
    { permissions: [] },
    /"permissions" is not a known field\. Known fields: name, version/,
  ],
  ['no errors', { errors: undefined }, /errors is missing; for none, write \{\}/],
  ['a list of errors', { errors: ['XError'] }, /errors must be an object of error types and conditions/],
  ['an error without a condition', { errors: { XError: 7 } }, /"XError" must have the condition/],
  ['no examples', { examples: undefined }, /examples is missing; for none, write \[\]/],
  ['examples that are no list', { examples: { arguments: {} } }, /examples must be a list/],
  ['an example without arguments', { examples: [{ data: {} }] }, /examples\[0\]\.arguments must be an object/],
  ['an example with a misspelled field', { examples: [{ arguments: {}, dta: {} }] }, /"dta" .* Did you mean data\?/],
  ['an example that is no JSON', { examples: [{ arguments: { n: 1n } }] }, /bigint \(at \/examples\/0\/arguments\/n\)/],
  [
    'a limit of no calls',
    { limit: { calls: 0, per_ms: 1000 } },
    /limit\.calls must be a whole number of at least 1, not 0/,
  ],
  ['a limit of -1', { limit: { calls: -1, per_ms: 1000 } }, /limit\.calls .*not -1/],
  ['a limit that is no number', { limit: { calls: Number.NaN, per_ms: 1000 } }, /limit\.calls .*not NaN/],
  ['a limit of half a call', { limit: { calls: 0.5, per_ms: 1000 } }, /limit\.calls .*not 0\.5/],
  ['a limit without a time', { limit: { calls: 5 } }, /limit\.per_ms must be a number of milliseconds above 0/],
  ['a limit in no time', { limit: { calls: 5, per_ms: 0 } }, /limit\.per_ms .*not 0/],
  ['a misspelled limit', { limit: { calls: 5, perMs: 5 } }, /"perMs" is not a known field\. Did you mean per_ms\?/],
  ['a timeout that is no number', { timeout: Number.NaN }, /timeout must be a number of milliseconds .*not NaN/],
  ['a timeout without end', { timeout: Number.POSITIVE_INFINITY }, /timeout .*not Infinity/],
  ['a timeout in words', { timeout: '5s' }, /timeout .*not "5s"/],
  ['a cacheTtl below 0', { cacheTtl: -1 }, /cacheTtl must be a number of seconds from 0/],
  ['a task that is no word for it', { task: 'always' }, /task must be true, false, "required", "later", not "always"/],
  ['an ask that is no function', { ask: {} }, /ask must be a function/],
  ['a title that is no text', { title: 5 }, /title must be a text, not 5/],
  ['openWorld that is no answer', { openWorld: 'yes' }, /openWorld must be true or false/],
  ['an icon without a source', { icons: [{ sizes: ['48x48'] }] }, /icons\[0\]\.src must be an http, https or data URL/],
  ['an icon that is a script', { icons: [{ src: 'javascript:alert(1)' }] }, /icons\[0\]\.src/],
  ['an icon of an odd size', { icons: [{ src: 'https://a.example/i.png', sizes: '48x48' }] }, /icons\[0\]\.sizes/],
  ['an icon for a theme of its own', { icons: [{ src: 'data:,x', theme: 'blue' }] }, /theme must be "light" or "dark"/],
  ['meta that is no object', { meta: ['x'] }, /meta must be an object/],
  ['meta of ours', { meta: { 'myrmex/name': 'other.tool' } }, /"myrmex\/name", which is reserved for Myrmex/],
  ['meta of MCP', { meta: { 'io.modelcontextprotocol/x': 1 } }, /reserved for MCP/],
  ['meta of MCP in another form', { meta: { 'tools.mcp.com/x': 1 } }, /reserved for MCP/],
  ['meta with a key of MCP', { meta: { progressToken: 1 } }, /reserved for MCP/],
  ['meta with an odd key', { meta: { 'a b/c': 1 } }, /meta has the key "a b\/c"\. A key is a name/],
  ['meta with __proto__', { meta: JSON.parse('{"__proto__":1}') }, /"__proto__"/],
  ['meta that is no JSON', { meta: { 'a.example/n': 1n } }, /bigint/],
  [
    'a schema that is no JSON Schema',
    { input: { type: 'object', properties: { a: { type: 'strnig' } } } },
    /the input schema is not valid: \/properties\/a\/type must be one of/,
  ],
  ['a schema with code in it', { output: { type: 'object', check: () => true } }, /a function \(at \/output\/check\)/],
  ['a schema that contains itself', { output: itself }, /a cycle \(at \/output\/properties\/me\)/],
  ['something else for a schema', { input: 'object' }, /input schema must be a Zod schema, a Standard Schema/],
  [
    'a date as input',
    { input: z.object({ at: z.date() }) },
    /z\.date\(\).* at \/at\. Callers send texts: use z\.coerce\.date\(\)/,
  ],
  ['a date within a list', { input: z.object({ at: z.array(z.date()) }) }, /at \/at\/\*/],
  ['a file as input', { input: z.object({ file: z.file() }) }, /z\.file\(\).* at \/file/],
  ['a file as output', { output: z.object({ file: z.file() }) }, /z\.file\(\)/],
  ['a literal bigint', { input: z.object({ n: z.literal(1n) }) }, /a bigint.* at \/n/],
  [
    'an async refinement',
    { input: z.object({ n: z.number().refine(async () => true) }) },
    /answers later .* at \/n\. Move that into run/,
  ],
  [
    'an async refinement of the whole',
    { input: z.object({}).refine(async () => true) },
    /answers later .* at its root/,
  ],
  ['an async check', { input: z.object({ n: z.number().check(async () => {}) }) }, /answers later/],
  ['an async transform', { input: z.object({ n: z.string().transform(async () => 1) }) }, /answers later/],
  ['an async output', { output: z.object({ n: z.string().transform(async () => 1) }) }, /output schema answers later/],
  ['no run', { run: undefined }, /run is missing/],
  ['deprecated in no version', { deprecatedIn: 'soon' }, /deprecatedIn "soon" is not a semantic version/],
  ['a replacement and no deprecation', { replacedBy: 'a.c' }, /since which version/],
  ['a timeout of nothing', { timeout: 0 }, /timeout/],
  ['x-mcp-header on a number', { input: z.object({ n: z.number().meta({ 'x-mcp-header': 'N' }) }) }, /x-mcp-header/],
  ['x-mcp-header with a space', { input: z.object({ n: z.string().meta({ 'x-mcp-header': 'a b' }) }) }, /header name/],
  ['x-mcp-header in a list', { input: z.object({ n: z.array(z.string().meta({ 'x-mcp-header': 'N' })) }) }, /reached/],
])('is refused with %s', (_why, change, message) => {
  try {
    tool({ ...good, ...change } as unknown as typeof good)
    expect.unreachable()
  } catch (error) {
    expect((error as ToolError).error_type).toBe('RegistrationError')
    expect((error as ToolError).message).toMatch(message)
  }
})

test('everything that is wrong is in one error', () => {
  const bare = { name: 'Shop', destructive: 'yes', limit: { calls: 0 }, input: { type: 'objct' }, colour: 'red' }
  try {
    tool(bare as unknown as typeof good)
    expect.unreachable()
  } catch (error) {
    const { message, error_type, error_details } = error as ToolError
    expect(error_type).toBe('RegistrationError')
    const { faults } = error_details as { faults: string[] }
    expect(message).toMatch(new RegExp(`^tool "Shop" has ${faults.length} faults: `))
    const fields = ['colour', 'a name is', 'version', 'description', 'security', 'idempotent', 'destructive', 'run']
    for (const field of [...fields, 'errors', 'examples', 'limit.calls', 'limit.per_ms', '/type', 'output schema'])
      expect(
        faults.filter((fault) => fault.includes(field)),
        field,
      ).not.toEqual([])
  }
})

const registrationError = (definition: object): ToolError => {
  try {
    tool(definition as never)
  } catch (error) {
    return error as ToolError
  }
  return expect.unreachable()
}

test('a list that is cut has one fault of each kind, and says how many there are', () => {
  const far = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`zzz${index}qqq`, 1]))
  const bad = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, { type: 'x' }]))
  const { run: _, ...unfinished } = good
  const examples = Array.from({ length: 40 }, () => ({}))
  const output = z.object(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`o${index}`, z.bigint()])))
  const input = { type: 'object', properties: bad }
  const { message } = registrationError({ ...unfinished, ...far, examples, input, output })
  expect(message).toMatch(/^tool "a\.b" has 5096 faults: /)
  for (const part of ['"zzz0qqq"', 'run is missing', 'examples[0]', '/properties/p0/type', 'z.bigint()'])
    expect(message).toContain(part)
  expect(message).toMatch(/; and 50\d\d more$/)
  expect(message.length).toBeLessThan(6000)
})

test('a schema with many faults counts each of them', () => {
  const shape = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`o${index}`, z.bigint()]))
  expect(registrationError({ ...good, output: z.object(shape) }).message).toMatch(/has 25 faults: .*; and 5 more$/)
})

test.each([undefined, null, 5, 'a.b', []])('%j is no definition', (value) => {
  expect(() => tool(value as never)).toThrow(/tool\(\) takes a definition: an object with its fields/)
})

test('a tool is no definition of another one', () => {
  expect(() => tool({ ...tool(good), version: '2.0.0' } as never)).toThrow(/^tool "a\.b" is made already/)
})

test('schemas that convert what callers send are accepted', () => {
  const input = z.object({
    at: z.coerce.date(),
    when: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
    day: z.preprocess((text) => new Date(String(text)), z.date()),
    big: z.string().transform((text) => BigInt(text)),
  })
  expect(
    tool({ ...good, input }).input.parse({ at: '2026-01-01', when: '2026-01-01T00:00:00Z', day: 'x', big: '1' }),
  ).toMatchObject({ success: false, issues: [{ path: '/day' }] })
})

test('a tool without promises has the hash that it had before there were any', () => {
  const { hash } = tool(good)
  expect(tool({ ...good, keyed: false }).hash).toBe(hash)
  expect(Object.keys(visibleDefinition(tool(good)))).not.toEqual(expect.arrayContaining(['keyed']))
  expect(tool({ ...good, undo: () => {} }).hash).toBe(tool({ ...good, undo: async () => {} }).hash)
})

test('the hash covers everything a caller can see, and nothing else', () => {
  const { hash } = tool(good)
  expect(tool({ ...good, run: async () => ({}) }).hash).toBe(hash)
  expect(tool({ ...good, input: z.object({ n: z.number() }) }).hash).toBe(hash)
  for (const change of [
    { version: '1.0.1' },
    { title: 'B' },
    { description: 'Other.' },
    { security: 'Other.' },
    { destructive: true },
    { idempotent: false },
    { errors: { XError: 'when x' } },
    { examples: [{ arguments: { n: 1 } }] },
    { input: z.object({ n: z.number().min(0) }) },
    { output: z.object({ x: z.string() }) },
    { deprecatedIn: '1.0.0' },
    { timeout: 5 },
    { keyed: true },
    { undo: () => {} },
  ]) {
    expect(tool({ ...good, ...change } as unknown as typeof good).hash, JSON.stringify(change)).not.toBe(hash)
  }
})
