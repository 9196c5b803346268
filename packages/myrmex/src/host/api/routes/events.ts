/** GET /api/events: live events as server-sent events. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ToolError } from '../../../protocol/errors.ts'
import { MAX_READERS } from '../events/event-log.ts'
import type { LiveEventSource } from '../events/event-source.ts'
import { LiveEvent } from '../events/live-event.ts'
import type { RouteContext } from '../route-context.ts'
import { errorResponses } from '../schemas.ts'

const live = createRoute({
  method: 'get',
  path: '/',
  operationId: 'events',
  tags: ['events'],
  summary: 'Live events: calls, approvals, servers, tools and trust',
  description:
    '`event` is the type, `data` the JSON, `id` the position. A reader that reconnects with Last-Event-ID gets the missed events, ' +
    'or a `reset` if they are no longer known. After a `reset`, read everything again.',
  request: { headers: z.object({ 'last-event-id': z.string().max(200).optional() }) },
  responses: {
    200: {
      description: 'The stream. It ends with the host and with the session.',
      content: { 'text/event-stream': { schema: LiveEvent } },
    },
    ...errorResponses('get'),
  },
})

export const eventRoutes = (source: LiveEventSource, { mayRead }: RouteContext) =>
  new OpenAPIHono().openapi(live, async (c) => {
    if (source.events.readers >= MAX_READERS) {
      const message = `${MAX_READERS} streams are already open. Close one, or share one.`
      throw ToolError.of('ApiLimitExceeded', message, { retry_after_ms: 1000 })
    }
    await source.start()
    const stream = source.events.stream(c.req.valid('header')['last-event-id'], mayRead(c.req.raw))
    return new Response(stream, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  })
