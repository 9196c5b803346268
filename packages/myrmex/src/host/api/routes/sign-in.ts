/**
 * /api/servers/NAME/login and /logout: an operator signs the host in to a server behind it, and out again. No answer has a token, a code
 * verifier or a secret in it.
 */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { notFound } from '../api-error.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, orNull, routesOf, Timestamp } from '../schemas.ts'
import { findServer } from './find-server.ts'
import { ServerStatus } from './servers.ts'

const route = routesOf('sign-in')

const Login = z
  .object({
    id: z.string(),
    server: z.string(),
    principal: z.string().describe('The caller whose account it is. Empty: the account that all callers share.'),
    flow: z.enum(['browser', 'device']),
    authorization_url: z.string().nullable().describe('With flow browser: the operator signs in there.'),
    redirect_uri: z.string().nullable().describe('Where the browser comes back to.'),
    user_code: z.string().nullable().describe('With flow device: the operator types it at verification_uri.'),
    verification_uri: z.string().nullable(),
    verification_uri_complete: z.string().nullable().describe('The same with the code in it.'),
    expires_at: Timestamp,
  })
  .openapi('Login')

const LoginState = z
  .object({
    id: z.string(),
    server: z.string(),
    status: z.enum(['waiting', 'done', 'failed']),
    message: z.string().nullable().describe('Why it failed.'),
  })
  .openapi('LoginState')

const Named = z.object({ name: z.string().max(200) })
const principal = z.string().min(1).max(200).optional().describe('Sign in for this caller. Default: for all callers.')

const start = route('post', '/{name}/login', 'startLogin', {
  summary: 'Start to sign in to the server',
  request: {
    params: Named,
    body: jsonBody(
      z.strictObject({
        flow: z.enum(['browser', 'device']).optional().describe('Default: that of auth.grant, otherwise browser.'),
        for: principal,
      }),
    ),
  },
  answer: jsonResponse(
    z.object({ login: orNull(Login), server: ServerStatus }),
    'What the operator does next. login is null if nobody has to do anything: the host has credentials of its own.',
  ),
  errors: [400, 403, 404, 415, 502, 503],
})

const finish = route('post', '/{name}/login/finish', 'finishLogin', {
  summary: 'Finish a login with the address that the browser ended at',
  request: { params: Named, body: jsonBody(z.strictObject({ url: z.string().min(1).max(20_000) })) },
  answer: jsonResponse(ServerStatus, 'The new status of the server.'),
  errors: [400, 403, 404, 415, 502, 503],
})

const show = route('get', '/{name}/login/{id}', 'login', {
  summary: 'How a login stands',
  request: { params: Named.extend({ id: z.string().max(100) }) },
  answer: jsonResponse(LoginState, 'The login.'),
  errors: [403, 404],
})

const logout = route('post', '/{name}/logout', 'logout', {
  summary: 'Sign out: revoke the tokens at the issuer and remove them',
  request: { params: Named, body: jsonBody(z.strictObject({ for: principal })) },
  answer: jsonResponse(
    z.object({
      signed_in: z.boolean().describe('Whether there were tokens.'),
      revoked: z.boolean().describe('Whether the issuer has revoked them. They are removed here in any case.'),
      server: ServerStatus,
    }),
    'The new status of the server.',
  ),
  errors: [400, 403, 404, 415, 503],
})

export function signInRoutes({ host, decidedBy }: RouteContext) {
  const find = (name: string) => findServer(host, name)
  return new OpenAPIHono()
    .openapi(start, async (c) => {
      const { name } = c.req.valid('param')
      const { flow, for: principal } = c.req.valid('json')
      const login = await find(name).host.signIns.login(name, { flow, principal, by: decidedBy(c.req.raw) })
      return c.json({ login: login ?? null, server: find(name).server }, 200)
    })
    .openapi(finish, async (c) => {
      const { name } = c.req.valid('param')
      await find(name).host.signIns.finishPasted(name, c.req.valid('json').url)
      return c.json(find(name).server, 200)
    })
    .openapi(show, (c) => {
      const { name, id } = c.req.valid('param')
      const state = find(name).host.signIns.loginState(id)
      if (state === undefined || state.server !== name)
        throw notFound(`Unknown login ${JSON.stringify(id)} of ${name}.`)
      return c.json(state, 200)
    })
    .openapi(logout, async (c) => {
      const { name } = c.req.valid('param')
      const { for: principal = '' } = c.req.valid('json')
      const { signedIn, revoked } = await find(name).host.signIns.logout(name, principal, decidedBy(c.req.raw))
      return c.json({ signed_in: signedIn, revoked, server: find(name).server }, 200)
    })
}
