/** GET /api/events: what happens, as it happens, as server-sent events. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ToolError } from '../../../protocol/errors.ts'
import { MAX_READERS } from '../events/event-log.ts'
import { LiveEvent } from '../events/live-event.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses } from '../schemas.ts'

const live = createRoute({
  method: 'get',
  path: '/',
  operationId: 'events',
  tags: ['events'],
  summary: 'Calls, approvals, servers, tools and trust, as they change',
  description:
    'One event each: `event` is its type, `data` its JSON, `id` its place. Whoever comes back with Last-Event-ID gets what was ' +
    'missed, or a `reset` where that is not known any more: then everything is to be read anew.',
  request: { headers: z.object({ 'last-event-id': z.string().max(200).optional() }) },
  responses: {
    200: { description: 'The stream; it ends with the host.', content: { 'text/event-stream': { schema: LiveEvent } } },
    ...errorResponses(),
  },
})

export const eventRoutes = ({ events }: RouteContext, watched: () => Promise<void>) =>
  new OpenAPIHono().openapi(live, async (c) => {
    if (events.readers >= MAX_READERS) {
      const message = `${MAX_READERS} streams are open already. Close one, or share one.`
      throw ToolError.of('ApiLimitExceeded', message, { retry_after_ms: 1000 })
    }
    await watched()
    const stream = events.stream(c.req.valid('header')['last-event-id'])
    return new Response(stream, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  })
