/** /api/logs: the log files of the host and its servers. To follow one, ask again with `next` of the last page. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { didYouMean } from '../../../protocol/text.ts'
import { nearest } from '../../../tool/nearest.ts'
import { HOST_LOG, type HostLogs } from '../../logs/host-logs.ts'
import { CURSOR } from '../../logs/read-log.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonResponse, limitQuery, routesOf } from '../schemas.ts'

const route = routesOf('logs')

const list = route('get', '/', 'logs', {
  summary: 'The logs that there are',
  answer: jsonResponse(
    z.object({
      logs: z.array(
        z
          .object({ name: z.string(), server: z.boolean().describe('false: the log of the host itself.') })
          .openapi('Log'),
      ),
    }),
    "The host's own first. Empty: the host writes no log files.",
  ),
})

const LogLine = z
  .object({
    time: z.string().openapi({ description: 'ISO 8601.', format: 'date-time' }),
    pid: z.number().int().describe('Of the host that wrote it.'),
    level: z.string(),
    text: z.string().describe('Without secrets and control characters. The text of a server is not trusted.'),
  })
  .openapi('LogLine')

const show = route('get', '/{name}', 'log', {
  summary: 'Lines of one log',
  request: {
    params: z.object({ name: z.string().max(200) }),
    query: z.strictObject({
      lines: limitQuery(1000, 100),
      after: z
        .string()
        .regex(CURSOR, '`next` of a page')
        .optional()
        .describe('`next` of a page: the lines behind it. Default: the last lines.'),
    }),
  },
  answer: jsonResponse(
    z.object({
      lines: z.array(LogLine),
      next: z.string().nullable().describe('Where to go on; null: nothing was logged yet.'),
      skipped: z.boolean().describe('Lines between `after` and the first of these were rotated away.'),
    }),
    'The lines, oldest first.',
  ),
  errors: [400, 404, 409],
})

export function logRoutes({ logs }: RouteContext) {
  const find = (name: string): HostLogs => {
    if (logs === undefined) throw conflict('This host writes no log files.')
    const names = logs.names()
    if (names.includes(name)) return logs
    throw notFound(`There is no log of ${JSON.stringify(name)}.${didYouMean(nearest(name, names))}`)
  }
  return new OpenAPIHono()
    .openapi(list, (c) =>
      c.json({ logs: (logs?.names() ?? []).map((name) => ({ name, server: name !== HOST_LOG })) }, 200),
    )
    .openapi(show, (c) => {
      const { name } = c.req.valid('param')
      const { lines, next, isSkipped } = find(name).read(name, c.req.valid('query'))
      return c.json({ lines: [...lines], next: next ?? null, skipped: isSkipped }, 200)
    })
}
