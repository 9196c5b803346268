/**
 * The tools of the crash test. The effect of a tool is one line in a file, written in one piece, so that the number of lines tells how
 * often it really ran, independent of the ledger.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { ToolError, tool } from 'myrmex'
import * as z from 'zod'

const plain = {
  version: '1.0.0',
  description: 'For the crash test.',
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'None: it writes one line to a file of the test.',
  examples: [],
} as const

const id = z.string()
/** How long it takes to get to its effect, and from there to its end: that is where a kill can meet it. */
const slow = z.object({ id, before_ms: z.number(), after_ms: z.number() })
/** `call` is the call that had the effect. */
const done = z.object({ id, call: z.string() })

type Slow = z.infer<typeof slow>

async function act(name: string, { id, before_ms, after_ms }: Slow, call: string): Promise<z.infer<typeof done>> {
  if (before_ms > 0) await after(before_ms)
  appendFileSync(process.env.CRASH_EFFECTS ?? 'effects', `${name} ${id} ${call}\n`)
  if (after_ms > 0) await after(after_ms)
  return { id, call }
}

export const look = tool({
  ...plain,
  name: 'crash.look',
  input: z.object({ id }),
  output: z.object({ id }),
  run: ({ id }) => ({ id }),
})

export const think = tool({
  ...plain,
  name: 'crash.think',
  input: z.object({ id, ms: z.number() }),
  output: z.object({ id }),
  run: async ({ id, ms }) => {
    await after(ms)
    return { id }
  },
})

/** Calls another tool on the way. */
export const relay = tool({
  ...plain,
  name: 'crash.relay',
  input: z.object({ id }),
  output: z.object({ id }),
  run: async ({ id }, ctx) => {
    await ctx.call('crash.look', { id: `${id}/1` })
    return { id }
  },
})

export const charge = tool({
  ...plain,
  name: 'crash.charge',
  errors: { DeclinedError: 'the arguments made it decline' },
  idempotent: false,
  destructive: true,
  input: slow.extend({ decline: z.boolean().optional() }),
  output: done,
  run: async (input, ctx) => {
    const told = await act('crash.charge', input, ctx.id)
    if (input.decline) throw new ToolError('DeclinedError', `${input.id} was declined.`)
    return told
  },
})

/** May run again if nobody knows how far it got. */
export const put = tool({
  ...plain,
  name: 'crash.put',
  destructive: true,
  input: slow,
  output: done,
  run: (input, ctx) => act('crash.put', input, ctx.id),
})

/** No standing grant: every call of it needs its own approval. */
export const pay = tool({
  ...plain,
  name: 'crash.pay',
  idempotent: false,
  destructive: true,
  input: slow,
  output: done,
  run: (input, ctx) => act('crash.pay', input, ctx.id),
})

export const work = tool({
  ...plain,
  name: 'crash.work',
  task: true,
  idempotent: false,
  input: slow,
  output: done,
  run: (input, ctx) => act('crash.work', input, ctx.id),
})
