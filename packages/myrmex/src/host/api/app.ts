/** All routes of the operator's API as one hono app, its OpenAPI document, and how whatever goes wrong is answered. */

import { OpenAPIHono } from '@hono/zod-openapi'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ToolError, toErrorDetail } from '../../protocol/errors.ts'
import { pointer } from '../../protocol/json.ts'
import { MYRMEX_VERSION } from '../../protocol/versions.ts'
import { errorDetailOf, httpStatusOf, notFound } from './api-error.ts'
import { EventLog } from './events/event-log.ts'
import { LiveEventSource } from './events/event-source.ts'
import type { RouteContext } from './route-context.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { callRoutes } from './routes/calls.ts'
import { eventRoutes } from './routes/events.ts'
import { hostRoutes } from './routes/host.ts'
import { searchRoutes } from './routes/search.ts'
import { serverRoutes } from './routes/servers.ts'
import { toolRoutes } from './routes/tools.ts'
import { trustRoutes } from './routes/trust.ts'

export interface OperatorApp {
  fetch(request: Request): Response | Promise<Response>
  close(): void
}

export function openApp(given: Omit<RouteContext, 'events'>): OperatorApp {
  const events = new EventLog()
  const watch = new LiveEventSource(given, events)
  const app = routed({ ...given, events }, () => watch.start())
  return {
    fetch: (request) => app.fetch(request),
    close() {
      watch.close()
      events.close()
    },
  }
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: "Myrmex: the operator's API",
    version: MYRMEX_VERSION,
    description:
      'Servers, tools, calls, approvals, trust and the audit of one host, and what happens there as it happens.',
  },
  security: [{ operator: [] }],
}

/** `watched` resolves when whatever happens from now on is told. */
function routed(parts: RouteContext, watched: () => Promise<void>) {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return
      const issues = result.error.issues.map(({ path, message }) => ({
        path: `${result.target}${pointer(path)}`,
        message,
      }))
      const told = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
      throw ToolError.of('ValidationError', `The request is malformed: ${told}`, { issues })
    },
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'operator', {
    type: 'http',
    scheme: 'bearer',
    description: "The operator's token, which the host keeps in .myrmex/host/api.json while it runs.",
  })
  app.onError((thrown, c) => {
    if (thrown instanceof ToolError) return c.json(errorDetailOf(thrown), httpStatusOf(thrown) as ContentfulStatusCode)
    if (thrown instanceof HTTPException) {
      const malformed = ToolError.of('ValidationError', thrown.message)
      return c.json(errorDetailOf(malformed), thrown.status as ContentfulStatusCode)
    }
    return c.json(toErrorDetail(thrown, parts.server.fault(thrown)), 500)
  })
  app.notFound((c) => {
    const { method, path } = c.req
    return c.json(
      errorDetailOf(notFound(`There is no ${method} ${path}. GET /api/openapi.json lists what there is.`)),
      404,
    )
  })
  return app
    .route('/api/host', hostRoutes(parts))
    .route('/api/servers', serverRoutes(parts))
    .route('/api/tools', toolRoutes(parts))
    .route('/api/calls', callRoutes(parts))
    .route('/api/approvals', approvalRoutes(parts))
    .route('/api/trust', trustRoutes(parts))
    .route('/api/audit', auditRoutes(parts))
    .route('/api/search', searchRoutes(parts))
    .route('/api/events', eventRoutes(parts, watched))
    .doc31('/api/openapi.json', DOCUMENT)
}

/** For hono's client: see client.ts. */
export type Api = ReturnType<typeof routed>
