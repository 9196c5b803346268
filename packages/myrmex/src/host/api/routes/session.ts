/** /api/session: the operator's passphrase opens a session, whose token every deciding and controlling route of a locked ledger needs. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { bearerToken } from '../../../transport/http/guard.ts'
import { conflict } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('session')

const Session = z
  .object({
    token: z.string().describe('Send it as Authorization: Bearer TOKEN. It is kept in memory only.'),
    expires_at: Timestamp,
    idle_ms: z.number().int().describe('It ends earlier after this time without a request.'),
  })
  .openapi('Session')

const begin = route('post', '/', 'openSession', {
  summary: "Open a session with the operator's passphrase",
  request: { body: jsonBody(z.strictObject({ passphrase: z.string().min(1).max(1000) })) },
  answer: jsonResponse(Session, 'The session.'),
  errors: [400, 409, 415],
})

const finish = route('post', '/end', 'endSession', {
  summary: 'End the session of the token in the request',
  request: { body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(z.object({ ended: z.literal(true) }), 'It has ended.'),
  errors: [400, 403, 415],
})

export const sessionRoutes = ({ sessions }: RouteContext) =>
  new OpenAPIHono()
    .openapi(begin, async (c) => {
      if (!sessions.isLocked)
        throw conflict(
          "This ledger is in open mode: the operator's token is enough. To lock it: npx myrmex operator init",
        )
      return c.json(await sessions.begin(c.req.valid('json').passphrase), 200)
    })
    .openapi(finish, (c) => {
      sessions.end(bearerToken(c.req.header('authorization') ?? '') ?? '')
      return c.json({ ended: true as const }, 200)
    })
