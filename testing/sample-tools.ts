/** Tools for tests: one for each way a tool can behave. */
import { answer, partial, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'

export const toolDefaults = {
  version: '1.0.0',
  description: 'For tests.',
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'None: it is for tests.',
  examples: [],
} as const

export const add = tool({
  ...toolDefaults,
  name: 'math.add',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})

export const echo = tool({
  ...toolDefaults,
  name: 'text.echo',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  run: async ({ text }) => ({ text }),
})

/** Succeeds, does part of it, changes nothing, fails as declared, fails otherwise: as told. */
export const behaveTool = tool({
  ...toolDefaults,
  name: 'test.behave',
  errors: { FullError: 'when it is full' },
  input: z.object({ how: z.enum(['success', 'partial', 'unchanged', 'declared', 'undeclared', 'throw', 'badOutput']) }),
  output: z.object({ how: z.string() }),
  run: ({ how }) => {
    switch (how) {
      case 'success':
        return answer({ how }, { explanation: 'It went well.' })
      case 'partial':
        return partial({ how }, { explanation: 'Half of it.' })
      case 'unchanged':
        return unchanged({ how })
      case 'declared':
        throw new ToolError('FullError', 'It is full.', { room: 0 })
      case 'undeclared':
        throw new ToolError('OddError', 'Something odd.')
      case 'throw':
        throw new Error('password=hunter2 at /etc/secret')
      case 'badOutput':
        return { how: 42 } as unknown as { how: string }
    }
  },
})

/** Waits until it is asked to stop. */
export const waitTool = (timeout = 30_000, name = 'test.wait') => {
  const seen = { started: 0, aborted: [] as unknown[] }
  const made = tool({
    ...toolDefaults,
    name,
    timeout,
    input: z.object({}),
    output: z.object({}),
    run: (_input, ctx) =>
      new Promise((_resolve, reject) => {
        seen.started++
        ctx.signal.addEventListener('abort', () => {
          seen.aborted.push(ctx.signal.reason)
          reject(ctx.signal.reason)
        })
      }),
  })
  return { tool: made, seen }
}
