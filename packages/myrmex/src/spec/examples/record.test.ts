import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import { answer } from '../../tool/answer.ts'
import type { Module } from '../../tool/discovery/module.ts'
import { scratch } from '../../tool/discovery/scratch.ts'
import { type Tool, type ToolDefinition, tool } from '../../tool/tool.ts'
import { toolBody } from '../../tool/verify/verify-tool.ts'
import { checkFolder } from '../check.ts'
import { definitionOf } from '../definition.ts'
import { readDocument } from '../read.ts'
import { renderDocument } from '../render.ts'
import { documentedResults } from './documented-results.ts'
import { atMoment } from './moment.ts'
import { recordExamples } from './record.ts'

const moduleOf = (tools: Tool[], state?: Module['scratch']): Module => ({
  file: 'test.tools.ts',
  agents: [],
  tools,
  resources: [],
  prompts: [],
  scratch: state,
})

const CLOSED = scratch(() => {})

/** As `spec render` does it. */
async function rendered(module: Module, before?: string): Promise<string> {
  const { recorded } = await recordExamples([module], documentedResults(before))
  return renderDocument(module.tools.map(toolBody), { recorded })
}

/** The findings of `spec check` about the document and its examples. */
async function checked(document: string, module: Module): Promise<string[]> {
  const { findings } = await checkFolder('document.md', document, [module])
  return findings
    .filter(({ rule }) => /^(document|example)/.test(rule))
    .map(({ rule, severity }) => `${severity} ${rule}`)
}

const resultsIn = (document: string): Record<string, unknown>[] =>
  [...documentedResults(document).values()].flat().map((one) => one?.result as never)

const one = (fields: object): Tool =>
  tool({
    ...toolDefaults,
    name: 'test.one',
    input: z.object({ n: z.int() }),
    output: z.object({ value: z.int() }),
    examples: [{ arguments: { n: 2 } }],
    ...fields,
  } as unknown as ToolDefinition)

const double = one({
  run: ({ n }: { n: number }) => answer({ value: n * 2 }, { explanation: `Twice ${n} is ${n * 2}.` }),
})

test('the result of an example is what its call returned, and the document is read back without it', async () => {
  const document = await rendered(moduleOf([double]))
  expect(document).toContain('**Result (from a run; values can differ)**:')
  expect(resultsIn(document)).toEqual([
    { status: 'success', data: { value: 4 }, error: null, explanation: 'Twice 2 is 4.' },
  ])
  const [read] = readDocument(document).tools
  expect(read && definitionOf(read).body).toEqual(toolBody(double))
  expect(await checked(document, moduleOf([double]))).toEqual([])
})

test('a tool of which no example fails shows a real failure, for arguments that break its schema', async () => {
  const document = await rendered(moduleOf([double]))
  expect(document).toContain('This one is for the arguments `{}`:\n\n**Result**:')
  expect(document).toContain('"error_message": "The arguments do not fit test.one: /n: ')
})

/** Everything in it depends on when or where it runs. */
const restless = tool({
  ...toolDefaults,
  name: 'test.restless',
  destructive: true,
  errors: { Full: 'when it is full' },
  input: z.object({ fail: z.boolean().default(false) }),
  output: z.object({
    order_id: z.string(),
    key: z.uuid(),
    created_at: z.iso.datetime(),
    weekday: z.string(),
    hour: z.int(),
    local: z.string(),
    epoch: z.number(),
    folder: z.string(),
    picks: z.array(z.number()),
    steady: z.literal('yes'),
    note: z.string(),
  }),
  examples: [{ arguments: {} }, { arguments: { fail: true }, error: 'Full' }],
  run: ({ fail }) => {
    const now = new Date()
    if (fail)
      throw new ToolError('Full', `Order ${randomUUID()} at ${now.toISOString()} does not fit.`, {
        room: Math.random(),
      })
    return answer(
      {
        order_id: `ord_${randomUUID().slice(0, 8)}`,
        key: randomUUID(),
        created_at: now.toISOString(),
        weekday: now.toLocaleDateString('en', { weekday: 'long' }),
        hour: now.getHours(),
        local: new Date(0).toString(),
        epoch: Date.now(),
        folder: join(store, 'orders'),
        picks: Array.from({ length: 1 + Math.floor(Math.random() * 50) }, () => Math.random()),
        steady: 'yes' as const,
        note: `Created at ${now.toISOString()} in ${store}.`,
      },
      { explanation: `Order ${randomUUID()} was created.` },
    )
  },
})
let store = ''
const state = scratch((folder) => {
  store = folder
  writeFileSync(join(folder, 'orders'), '')
})

test('in a scratch state, times, ids, random values and folders become samples, the same on every day and in every time zone', async () => {
  const module = moduleOf([restless], state)
  const document = await rendered(module)
  const [success, failure] = resultsIn(document)
  expect(success).toMatchObject({
    data: {
      order_id: expect.stringMatching(/^ord_/),
      created_at: '2026-01-31T12:00:00Z',
      weekday: 'Sample weekday',
      local: 'Sample local',
      folder: '/path/to/orders',
      steady: 'yes',
      note: 'Created at 2026-01-31T12:00:00Z in /path/to.',
    },
    explanation: 'Order 123e4567-e89b-42d3-a456-426614174000 was created.',
  })
  expect(failure).toMatchObject({
    error: {
      error_type: 'Full',
      error_message: 'Order 123e4567-e89b-42d3-a456-426614174000 at 2026-01-31T12:00:00Z does not fit.',
    },
  })
  for (const [timeZone, days] of [
    ['UTC', 0],
    ['America/New_York', 97],
    ['Pacific/Auckland', -1234],
  ] as const) {
    await atMoment({ timeZone, ahead: days * 86_400_000 }, async () => {
      expect(await checked(document, module)).toEqual([])
      expect(await rendered(module)).toBe(document)
    })
  }
})

test('without one, times of today become samples too, and the clock is not moved', async () => {
  const seen: number[] = []
  const today = one({
    output: z.object({ day: z.string(), at: z.number() }),
    run: () => {
      seen.push(Date.now())
      return { day: new Date().toISOString().slice(0, 10), at: Date.now() }
    },
  })
  const document = await rendered(moduleOf([today]))
  expect(resultsIn(document)[0]).toMatchObject({ data: { day: '2026-01-31' } })
  expect(Math.max(...seen) - Math.min(...seen)).toBeLessThan(86_400_000)
})

test('a document whose results are no longer true is out of date, and a text around an id is compared too', async () => {
  const greets = (word: string) =>
    one({ output: z.object({ text: z.string() }), run: () => ({ text: `${word} ${randomUUID()}` }) })
  const document = await rendered(moduleOf([greets('Hello')], CLOSED))
  expect(await checked(document, moduleOf([greets('Hello')], CLOSED))).toEqual([])
  expect(await checked(document, moduleOf([greets('Goodbye')], CLOSED))).toEqual(['error document-stale'])
  const again = await rendered(moduleOf([greets('Goodbye')], CLOSED), document)
  expect(await checked(again, moduleOf([greets('Goodbye')], CLOSED))).toEqual([])
})

test('a tool without a scratch state may read what changes: other values are reported, another outcome is an error', async () => {
  const returns = (value: unknown) => one({ output: z.object({ value: z.any() }), run: () => ({ value }) as never })
  const document = await rendered(moduleOf([returns(5)]))
  expect(await checked(document, moduleOf([returns(6)]))).toEqual(['warning example-changed'])
  expect(await checked(document.replace('"value": 5', '"valve": 5'), moduleOf([returns(6)]))).toEqual([
    'error document-stale',
  ])
  expect(await rendered(moduleOf([returns(6)]), document)).toContain('"value": 6')
})

test('a coin falls on one side in two throws, and the document stays true', async () => {
  let throws = 0
  // Heads twice, then both sides in turn.
  const coin = one({
    output: z.object({ heads: z.boolean() }),
    run: () => ({ heads: throws++ < 2 || throws % 2 === 0 }) as never,
  })
  const module = moduleOf([coin], CLOSED)
  const document = await rendered(module)
  expect(resultsIn(document)[0]).toMatchObject({ data: { heads: true } })
  for (let times = 0; times < 5; times++) {
    expect(await checked(document, module)).toEqual([])
    expect(await rendered(module, document)).toBe(document)
  }
  const other = document.replace('"heads": true', '"heads": false')
  throws = 0
  expect(await checked(other, module)).toEqual([])
})

test('a promise is shown as it is promised, with the explanation of the call', async () => {
  const promising = one({
    output: z.object({ value: z.int(), unit: z.string().default('pieces') }),
    examples: [{ arguments: { n: 2 }, data: { value: 4 } }],
    run: ({ n }: { n: number }) => answer({ value: n * 2 }, { explanation: 'Counted.' }) as never,
  })
  const document = await rendered(moduleOf([promising]))
  expect(document).toContain('**Result**:')
  expect(resultsIn(document)[0]).toEqual({
    status: 'success',
    data: { value: 4 },
    error: null,
    explanation: 'Counted.',
  })
  const [read] = readDocument(document).tools
  expect(read && definitionOf(read).body).toEqual(toolBody(promising))
})

test('a tool that may not run, or does not do what its example says, shows a sample', async () => {
  const changing = one({ destructive: true, name: 'test.changing', run: () => ({ value: 7 }) as never })
  const failing = one({
    name: 'test.failing',
    run: () => {
      throw ToolError.of('UnavailableError', 'It is down.')
    },
  })
  const document = await rendered(moduleOf([changing, failing]))
  expect(document.match(/\*\*Sample result \(made up from the schema; values differ\)\*\*:/g)).toHaveLength(2)
  expect(resultsIn(document).map(({ data }) => data)).toEqual([{ value: 3 }, { value: 3 }])
})

test('a long result is shortened, says so, stays valid, and is read back', async () => {
  const long = one({
    output: z.object({ rows: z.array(z.object({ id: z.int(), text: z.string() })).min(2), text: z.string() }),
    run: () =>
      ({ rows: Array.from({ length: 500 }, (_, id) => ({ id, text: 'x' })), text: 'word '.repeat(5000) }) as never,
  })
  const module = moduleOf([long], CLOSED)
  const document = await rendered(module)
  expect(document).toContain('**Result (from a run, shortened; values can differ)**:')
  const [{ data } = {}] = resultsIn(document) as { data?: { rows: unknown[]; text: string } }[]
  expect(data?.rows).toHaveLength(20)
  expect(data?.text).toMatch(/…$/)
  expect(JSON.stringify(data).length).toBeLessThan(4000)
  expect(await checked(document, module)).toEqual([])
})

test('a secret is not written to a document, wherever the call returned it', async () => {
  const secret = 'hunter2-hunter2'
  const token = one({
    output: z.object({ token: z.string().meta({ 'x-secret': true }), user: z.string() }),
    run: () => answer({ token: secret, user: 'ada' }, { explanation: `The token is ${secret}.` }),
  })
  const document = await rendered(moduleOf([token]))
  expect(document).not.toContain(secret)
  expect(resultsIn(document)[0]).toMatchObject({ data: { token: '[secret]', user: 'ada' } })
})
