/** What foreign clients call: a tool for every way a call can go that asks nothing of the client. */
import { answer, ToolError, tool } from 'myrmex'
import * as z from 'zod'

/** What most fixture tools have in common, so that each definition shows what it is about. */
export const plain = {
  version: '1.0.0',
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'None.',
  examples: [],
}

export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const greet = tool({
  ...plain,
  name: 'interop.greet',
  title: 'Greet',
  description: 'Greets somebody by name.',
  input: z.object({ name: z.string().min(1).describe('whom to greet') }),
  output: z.object({ greeting: z.string() }),
  run: ({ name }) => ({ greeting: `Hello, ${name}!` }),
})

export const done = tool({
  ...plain,
  name: 'interop.done',
  description: 'Has nothing to tell but that it is done.',
  input: z.object({}),
  output: z.null(),
  run: () => null,
})

const Order = z.object({
  sku: z.string().regex(/^[A-Z]{2}-\d+$/),
  count: z.int().min(1).max(99),
  price: z.number().nonnegative(),
  gift: z.boolean(),
  roast: z.enum(['light', 'medium', 'dark']),
  tags: z.array(z.string()).max(5),
  due: z.iso.datetime(),
  note: z.string().nullable(),
  ship: z.discriminatedUnion('by', [
    z.object({ by: z.literal('post'), address: z.object({ street: z.string(), zip: z.string() }) }),
    z.object({ by: z.literal('courier'), phone: z.string() }),
  ]),
  weights: z.record(z.string(), z.number()),
  coupon: z.string().optional(),
  bags: z.array(z.string()).default([]),
})

export const order = tool({
  ...plain,
  name: 'interop.order',
  description: 'Takes a value of every type JSON has and gives it back with a total.',
  input: Order,
  output: z.object({ order: Order, total: z.number(), paid: z.null() }),
  run: (given) => ({ order: given, total: given.count * given.price, paid: null }),
})

export const pack = tool({
  ...plain,
  name: 'interop.pack',
  description: 'Takes tuples and gives them back.',
  input: z.object({ bags: z.array(z.tuple([z.string(), z.number()])) }),
  output: z.object({ bags: z.array(z.tuple([z.string(), z.number()])) }),
  run: ({ bags }) => ({ bags }),
})

export const sell = tool({
  ...plain,
  name: 'interop.sell',
  description: 'Fails as it declared it might.',
  input: z.object({ sku: z.string() }),
  output: z.object({ sold: z.int() }),
  errors: { OutOfStock: 'Nothing of it is left.' },
  run: ({ sku }) => {
    throw new ToolError('OutOfStock', `${sku} is sold out`, { sku, left: 0 })
  },
})

type Branch = { label: string; branches: Branch[] }
const Tree = z.object({
  label: z.string(),
  get branches() {
    return z.array(Tree)
  },
})

export const grow = tool({
  ...plain,
  name: 'interop.grow',
  description: 'Has an output schema that refers to itself; fails on request.',
  input: z.object({ depth: z.int().max(5) }),
  output: Tree,
  errors: { Withered: 'The depth is negative.' },
  run: ({ depth }) => {
    const tree = (left: number): Branch => ({ label: `${left}`, branches: left === 0 ? [] : [tree(left - 1)] })
    if (depth < 0) throw new ToolError('Withered', 'it does not grow downwards')
    return tree(depth)
  },
})

export const knot = tool({
  ...plain,
  name: 'interop.knot',
  description: 'Returns what fits its schema and is no JSON all the same: a tree that is its own branch.',
  input: z.object({}),
  output: Tree,
  run: () => {
    const tree: Branch = { label: 'knot', branches: [] }
    tree.branches.push(tree)
    return tree
  },
})

export const crash = tool({
  ...plain,
  name: 'interop.crash',
  description: 'Throws what nobody declared.',
  input: z.object({}),
  output: z.object({}),
  run: () => {
    throw new Error('the password is hunter2')
  },
})

export const echo = tool({
  ...plain,
  name: 'interop.echo',
  description: 'Gives back what it is given; after a while, if asked to, and then it says that it has begun.',
  input: z.object({ text: z.string(), after_ms: z.number().max(1000).optional() }),
  output: z.object({ text: z.string() }),
  run: ({ text, after_ms }, ctx) => {
    if (after_ms === undefined) return { text }
    ctx.progress(1)
    return new Promise((resolve) => setTimeout(resolve, after_ms, { text }))
  },
})

export const route = tool({
  ...plain,
  name: 'interop.route',
  description: 'Has a parameter that the modern era sends along as an HTTP header.',
  input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  output: z.object({ region: z.string() }),
  run: ({ region }) => ({ region }),
})

export const show = tool({
  ...plain,
  name: 'interop.show',
  description: 'Answers with a block of every kind.',
  input: z.object({}),
  output: z.object({ shown: z.int() }),
  run: () =>
    answer(
      { shown: 5 },
      {
        explanation: 'Five blocks.',
        content: [
          { type: 'text', text: 'a pixel', annotations: { audience: ['user'], priority: 0.5 } },
          { type: 'image', data: PIXEL, mimeType: 'image/png' },
          { type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'interop://text', mimeType: 'text/plain', text: 'embedded' } },
          { type: 'resource_link', uri: 'interop://bytes', name: 'bytes', mimeType: 'application/octet-stream' },
        ],
      },
    ),
})
