/** /api/servers: the status of the servers behind the host, and how to control them. */
import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, Env } from 'hono'
import { HELD_BACK_REASONS } from '../../../ledger/decisions/held-back.ts'
import type { RouteContext } from '../route-context.ts'
import { jsonBody, jsonResponse, routesOf } from '../schemas.ts'
import { findServer } from './find-server.ts'

const route = routesOf('servers')

const Time = z.string().openapi({ description: 'ISO 8601.', format: 'date-time' })

/** as in `UpstreamState`; `failed`: a module that could not be loaded */
const State = z.enum([
  'idle',
  'starting',
  'ready',
  'waiting',
  'cooldown',
  'needs_sign_in',
  'stopped',
  'closed',
  'failed',
])

export const ServerStatus = z
  .object({
    name: z.string(),
    where: z.enum(['child', 'url', 'in-process']),
    state: State,
    /** start of the current state */
    since: Time,
    pid: z.number().int().nullable(),
    /** of the child as it was last started; null if there is no child, or it was not started yet */
    sandbox: z.enum(['bwrap', 'namespace', 'user', 'none']).nullable(),
    /** null: the server has not asked for a sign-in */
    sign_in: z
      .object({
        state: z.enum(['signed_in', 'needed']),
        /** why it is needed, or which scope a request needed */
        reason: z.string().nullable(),
        /** since when it is needed */
        since: Time.nullable(),
        /** what the operator runs */
        command: z.string().nullable(),
        issuer: z.string().nullable(),
        scopes: z.array(z.string()),
        missing_scopes: z.array(z.string()),
        /** of the access token, which is refreshed ahead of that if `refreshable` */
        expires_at: Time.nullable(),
        refreshable: z.boolean(),
        /** where each caller has an account of its own: those that the host has met */
        callers: z.array(
          z.object({
            principal: z.string(),
            state: z.enum(['signed_in', 'needed']),
            reason: z.string().nullable(),
          }),
        ),
        /** id of a login that waits for the operator */
        login: z.string().nullable(),
      })
      .nullable(),
    era: z.enum(['modern', 'legacy']).nullable(),
    /** the protocol version in use */
    protocol: z.string().nullable(),
    server: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }).nullable(),
    /** times the connection was reopened after a failure */
    restarts: z.number().int(),
    last_error: z.object({ at: Time, error_type: z.string(), message: z.string() }).nullable(),
    problem: z.string().nullable().openapi({
      description: 'What is wrong although it is connected: the lists that it refused. They are read again.',
    }),
    /** how long callers should wait; 0 if calls are possible now */
    retry_after_ms: z.number(),
    breaker: z.string(),
    calls: z.number().int(),
    /** calls that got no answer */
    failures: z.number().int(),
    in_flight: z.number().int(),
    tools: z.number().int(),
    resources: z.number().int(),
    templates: z.number().int(),
    prompts: z.number().int(),
    subscriptions: z.number().int(),
    /** tools that cannot be called until somebody decides; GET /api/trust has each of them */
    held_back: z.object({
      total: z.number().int(),
      reasons: z.array(
        z.object({
          reason: z.enum(HELD_BACK_REASONS),
          grade: z.enum(['harmless', 'wider', 'different', 'suspicious']).nullable(),
          count: z.number().int(),
        }),
      ),
      /** the one that helps; null: nothing waits */
      command: z.string().nullable(),
      /** shows settings for tools that do not say whether they change state; null: there are none */
      suggestion: z.string().nullable(),
    }),
    sessions: z
      .array(
        z.object({
          id: z.string(),
          principal: z.string(),
          pid: z.number().int().nullable(),
          state: State,
          since: Time,
          in_flight: z.number().int(),
        }),
      )
      .nullable()
      .openapi({ description: 'The connections of single callers; null: all callers share one connection.' }),
  })
  .openapi('ServerStatus')

/** The status of a server behind the host. It contains no secrets. */
export type ServerStatus = z.infer<typeof ServerStatus>

const Named = z.object({ name: z.string().max(200) })
type NamedContext = Context<Env, string, { out: { param: z.infer<typeof Named> } }>

const list = route('get', '/', 'servers', {
  summary: 'All servers behind the host',
  answer: jsonResponse(z.object({ servers: z.array(ServerStatus) }), 'In the order of the configuration.'),
})

const show = route('get', '/{name}', 'server', {
  summary: 'One server',
  request: { params: Named },
  answer: jsonResponse(ServerStatus, 'The server.'),
  errors: [404],
})

const action = <const Verb extends string>(verb: Verb, summary: string) =>
  route('post', `/{name}/${verb}`, `${verb}Server`, {
    summary,
    request: { params: Named, body: jsonBody(z.strictObject({})) },
    answer: jsonResponse(ServerStatus, 'The new status.'),
    errors: [400, 404, 415, 502, 503],
  })

export function serverRoutes({ host, ledger }: RouteContext) {
  const find = (name: string) => findServer(host, name)
  const control = (verb: 'restart' | 'refresh' | 'stop' | 'start') => async (c: NamedContext) => {
    const { name } = c.req.valid('param')
    await find(name).host[verb](name)
    return c.json(find(name).server, 200)
  }
  return new OpenAPIHono()
    .openapi(list, async (c) => {
      await ledger.trust.refresh()
      return c.json({ servers: [...(host?.servers() ?? [])] }, 200)
    })
    .openapi(show, async (c) => {
      await ledger.trust.refresh()
      return c.json(find(c.req.valid('param').name).server, 200)
    })
    .openapi(action('restart', 'Restart the server'), control('restart'))
    .openapi(action('refresh', "Read the server's listing again"), control('refresh'))
    .openapi(action('stop', 'Stop the server until it is started again'), control('stop'))
    .openapi(action('start', 'Start the server'), control('start'))
}
