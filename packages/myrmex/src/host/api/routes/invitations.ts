/** /api/invitations: links with which users choose what to sign in with. A link is shown once, to the operator who makes it. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { INVITATION_MS, MAX_INVITATION_MS } from '../../../ledger/sign-in/invitations.ts'
import { invitationLink } from '../../issuer/origin.ts'
import { checkedExpiry, checkedTerms, requireScopes, userView } from '../../issuer/user-terms.ts'
import { conflict, notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'
import { termFields, User } from './users.ts'

const route = routesOf('users')

const Invitation = z
  .object({
    id: z.string(),
    user: z.string(),
    created_by: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp,
    used_at: Timestamp.nullable(),
  })
  .openapi('Invitation')

const list = route('get', '/', 'invitations', {
  summary: 'Invitations, oldest first, without their links',
  answer: jsonResponse(z.object({ invitations: z.array(Invitation) }), 'The invitations.'),
})

const create = route('post', '/', 'inviteUser', {
  summary: 'Add a user, or let one choose a new passphrase or passkey; earlier links of it stop working',
  request: {
    body: jsonBody(
      z.strictObject({
        user: z.string().max(100),
        ...termFields,
        expires_in_ms: z.number().int().min(60_000).max(MAX_INVITATION_MS).optional().describe('Default: 3 days.'),
      }),
    ),
  },
  answer: jsonResponse(
    z.object({
      link: z.string().describe('Works once. It is not stored and cannot be shown again.'),
      invitation: Invitation,
      user: User,
    }),
    'The link to send to the user.',
  ),
  errors: [400, 403, 409, 415],
})

const revoke = route('post', '/{id}/revoke', 'revokeInvitation', {
  summary: 'Make a link useless',
  request: { params: z.object({ id: z.string().max(200) }), body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(z.object({ revoked: z.literal(true) }), 'It works no more.'),
  errors: [404, 415],
})

export function invitationRoutes({ server, ledger, decidedBy, signInUrl }: RouteContext) {
  const { invitations } = ledger
  const view = ({ user_name: user, ...rest }: Awaited<ReturnType<typeof invitations.list>>[number]) => ({
    ...{ ...rest, user },
    ...{ created_at: Number(rest.created_at), expires_at: Number(rest.expires_at) },
    used_at: rest.used_at === null ? null : Number(rest.used_at),
  })
  return new OpenAPIHono()
    .openapi(list, async (c) => c.json({ invitations: (await invitations.list()).map(view) }, 200))
    .openapi(create, async (c) => {
      if (signInUrl === undefined)
        throw conflict('Nobody signs in to this host: add "sign_in": { "issuer": "embedded" } to host in myrmex.json.')
      const { user: name, expires_in_ms = INVITATION_MS, display_name: displayName, ...given } = c.req.valid('json')
      const terms = checkedTerms({ ...given, displayName }, server.pipeline.profiles.names())
      await requireScopes(ledger, name, terms, 'in scopes')
      const expires = checkedExpiry(Date.now() + expires_in_ms)
      const { invitation, code } = await invitations.create(name, terms, decidedBy(c.req.raw), expires)
      const link = invitationLink(new URL(signInUrl).origin, code)
      return c.json({ link, invitation: view(invitation), user: await userView(ledger, name) }, 200)
    })
    .openapi(revoke, async (c) => {
      const { id } = c.req.valid('param')
      if (!(await invitations.revoke(id))) throw notFound(`There is no open invitation ${JSON.stringify(id)}.`)
      return c.json({ revoked: true as const }, 200)
    })
}
