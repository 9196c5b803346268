/** /api/users: people who sign in to the host's own issuer. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { checkedTerms, userView, userViews } from '../../issuer/user-terms.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf, Timestamp } from '../schemas.ts'

const route = routesOf('users')

export const User = z
  .object({
    name: z.string(),
    display_name: z.string(),
    principal: z.string().describe('Its name in audit records, grants and rules.'),
    scopes: z.array(z.string()),
    profile: z.string().nullable(),
    status: z.enum(['active', 'disabled']),
    signed: z
      .boolean()
      .describe('False: the ledger is locked and the operator has not signed this user, who cannot sign in.'),
    signs_in_with: z.array(z.enum(['passphrase', 'passkey'])).describe('Empty: its invitation was not used yet.'),
    invitation: z
      .object({ id: z.string(), expires_at: Timestamp })
      .nullable()
      .describe('An invitation that waits to be used.'),
    created_by: z.string(),
    created_at: Timestamp,
    set_by: z.string(),
    set_at: Timestamp,
  })
  .openapi('User')

const list = route('get', '/', 'users', {
  summary: 'Users by name, and where they sign in',
  answer: jsonResponse(
    z.object({
      sign_in: z
        .object({ url: z.string().describe('What clients connect to.') })
        .nullable()
        .describe('Null: this host has no host.sign_in.'),
      users: z.array(User),
    }),
    'The users.',
  ),
})

const Name = z.object({ name: z.string().max(200) })

const show = route('get', '/{name}', 'user', {
  summary: 'One user',
  request: { params: Name },
  answer: jsonResponse(User, 'The user.'),
  errors: [404],
})

/** Shared with invitations. */
export const termFields = {
  scopes: z
    .array(z.string().max(300))
    .max(200)
    .optional()
    .describe('What the user may use: github.*, github.create_issue, *.'),
  display_name: z.string().max(100).optional(),
  profile: z.string().max(64).nullable().optional().describe('The tool set that the user is bound to; null: none.'),
}

const change = route('post', '/{name}/change', 'changeUser', {
  summary: 'Change scopes, profile or the shown name; it counts for tokens in use',
  request: { params: Name, body: jsonBody(z.strictObject(termFields)) },
  answer: jsonResponse(User, 'The user as it is now.'),
  errors: [400, 403, 404, 415],
})

const statusRoute = <const Verb extends 'disable' | 'enable'>(verb: Verb, summary: string) =>
  route('post', `/{name}/${verb}`, `${verb}User`, {
    summary,
    request: { params: Name, body: jsonBody(z.strictObject({})) },
    answer: jsonResponse(User, 'The user as it is now.'),
    errors: [400, 403, 404, 415],
  })
const disable = statusRoute('disable', 'End every token of the user at once; it cannot sign in any more')
const enable = statusRoute('enable', 'Let a disabled user sign in again')

const remove = route('post', '/{name}/remove', 'removeUser', {
  summary: 'Remove the user and what it signs in with',
  request: { params: Name, body: jsonBody(z.strictObject({})) },
  answer: jsonResponse(z.object({ removed: z.literal(true) }), 'It is removed.'),
  errors: [400, 403, 404, 415],
})

export function userRoutes({ server, ledger, decidedBy, signInUrl }: RouteContext) {
  const { users } = ledger
  return new OpenAPIHono()
    .openapi(list, async (c) =>
      c.json({ sign_in: signInUrl === undefined ? null : { url: signInUrl }, users: await userViews(ledger) }, 200),
    )
    .openapi(show, async (c) => c.json(await userView(ledger, c.req.valid('param').name), 200))
    .openapi(change, async (c) => {
      const { name } = c.req.valid('param')
      const { display_name: displayName, ...terms } = c.req.valid('json')
      await users.change(
        name,
        checkedTerms({ ...terms, displayName }, server.pipeline.profiles.names()),
        decidedBy(c.req.raw),
      )
      return c.json(await userView(ledger, name), 200)
    })
    .openapi(disable, async (c) => {
      const { name } = c.req.valid('param')
      await users.disable(name, decidedBy(c.req.raw))
      return c.json(await userView(ledger, name), 200)
    })
    .openapi(enable, async (c) => {
      const { name } = c.req.valid('param')
      await users.enable(name, decidedBy(c.req.raw))
      return c.json(await userView(ledger, name), 200)
    })
    .openapi(remove, async (c) => {
      await users.remove(c.req.valid('param').name, decidedBy(c.req.raw))
      return c.json({ removed: true as const }, 200)
    })
}
