// The benchmark's tools for our own server: add and echo, or, with BENCH_TOOLS=1000, a thousand small ones. The
// definitions say what those of the peers in ../peers/tools.js say.
import process from 'node:process'
import { tool } from 'myrmex'
import * as z from 'zod'

const plain = { version: '1.0.0', errors: {}, idempotent: true, destructive: false } as const

const pair = () => [
  tool({
    ...plain,
    name: 'bench.add',
    description: 'Add two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    security: 'Pure arithmetic.',
    examples: [{ arguments: { a: 2, b: 3 }, data: { sum: 5 } }],
    run: ({ a, b }) => ({ sum: a + b }),
  }),
  tool({
    ...plain,
    name: 'bench.echo',
    description: 'Give a text back.',
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    security: 'Gives the caller only what it sent.',
    examples: [{ arguments: { text: 'ant' }, data: { text: 'ant' } }],
    run: ({ text }) => ({ text }),
  }),
]

export const smallTool = (name: string, index: number) =>
  tool({
    ...plain,
    name,
    description: `Tool number ${index}: gives the value back.`,
    input: z.object({ value: z.number(), note: z.string().optional() }),
    output: z.object({ value: z.number() }),
    security: 'Gives the caller only what it sent.',
    examples: [{ arguments: { value: index }, data: { value: index } }],
    run: ({ value }) => ({ value }),
  })

const many = (count: number) => Array.from({ length: count }, (_, index) => smallTool(`bench.tool_${index}`, index))

export const tools = process.env.BENCH_TOOLS ? many(Number(process.env.BENCH_TOOLS)) : pair()
