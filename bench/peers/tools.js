// The tools every peer offers, as Zod schemas made once: add and echo, or, with BENCH_TOOLS=1000, a thousand
// small ones for the list benchmark. Plain JavaScript, so that no peer pays at start for stripping our types.
import * as z from 'zod'

/** Both renderings of one result, which is what every server in this benchmark answers. */
const answer = (data) => ({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data })

const pair = [
  {
    name: 'add',
    description: 'Add two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    run: ({ a, b }) => answer({ sum: a + b }),
  },
  {
    name: 'echo',
    description: 'Give a text back.',
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    run: ({ text }) => answer({ text }),
  },
]

const many = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Tool number ${index}: gives the value back.`,
    input: z.object({ value: z.number(), note: z.string().optional() }),
    output: z.object({ value: z.number() }),
    run: ({ value }) => answer({ value }),
  }))

export const tools = process.env.BENCH_TOOLS ? many(Number(process.env.BENCH_TOOLS)) : pair
