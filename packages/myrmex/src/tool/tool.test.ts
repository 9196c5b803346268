import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import type { ToolError } from '../protocol/errors.ts'
import { visibleDefinition } from './hash.ts'
import { tool } from './tool.ts'

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
  ['an output that is a list', { output: z.array(z.string()) }, /type object or null/],
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
