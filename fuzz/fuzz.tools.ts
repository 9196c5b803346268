/** The server that the fuzz talks to: a tool, resource or prompt for each way that a request can take through it. Nothing waits long. */
import { setTimeout as wait } from 'node:timers/promises'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { agent, answer, type InputRequests, partial, prompt, resource, ToolError, tool } from 'myrmex'
import * as z from 'zod'

const add = tool({
  ...toolDefaults,
  name: 'fuzz.add',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }, ctx) => {
    ctx.progress(1, 1)
    return { sum: a + b }
  },
})

const echo = tool({
  ...toolDefaults,
  name: 'fuzz.echo',
  input: z.looseObject({ text: z.string(), list: z.array(z.json()).optional(), map: z.json().optional() }),
  output: z.looseObject({}),
  run: async (input, ctx) => {
    ctx.log('info', 'echo')
    return input
  },
})

/** Plain JSON Schema, with what Ajv does differently: defaults, references, formats, a pattern, a secret. */
const order = tool({
  ...toolDefaults,
  name: 'fuzz.order',
  input: {
    type: 'object',
    properties: {
      sku: { type: 'string', pattern: '^[a-z-]{1,40}$' },
      lines: { type: 'array', items: { $ref: '#/$defs/line' }, maxItems: 100, uniqueItems: true },
      token: { type: 'string', 'x-secret': true },
      when: { type: 'string', format: 'date' },
      note: { type: 'string', default: 'none', maxLength: 200 },
    },
    required: ['sku'],
    additionalProperties: false,
    $defs: {
      line: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1 } } },
    },
  },
  output: { type: 'object', properties: { lines: { type: 'integer' } }, required: ['lines'] },
  run: ({ lines }) => ({ lines: Array.isArray(lines) ? lines.length : 0 }),
})

const behave = tool({
  ...toolDefaults,
  name: 'fuzz.behave',
  errors: { FullError: 'when it is full' },
  input: z.object({ how: z.enum(['success', 'partial', 'declared', 'throw', 'badOutput']) }),
  output: z.object({ how: z.string() }),
  run: ({ how }) => {
    if (how === 'partial') return partial({ how }, { explanation: 'Half of it.' })
    if (how === 'declared') throw new ToolError('FullError', 'It is full.')
    if (how === 'throw') throw new Error('password=hunter2')
    return how === 'badOutput' ? ({ how: 1 } as unknown as { how: string }) : answer({ how })
  },
})

/** Changes state: it is not trusted, so that it never runs. */
const remove = tool({
  ...toolDefaults,
  name: 'fuzz.remove',
  destructive: true,
  input: z.object({ id: z.string() }),
  output: z.object({ removed: z.boolean() }),
  run: () => ({ removed: true }),
})

const question = (message: string): InputRequests[string] => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
})

const ask = tool({
  ...toolDefaults,
  name: 'fuzz.ask',
  input: z.object({ question: z.string() }),
  output: z.object({ answer: z.json() }),
  run: async (input, ctx) => {
    const { who } = await ctx.ask({ who: question(input.question) })
    return { answer: (who.content ?? null) as never }
  },
})

const greet = tool({
  ...toolDefaults,
  name: 'fuzz.greet',
  input: z.object({}),
  output: z.object({}),
  ask: () => ({ who: question('Who are you?') }),
  run: () => ({}),
})

const later = tool({
  ...toolDefaults,
  name: 'fuzz.later',
  task: true,
  input: z.object({ ms: z.number() }),
  output: z.object({}),
  run: async ({ ms }, { signal }) => {
    await wait(Math.max(0, Math.min(ms, 5)), undefined, { signal })
    return {}
  },
})

export const text = resource({ uri: 'fuzz://text', name: 'text', description: 'A text.', read: () => 'text' })

export const item = resource({
  uriTemplate: 'fuzz://item/{id}/data',
  name: 'item',
  description: 'An item.',
  complete: { id: (typed: string) => ['41', '42'].filter((id) => id.startsWith(typed)) },
  read: (_, { id }) => JSON.stringify({ id }),
})

export const letter = prompt({
  name: 'letter',
  description: 'A letter.',
  arguments: [
    {
      name: 'to',
      description: 'Who gets it',
      required: true,
      complete: (typed: string) => ['ada', 'alan'].filter((name) => name.startsWith(typed)),
    },
    { name: 'tone', description: 'How it sounds' },
  ],
  get: ({ to, tone }) => `Dear ${to}, ${tone}`,
})

export const fuzz = agent({ name: 'fuzz', tools: [add, echo, order, behave, remove, ask, greet, later] })
