/** /api/tokens: tokens of callers. The text of a token is in the answer that makes it, and nowhere else. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { ToolError } from '../../../protocol/errors.ts'
import { tokenTerms } from '../../tokens/token-terms.ts'
import { tokenView } from '../../tokens/token-view.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('tokens')

const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    principal: z.string().describe('The id of its caller in the audit, approvals and limits.'),
    state: z
      .enum(['valid', 'ending', 'expired', 'revoked', 'unsigned'])
      .describe("ending: replaced, valid until ends_at. unsigned: does not count without the operator's signature."),
    profile: z.string().nullable(),
    scopes: z.array(z.string()),
    created_by: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe('Within about half a minute.'),
    expires_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    revoked_by: z.string().nullable(),
    revoked_at: Timestamp.nullable(),
    signed_by: z.string().nullable(),
  })
  .openapi('Token')

const NewToken = z
  .object({ token: z.string().describe('Shown once: the host has only its hash.'), details: Token })
  .openapi('NewToken')

const Named = z.object({ name: z.string().max(200) })

const list = route('get', '/', 'tokens', {
  summary: 'All tokens, those that no longer count included',
  answer: jsonResponse(z.object({ tokens: z.array(Token) }), 'Newest first.'),
})

const create = route('post', '/', 'createToken', {
  summary: 'Create a token for a caller',
  request: {
    body: jsonBody(
      z.strictObject({
        name: z.string().min(1).max(200),
        profile: z.string().min(1).max(200).optional(),
        scopes: z.array(z.string().max(500)).optional().describe('Default: everything that the profile covers.'),
        until: Timestamp.optional().describe('When it expires. Default: never.'),
      }),
    ),
  },
  answer: jsonResponse(NewToken, 'The token.'),
  errors: [400, 403, 415],
})

const rotate = route('post', '/{name}/rotate', 'rotateToken', {
  summary: 'Replace a token by a new one on the same terms',
  request: {
    params: Named,
    body: jsonBody(
      z.strictObject({
        overlap_ms: z.number().int().min(0).max(31_536_000_000).default(0).describe('How long the old one counts.'),
      }),
    ),
  },
  answer: jsonResponse(NewToken, 'The new token.'),
  errors: [400, 403, 415],
})

const revoke = route('post', '/{name}/revoke', 'revokeToken', {
  summary: 'Revoke a token, and end its streams',
  request: { params: Named, body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(z.object({ revoked: z.number().int() }), 'How many were valid under this name.'),
  errors: [400, 415],
})

export function tokenRoutes({ server, ledger: { tokens }, decidedBy }: RouteContext) {
  return new OpenAPIHono()
    .openapi(list, async (c) => c.json({ tokens: (await tokens.list()).map((row) => tokenView(tokens, row)) }, 200))
    .openapi(create, async (c) => {
      const { name, ...given } = c.req.valid('json')
      if (given.until !== undefined && given.until <= Date.now())
        throw ToolError.of('ValidationError', 'until is not in the future.')
      const names = server.pipeline.profiles.names()
      const made = await tokens.create(name, tokenTerms(given, names), decidedBy(c.req.raw))
      return c.json({ token: made.token, details: tokenView(tokens, { ...made.row, last_used_at: null }) }, 200)
    })
    .openapi(rotate, async (c) => {
      const { name } = c.req.valid('param')
      const made = await tokens.rotate(name, decidedBy(c.req.raw), c.req.valid('json').overlap_ms)
      return c.json({ token: made.token, details: tokenView(tokens, { ...made.row, last_used_at: null }) }, 200)
    })
    .openapi(revoke, async (c) =>
      c.json({ revoked: await tokens.revoke(c.req.valid('param').name, decidedBy(c.req.raw)) }, 200),
    )
}
