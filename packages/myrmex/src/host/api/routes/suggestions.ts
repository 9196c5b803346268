/**
 * /api/suggestions: settings for tools whose server does not say whether they change state. Accepting one writes it to myrmex.json, which
 * the host then applies. An accepted suggestion must be one that is made now.
 */
import { isDeepStrictEqual } from 'node:util'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { acceptSuggestion, settingsSuggestions } from '../../trust/suggestions.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf } from '../schemas.ts'

const route = routesOf('trust')

const Suggestion = z
  .object({
    server: z.string(),
    patterns: z
      .array(
        z.object({
          pattern: z.string().describe('For `tools` of the server in myrmex.json, with "destructive": false.'),
          tools: z.array(z.string()).describe('The tools that it covers.'),
        }),
      )
      .describe('Tools that only read, by their names and descriptions.'),
    others: z.array(z.string()).describe('Their server says nothing about these either, and they may change state.'),
  })
  .openapi('SettingsSuggestion')

const list = route('get', '/', 'suggestions', {
  summary: 'Settings for tools whose server does not say whether they change state',
  answer: jsonResponse(z.object({ suggestions: z.array(Suggestion) }), 'Of each server that has any.'),
})

const accept = route('post', '/accept', 'acceptSuggestion', {
  summary: 'Write a suggestion to myrmex.json',
  request: {
    body: jsonBody(
      z.strictObject({
        server: z.string().min(1).max(200),
        patterns: z
          .array(z.string().max(2000))
          .min(1)
          .max(1000)
          .describe('Those that the operator saw, in their order.'),
      }),
    ),
  },
  answer: jsonResponse(Suggestion, 'What was written.'),
  errors: [400, 403, 404, 409, 415],
})

export function suggestionRoutes({ ledger, configFile, edit }: RouteContext) {
  const all = () => (configFile === undefined ? Promise.resolve([]) : settingsSuggestions(ledger, configFile))
  const shown = ({ server, patterns, others }: Awaited<ReturnType<typeof all>>[number]) => ({
    server,
    patterns: patterns.map(({ pattern, tools }) => ({ pattern, tools: [...tools] })),
    others: [...others],
  })
  return new OpenAPIHono()
    .openapi(list, async (c) => c.json({ suggestions: (await all()).map(shown) }, 200))
    .openapi(accept, async (c) => {
      const { server, patterns } = c.req.valid('json')
      const accepted = await edit(async () => {
        const found = (await all()).find((one) => one.server === server)
        if (found === undefined || configFile === undefined)
          throw notFound(`There is no suggestion for ${JSON.stringify(server)}.`)
        const now = found.patterns.map(({ pattern }) => pattern)
        if (!isDeepStrictEqual(now, patterns))
          throw conflict('The suggestion is another one by now. Nothing was written. Look again.', { patterns: now })
        await acceptSuggestion(configFile, found)
        return found
      })
      return c.json(shown(accepted), 200)
    })
}
