/** The stored form of an outcome, for repeated calls: everything, to the letter, but its secrets. */

import { toolDefaults } from '@myrmex/testing/sample-tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { Registry } from '../tool/registry.ts'
import { tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import { failure, Outcome } from './outcome.ts'
import { Pipeline } from './pipeline.ts'
import { parseOutcome, serialiseOutcome, storableOutcome } from './stored-outcome.ts'

const secret = { 'x-secret': true }

/** A call of a tool with these schemas, as far as the gates need one. */
function callOf(input: z.ZodType, output: z.ZodType, args: unknown): Call {
  const made = tool({ ...toolDefaults, name: 'shop.login', input, output, run: () => ({}) })
  const call = new Pipeline(new Registry([made])).prepare(plainCaller('direct', LOCAL), 'shop.login', args)
  call.input = made.input.parse(args).success ? args : undefined
  return call
}

const open = callOf(z.looseObject({}), z.looseObject({}), {})
const login = (args: object) =>
  callOf(
    z.object({ user: z.string(), password: z.string().meta(secret) }),
    z.object({ token: z.string().meta(secret), note: z.string(), parts: z.looseObject({}).optional() }),
    args,
  )
const ARGS = { user: 'ada', password: 'hunter2"\\quoted' }

const outcomes = fc
  .record({
    status: fc.constantFrom('success', 'partial_success', 'no_change_needed'),
    data: fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: null }),
    explanation: fc.option(fc.string(), { nil: null }),
    text: fc.option(fc.string(), { nil: null }),
  })
  .map(({ status, data, explanation, text }) => {
    const plainly = JSON.parse(JSON.stringify(data))
    return new Outcome(status as 'success', plainly, null, explanation, text === null ? null : [{ type: 'text', text }])
  })

test('an outcome without secrets comes back as it was', () => {
  fc.assert(
    fc.property(outcomes, (outcome) => {
      const back = parseOutcome(serialiseOutcome(open, outcome))
      expect({ ...back.toResult(), content: back.content }).toEqual({ ...outcome.toResult(), content: outcome.content })
    }),
  )
})

test('so does a failure', () => {
  const failed = failure({ error_type: 'FullError', error_message: 'It is full.', error_details: { room: [0] } }, 'why')
  expect(parseOutcome(serialiseOutcome(open, failed)).toResult()).toEqual(failed.toResult())
})

test('secrets of the result are not kept, whatever is around them', () => {
  const data = { token: 'tok-1234', note: 'your token is tok-1234', parts: { deep: [{ token: ['tok-5678'] }] } }
  const kept = serialiseOutcome(
    login(ARGS),
    new Outcome('success', data, null, 'Use tok-1234.', [{ type: 'text', text: 'tok-1234' }]),
  )
  expect(kept).not.toMatch(/tok-/)
  const { status, data: back, explanation, content } = parseOutcome(kept)
  expect(status).toBe('success')
  expect(back).toEqual({ token: '[secret]', note: 'your token is [secret]', parts: { deep: [{ token: '[secret]' }] } })
  expect(explanation).toMatch(/^Use \[secret\]\. .*not kept/)
  expect(content).toBeNull()
})

test('secrets of the arguments are not kept, wherever the tool has put them', () => {
  const { password } = ARGS
  const failed = failure(
    { error_type: 'FullError', error_message: `no ${password}`, error_details: { url: `x:${password}@y`, password } },
    `I tried ${password}.`,
  )
  const kept = serialiseOutcome(login(ARGS), failed)
  expect(kept).not.toContain('hunter2')
  expect(parseOutcome(kept).error).toEqual({
    error_type: 'FullError',
    error_message: 'no [secret]',
    error_details: { url: 'x:[secret]@y', password: '[secret]' },
  })
})

test('neither is what the schema made of them', () => {
  const input = z.object({ password: z.string().trim().meta(secret) })
  const call = callOf(input, z.looseObject({}), { password: '  hunter2  ' })
  call.input = { password: 'hunter2' }
  expect(serialiseOutcome(call, new Outcome('success', { note: 'hunter2' }, null, null, null))).not.toContain('hunter2')
})

test('a result that is secret as a whole leaves only that there was one', () => {
  const call = callOf(z.object({}), z.looseObject({}).meta(secret), {})
  const kept = serialiseOutcome(
    call,
    new Outcome('success', { any: 'tok-1234', thing: { n: 12_345 } }, null, null, null),
  )
  expect(kept).not.toMatch(/tok-1234|12345|thing/)
  expect(parseOutcome(kept)).toMatchObject({ status: 'success', data: {} })
})

const cycle: Record<string, unknown> = {}
cycle.self = cycle

test.each([
  ['a BigInt', { n: 1n }, [open, login(ARGS)]],
  ['a cycle', cycle, [open, login(ARGS)]],
])('an outcome that holds %s cannot be written, and a repeated call learns that', (_what, details, calls) => {
  for (const call of calls) {
    const failed = failure({ error_type: 'FullError', error_message: 'hunter2', error_details: details as never })
    const { outcome, text } = storableOutcome(call, failed)
    expect(outcome.error).toMatchObject({ error_type: 'SerializationError' })
    expect(outcome.error?.error_message).toMatch(/shop\.login ran/)
    expect(parseOutcome(text).toResult()).toMatchObject({
      status: 'failure',
      error: { error_type: 'SerializationError' },
    })
    expect(text).not.toContain('hunter2')
  }
})

test('what is nested too deeply to look for secrets in it is not kept, and the rest is', () => {
  const details = { room: 0, deep: JSON.parse(`${'['.repeat(50_000)}"hunter2\\"\\\\quoted"${']'.repeat(50_000)}`) }
  const failed = failure({ error_type: 'FullError', error_message: 'no', error_details: details })
  const kept = serialiseOutcome(login(ARGS), failed)
  expect(kept).not.toContain('hunter2')
  expect(parseOutcome(kept).error).toMatchObject({ error_type: 'FullError', error_details: { room: 0 } })
})
