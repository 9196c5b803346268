/**
 * /api/session: the operator's passphrase opens a session, whose token every deciding and controlling route of a locked ledger needs. The
 * passphrase is accepted only encrypted (session-seal.ts).
 */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { bearerToken } from '../../../transport/http/guard.ts'
import { conflict } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'
import { sessionProof } from '../session-seal.ts'

const route = routesOf('session')

const Session = z
  .object({
    token: z.string().describe('Send it as Authorization: Bearer TOKEN. It is kept in memory only.'),
    expires_at: Timestamp,
    proof: z.string().describe("Shows that this host has the operator's token: an HMAC of the session's token."),
    idle_ms: z.number().int().describe('It ends earlier after this time without a request.'),
  })
  .openapi('Session')

const challenge = route('post', '/challenge', 'challengeSession', {
  summary: 'Get a nonce for opening a session',
  request: { body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(
    z.object({ nonce: z.string().describe('Valid for a minute, and for one passphrase.') }).openapi('SessionChallenge'),
    'The nonce.',
  ),
  errors: [400, 409, 415],
})

const begin = route('post', '/', 'openSession', {
  summary:
    "Open a session with the operator's passphrase, encrypted with the token in api.json: use openSession of myrmex/api",
  request: { body: jsonBody(z.strictObject({ nonce: z.string().max(200), sealed: z.string().max(20_000) })) },
  answer: jsonResponse(Session, 'The session.'),
  errors: [400, 409, 415],
})

const finish = route('post', '/end', 'endSession', {
  summary: 'End the session of the token in the request',
  request: { body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(z.object({ ended: z.literal(true) }), 'It has ended.'),
  errors: [400, 403, 415],
})

export function sessionRoutes({ sessions, challenges }: RouteContext) {
  const requireLocked = (): void => {
    if (!sessions.isLocked)
      throw conflict(
        "This ledger is in open mode: the operator's token is enough. To lock it: npx myrmex operator init",
      )
  }
  return new OpenAPIHono()
    .openapi(challenge, (c) => {
      requireLocked()
      return c.json({ nonce: challenges.issue() }, 200)
    })
    .openapi(begin, async (c) => {
      requireLocked()
      const { nonce, sealed } = c.req.valid('json')
      const opened = await sessions.begin(await challenges.passphrase(nonce, sealed))
      return c.json({ ...opened, proof: await sessionProof(challenges.context(nonce), opened.token) }, 200)
    })
    .openapi(finish, (c) => {
      sessions.end(bearerToken(c.req.header('authorization') ?? '') ?? '')
      return c.json({ ended: true as const }, 200)
    })
}
