/**
 * The operator's API under /api, on the same port as MCP. Every request needs the operator's token in the Authorization header. The app
 * itself is loaded by the first request with a valid token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { operatorName } from '../../ledger/decisions/operator-name.ts'
import type { Decider } from '../../ledger/journal/decision.ts'
import { log } from '../../server/log.ts'
import type { Pages } from '../../transport/http/pages.ts'
import { ApiError, errorResponse } from './api-error.ts'
import type { OperatorApp } from './app.ts'
import { readBody, sendWebResponse, toWebRequest } from './node-adapter.ts'
import { assertOperatorToken, operatorTokenCheck } from './operator-token.ts'
import type { RouteContext } from './route-context.ts'

export interface OperatorApiOptions extends Pick<RouteContext, 'server' | 'ledger' | 'host'> {
  readonly token: string
  /** the token for calling tools, which must differ from the operator's */
  readonly callerToken?: string | undefined
  /** recorded with decisions; default: `api:` and the user name */
  readonly decidedBy?: Decider
}

export interface OperatorApi extends Pages {
  /** Ends live streams. Closing the server does the same. */
  close(): void
}

const MAX_BYTES = 64 * 1024

export function operatorApi(options: OperatorApiOptions): OperatorApi {
  const { server, token, callerToken } = options
  assertOperatorToken(token, server.pipeline.policy, callerToken)
  const refused = server.measures.counter(
    'myrmex_api_refused_total',
    "Requests to the operator's API without its token.",
  )
  const check = operatorTokenCheck(token, (count) => log.warn({ count }, "wrong token for the operator's API"))
  const decidedBy = options.decidedBy ?? ({ name: `api:${operatorName()}`, from: 'api' } as const)
  const context = { ...options, decidedBy, startedAt: Date.now() }
  let app: Promise<OperatorApp> | undefined

  const assertToken = (request: IncomingMessage): void => {
    const verdict = check(request)
    if (verdict === 'operator') return
    refused.inc()
    throw verdict === 'too many'
      ? new ApiError(429, 'AuthenticationError', 'Too many wrong tokens. Wait a minute.', {
          headers: { 'retry-after': '60' },
        })
      : new ApiError(401, 'AuthenticationError', NO_TOKEN, {
          headers: { 'www-authenticate': 'Bearer realm="myrmex operator"' },
        })
  }
  const readRequest = (request: IncomingMessage): Promise<Buffer | undefined> => {
    const { method = 'GET', headers } = request
    if (method !== 'GET' && method !== 'POST')
      throw new ApiError(405, 'ValidationError', 'Use GET or POST.', { headers: { allow: 'GET, POST' } })
    if (method !== 'POST') return Promise.resolve(undefined)
    // Another site's page can send forms and text/plain across origins, but not application/json.
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw new ApiError(415, 'ValidationError', 'Content-Type must be application/json.')
    return readBody(request, MAX_BYTES).then((body) => {
      if (body === undefined)
        throw new ApiError(413, 'ValidationError', `The body is larger than ${MAX_BYTES} bytes.`, {
          headers: { connection: 'close' },
        })
      return body.length === 0 ? Buffer.from('{}') : body
    })
  }
  const close = (): void => void app?.then((opened) => opened.close()).catch(() => {})
  server.onClose(close)

  return {
    has: (path) => path === '/api' || path.startsWith('/api/'),
    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      let answer: Response
      try {
        assertToken(request)
        const body = await readRequest(request)
        app ??= import('./app.ts').then(({ openApp }) => openApp(context))
        answer = await (await app).fetch(toWebRequest(request, body))
      } catch (thrown) {
        answer = errorResponse(thrown, (unknown) => server.fault(unknown))
      }
      await sendWebResponse(response, answer)
    },
    close,
  }
}

const NO_TOKEN =
  "The operator's token is required: Authorization: Bearer TOKEN. It is in .myrmex/host/api.json while the host runs. " +
  'The token for calling tools is not accepted.'
