/** /api/channels: where waiting calls are announced. No route shows an address or a secret of a channel. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { ToolError } from '../../../protocol/errors.ts'
import { didYouMean } from '../../../protocol/text.ts'
import { nearest } from '../../../tool/nearest.ts'
import { ApiError, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('channels')

const Channel = z
  .object({
    name: z.string(),
    kind: z.enum(['webhook', 'slack', 'email', 'desktop']),
    tools: z.array(z.string()).readonly().nullable().describe('The tools whose calls it announces; null: all.'),
    sent: z.number().int().describe('Announcements since the host started, or since the channel was changed.'),
    last_sent_at: Timestamp.nullable(),
    last_error: z
      .object({ at: Timestamp, message: z.string() })
      .nullable()
      .describe('What went wrong, if the last announcement failed.'),
    problem: z.string().nullable().describe('Why it announces nothing, such as a variable that is not set.'),
  })
  .openapi('Channel')

const list = route('get', '/', 'channels', {
  summary: 'Where waiting calls are announced',
  answer: jsonResponse(
    z.object({
      channels: z.array(Channel),
      link: z.string().nullable().describe('The base of the links in announcements; null: they have none.'),
    }),
    'In the order of the file.',
  ),
})

const test = route('post', '/{name}/test', 'testChannel', {
  summary: 'Send a test on a channel now',
  request: { params: z.object({ name: z.string().max(200) }), body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(Channel, 'The receiver accepted it.'),
  errors: [400, 403, 404, 415, 502],
})

export const channelRoutes = ({ host }: RouteContext) =>
  new OpenAPIHono()
    .openapi(list, (c) => c.json({ channels: host?.notifier.status() ?? [], link: host?.notifier.link ?? null }, 200))
    .openapi(test, async (c) => {
      const { name } = c.req.valid('param')
      const known = host?.notifier.status().map((one) => one.name) ?? []
      const tested = await host?.notifier.test(name).catch((thrown: unknown) => {
        if (thrown instanceof ToolError) throw thrown
        throw new ApiError(
          502,
          'UnavailableError',
          `The test failed: ${thrown instanceof Error ? thrown.message : thrown}`,
        )
      })
      if (tested !== undefined) return c.json(tested, 200)
      const hint = didYouMean(nearest(name, known)) || ` Channels: ${known.join(', ') || 'none'}.`
      throw notFound(`Unknown channel ${JSON.stringify(name)}.${hint}`)
    })
