/** Tools that take their time, and others that say or decide how they fare: nothing here depends on the clock. */
import { tool } from 'myrmex'
import * as z from 'zod'
import { deferred } from './deferred.ts'
import { plain } from './interop.tools.ts'

/** By key: when a `wait` has begun, why it was stopped, and when a `count` may end. */
const begun = deferred<true>()
const stopped = deferred<string>()
const released = deferred<true>()

export const count = tool({
  ...plain,
  name: 'interop.count',
  description: 'Counts, tells how far it is, and ends when it is released.',
  input: z.object({ to: z.int(), key: z.string() }),
  output: z.object({ counted: z.int() }),
  run: async ({ to, key }, ctx) => {
    for (let n = 1; n <= to; n++) ctx.progress(n, to, `step ${n}`)
    await released.of(key).promise
    return { counted: to }
  },
})

export const stream = tool({
  ...plain,
  name: 'interop.stream',
  description: 'Sends parts and tells how far it is, in turn, and ends when it is released.',
  input: z.object({ to: z.int(), key: z.string() }),
  output: z.object({ counted: z.int() }),
  run: async ({ to, key }, ctx) => {
    ctx.emit({ part: 0 })
    for (let n = 1; n <= to; n++) {
      ctx.progress(n, to, `step ${n}`)
      ctx.emit({ part: n })
    }
    await released.of(key).promise
    return { counted: to }
  },
})

export const release = tool({
  ...plain,
  name: 'interop.release',
  description: 'Lets the count of that key end.',
  input: z.object({ key: z.string() }),
  output: z.null(),
  run: ({ key }) => released.of(key).resolve(true),
})

export const wait = tool({
  ...plain,
  name: 'interop.wait',
  description: 'Waits until it is stopped.',
  input: z.object({ key: z.string() }),
  output: z.object({}),
  run: ({ key }, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        stopped.of(key).resolve(String((signal.reason as Error).message))
        reject(signal.reason)
      })
      begun.of(key).resolve(true)
    }),
})

export const waiting = tool({
  ...plain,
  name: 'interop.waiting',
  description: 'Answers once the wait of that key has begun.',
  input: z.object({ key: z.string() }),
  output: z.object({ begun: z.boolean() }),
  run: async ({ key }) => ({ begun: await begun.of(key).promise }),
})

export const aborted = tool({
  ...plain,
  name: 'interop.aborted',
  description: 'Answers once the wait of that key was stopped.',
  input: z.object({ key: z.string() }),
  output: z.object({ reason: z.string() }),
  run: async ({ key }) => ({ reason: await stopped.of(key).promise }),
})
