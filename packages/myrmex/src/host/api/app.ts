/** The operator's API as one hono app: its routes, and its OpenAPI document. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { HTTPException } from 'hono/http-exception'
import { ToolError } from '../../protocol/errors.ts'
import { MYRMEX_VERSION } from '../../protocol/versions.ts'
import { zodIssues } from '../../protocol/zod-issue.ts'
import { ApiError, errorResponse, notFound } from './api-error.ts'
import { LiveEventSource } from './events/event-source.ts'
import type { RouteContext } from './route-context.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { callRoutes } from './routes/calls.ts'
import { channelRoutes } from './routes/channels.ts'
import { clientRoutes } from './routes/clients.ts'
import { configuredServerRoutes } from './routes/configured-servers.ts'
import { eventRoutes } from './routes/events.ts'
import { hostRoutes } from './routes/host.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { logRoutes } from './routes/logs.ts'
import { profileRoutes } from './routes/profiles.ts'
import { runRoutes } from './routes/runs.ts'
import { searchRoutes } from './routes/search.ts'
import { serverRoutes } from './routes/servers.ts'
import { sessionRoutes } from './routes/session.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { suggestionRoutes } from './routes/suggestions.ts'
import { switchRoutes } from './routes/switches.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { toolRoutes } from './routes/tools.ts'
import { trustRoutes } from './routes/trust.ts'
import { bulkTrustRoutes } from './routes/trust-bulk.ts'
import { userRoutes } from './routes/users.ts'

export type OperatorApp = ReturnType<typeof openApp>

export function openApp(context: RouteContext) {
  const source = new LiveEventSource(context)
  const app = createApp(context, source)
  return { fetch: (request: Request) => app.fetch(request), close: () => source.close() }
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: "Myrmex: the operator's API",
    version: MYRMEX_VERSION,
    description:
      'Servers, tools, profiles, tokens, switches, calls, approvals and their channels, trust and the audit journal of one host, and live events.',
  },
  servers: [{ url: '/', description: 'The port of the host.' }],
  security: [{ operator: [] }],
}

function createApp(context: RouteContext, source: LiveEventSource) {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return
      // Without values: a body may have a passphrase in it.
      const issues = zodIssues(result.error.issues, (result as { data?: unknown }).data).map(
        ({ path, constraint }) => ({
          path: `${result.target}${path}`,
          message: constraint,
        }),
      )
      const summary = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
      throw ToolError.of('ValidationError', `Malformed request: ${summary}`, { issues })
    },
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'operator', {
    type: 'http',
    scheme: 'bearer',
    description:
      "The operator's token, which is in .myrmex/host/api.json while the host runs. If the ledger is locked, that token only reads the " +
      'status of the host and its servers, and all else needs the token of a session: openSession of myrmex/api.',
  })
  app.onError((thrown) => {
    const error =
      thrown instanceof HTTPException ? new ApiError(thrown.status, 'ValidationError', thrown.message) : thrown
    return errorResponse(error, (unknown) => context.server.fault(unknown))
  })
  app.notFound(({ req: { method, path } }) => {
    throw notFound(`Unknown route ${method} ${path}. GET /api/openapi.json lists all routes.`)
  })
  return app
    .route('/api/session', sessionRoutes(context))
    .route('/api/host', hostRoutes(context))
    .route('/api/servers', serverRoutes(context))
    .route('/api/profiles', profileRoutes(context))
    .route('/api/tokens', tokenRoutes(context))
    .route('/api/switches', switchRoutes(context))
    .route('/api/suggestions', suggestionRoutes(context))
    .route('/api/servers', signInRoutes(context))
    .route('/api/servers', configuredServerRoutes(context))
    .route('/api/clients', clientRoutes(context))
    .route('/api/logs', logRoutes(context))
    .route('/api/tools', toolRoutes(context))
    .route('/api/calls', callRoutes(context))
    .route('/api/approvals', approvalRoutes(context))
    .route('/api/channels', channelRoutes(context))
    .route('/api/trust', bulkTrustRoutes(context))
    .route('/api/runs', runRoutes(context))
    .route('/api/trust', trustRoutes(context))
    .route('/api/users', userRoutes(context))
    .route('/api/invitations', invitationRoutes(context))
    .route('/api/audit', auditRoutes(context))
    .route('/api/search', searchRoutes(context))
    .route('/api/events', eventRoutes(source, context))
    .doc31('/api/openapi.json', DOCUMENT)
}

/** The type of the API for hono's client (client.ts). */
export type Api = ReturnType<typeof createApp>
