/** Tools that need something of their client in the middle of a call: its user, its model, its roots, its patience. */
import { tool } from 'myrmex'
import * as z from 'zod'
import { plain } from './interop.tools.ts'

const SIZES = ['small', 'large']

export const brew = tool({
  ...plain,
  name: 'interop.brew',
  description: 'Asks which size before it starts.',
  input: z.object({ coffee: z.string() }),
  output: z.object({ brewed: z.boolean(), what: z.string() }),
  ask: ({ coffee }) => ({
    size: {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: `Which size of ${coffee}?`,
        requestedSchema: {
          type: 'object',
          properties: {
            size: { type: 'string', title: 'Size', enum: SIZES },
            sugar: { type: 'boolean', default: false },
          },
          required: ['size'],
        },
      },
    },
  }),
  run: ({ coffee }, { answers }) => {
    const { action, content } = answers.size ?? {}
    if (action !== 'accept') return { brewed: false, what: String(action) }
    return { brewed: true, what: `${(content as { size: string }).size} ${coffee}` }
  },
})

const text = (prompt: string) => ({
  messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
  maxTokens: 50,
})

export const haiku = tool({
  ...plain,
  name: 'interop.haiku',
  description: "Asks the client's user for a topic and then its model for a poem: two rounds.",
  input: z.object({}),
  output: z.object({ poem: z.string() }),
  run: async (_, ctx) => {
    const { topic } = await ctx.ask({
      topic: {
        method: 'elicitation/create' as const,
        params: {
          mode: 'form',
          message: 'A poem about what?',
          requestedSchema: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
        },
      },
    })
    const about = (topic.content as { topic: string }).topic
    const { poem } = await ctx.ask({
      poem: { method: 'sampling/createMessage' as const, params: text(`A haiku about ${about}`) },
    })
    return { poem: (poem.content as { text: string }).text }
  },
})

export const roots = tool({
  ...plain,
  name: 'interop.roots',
  description: 'Asks where the client works.',
  input: z.object({}),
  output: z.object({ roots: z.array(z.string()) }),
  run: async (_, ctx) => {
    const { where } = await ctx.ask({ where: { method: 'roots/list' as const } })
    return { roots: (where.roots as { uri: string }[]).map(({ uri }) => uri) }
  },
})

export const chat = tool({
  ...plain,
  name: 'interop.chat',
  description: 'Logs at several levels.',
  input: z.object({}),
  output: z.object({}),
  run: (_, ctx) => {
    ctx.log('debug', 'a whisper')
    ctx.log('warning', { cups: 3 })
    ctx.log('error', 'a shout', 'kitchen')
    return {}
  },
})

export const pause = tool({
  ...plain,
  name: 'interop.pause',
  description: 'Lets go of the stream it would answer on; a legacy client over HTTP comes back for the answer.',
  input: z.object({}),
  output: z.object({ resumed: z.boolean() }),
  run: async (_, ctx) => {
    ctx.disconnect()
    await new Promise(setImmediate)
    return { resumed: true }
  },
})
