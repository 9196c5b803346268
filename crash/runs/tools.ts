/**
 * The tools of the runs that are killed: safe ones, ones that act once a key, one that is the same however often it is done,
 * one that fails at first, and one of which nobody knows what it did when it is cut off.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { type Tool, tool } from 'myrmex'
import * as z from 'zod'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import type { Context } from '../../packages/myrmex/src/tool/context.ts'
import type { Doer, EffectsFile, Kind } from './effects-file.ts'

export interface ToolTimings {
  /** how long a tool takes before its effect, and after it */
  readonly pause_ms: () => number
  /** told right before an effect and right after it: where a kill says most */
  readonly onEffect: () => void
}

const IDLE: ToolTimings = { pause_ms: () => 0, onEffect: () => {} }

const plain = {
  version: '1.0.0',
  description: 'For the crash test of runs.',
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'None: it writes to a file of the test.',
  examples: [],
} as const
const acting = { ...plain, idempotent: false, destructive: true } as const

/** Calls of world.book with `careful` are asked for one by one, whatever was said to the plan. */
export const POLICY = parsePolicy({
  approvals: [{ name: 'careful bookings', tools: ['world.book'], when: [{ argument: '/careful', equals: true }] }],
})

export function toolsOf(world: EffectsFile, { pause_ms, onEffect }: ToolTimings = IDLE): Tool[] {
  const work = async <Data>(
    name: string,
    kind: Kind,
    ctx: Context,
    effect: (doer: Doer) => Data,
    slowness = 1,
  ): Promise<Data> => {
    const { run = '', step = '' } = ctx.context
    const doer = { run, step: step.replace(/\/undo$/, ''), tool: name, kind, call: ctx.id }
    world.begin(doer)
    await after(slowness * pause_ms())
    onEffect()
    const data = effect(doer)
    onEffect()
    await after(slowness * pause_ms())
    return data
  }
  const takenBack = (name: string, input: object, data: object, ctx: Context): Promise<unknown> =>
    work(name, 'undo', ctx, (doer) => world.act(doer, ctx.idempotencyKey, input, data))

  const look = tool({
    ...plain,
    name: 'world.look',
    input: z.object({ n: z.number() }),
    output: z.object({ n: z.number() }),
    run: ({ n }, ctx) => work('world.look', 'do', ctx, () => ({ n: n + 1 })),
  })

  /** The first time in each run it does not work. */
  const moody = tool({
    ...plain,
    name: 'world.moody',
    input: z.object({ n: z.number() }),
    output: z.object({ n: z.number() }),
    run: ({ n }, ctx) =>
      work('world.moody', 'do', ctx, ({ run, step }) => {
        if (world.timesBegun(run, step) === 1) throw new Error('not in the mood')
        return { n }
      }),
  })

  const charge = tool({
    ...acting,
    name: 'world.charge',
    keyed: true,
    input: z.object({ amount: z.number().meta({ 'x-cost': true }), for: z.string() }),
    output: z.object({ receipt: z.string(), amount: z.number() }),
    run: (input, ctx) =>
      work('world.charge', 'do', ctx, (doer) =>
        world.act(doer, ctx.idempotencyKey, input, { receipt: randomUUID(), amount: input.amount }, input.amount),
      ),
    undo: async (input, data, ctx) => void (await takenBack('world.charge', input, data, ctx)),
  })

  const book = tool({
    ...acting,
    name: 'world.book',
    keyed: true,
    input: z.object({ first: z.string(), second: z.string(), careful: z.boolean().optional() }),
    output: z.object({ booking: z.string() }),
    run: (input, ctx) =>
      work('world.book', 'do', ctx, (doer) =>
        world.act(doer, ctx.idempotencyKey, input, { booking: `${randomUUID()} for ${input.first}` }),
      ),
    undo: async (input, data, ctx) => void (await takenBack('world.book', input, data, ctx)),
  })

  const shelve = tool({
    ...plain,
    destructive: true,
    name: 'world.shelve',
    input: z.object({ n: z.number() }),
    output: z.object({ n: z.number() }),
    run: ({ n }, ctx) =>
      work('world.shelve', 'do', ctx, (doer) => {
        world.shelve(doer, n)
        return { n }
      }),
  })

  /** Neither idempotent nor keyed: it may be begun once. It takes its time, so that it is often met by a kill. */
  const mail = tool({
    ...acting,
    name: 'world.mail',
    input: z.object({ about: z.string() }),
    output: z.object({ sent: z.string() }),
    run: (input, ctx) =>
      work('world.mail', 'do', ctx, (doer) => world.act(doer, undefined, input, { sent: ctx.id }), 6),
  })

  const sum = tool({
    ...plain,
    name: 'world.sum',
    input: z.object({ parts: z.array(z.string()) }),
    output: z.object({ text: z.string() }),
    run: ({ parts }, ctx) => work('world.sum', 'do', ctx, () => ({ text: parts.join(', ') })),
  })

  return [look, moody, charge, book, shelve, mail, sum]
}
